"""The sentence pair task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from abalo.core.protocols.corpus_spec import CorpusKind
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.task import edits_text
from abalo.core.records.example import Example, JsonObject
from abalo.core.statistics.estimates import Measurement
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.fields import Fields
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.verdicts import Bound
from abalo.corpora.writing import writers_of
from abalo.models.classifiers.loading import load as load_model
from abalo.models.classifiers.protocol import Classifier
from abalo.models.prompts.labels import LabelForm
from abalo.tasks.labels.targets import LabelTargets
from abalo.tasks.labels.task import LabelTask, TextModels
from abalo.tasks.pairs import blocks as report
from abalo.tasks.pairs.corpus import DEFAULT, PAIRS, LabelledPairs, record_of
from abalo.tasks.pairs.in_parts import PairsInParts
from abalo.tasks.pairs.models.graded import GRADED
from abalo.tasks.pairs.pair import HYPOTHESIS, PREMISE, read_together, texts
from abalo.tasks.pairs.relations import Relations
from abalo.tasks.pairs.report import PairReport
from abalo.tasks.pairs.templates import PairTemplates
from perturbations import Perturbation, Perturbed
from perturbations.text import Relation

BOTH = "both"

_CHOICES = {
    BOTH: (PREMISE, HYPOTHESIS),
    PREMISE: (PREMISE,),
    HYPOTHESIS: (HYPOTHESIS,),
    "sentence1": (PREMISE,),
    "sentence2": (HYPOTHESIS,),
}

_USUAL: Mapping[Relation, str] = {
    "keeps": BOTH,
    "adds": PREMISE,
    "excludes": HYPOTHESIS,
    "contradicts": HYPOTHESIS,
    "loses": BOTH,
}

_BY_DEGREES = {"accuracy": "spearman", "accuracy_drop_changed": "spearman_drop"}

FORM = LabelForm(
    places=("{premise}", "{hypothesis}"),
    lead="Read the premise and the hypothesis, say how the second relates to the first,",
)


class Pairs(LabelTask):
    """Two sentences with a label, a degree of similarity, or both.

    Perturbations must have a known effect on the relation.
    """

    name = report.NAME
    title = "Pairs of sentences"
    metrics = Registry[Metric]("metric", "abalo.tasks.pairs.metrics", "METRICS", several=True)
    noun = "pair"
    targets = LabelTargets(("pair", "pairs"))
    default_corpus = DEFAULT
    corpus_kind = CorpusKind(
        "a table, JSON lines or XML of ASSIN with two sentences and a label or a score", PAIRS.settings
    )
    models = TextModels("fixtures/entailment/weights.npz", "the bundled entailment model", FORM)
    fields = Fields(_CHOICES, lambda change: _USUAL[change.relation])
    templates = PairTemplates()
    _turns_labels = True
    _parts = PairsInParts
    writers = writers_of(record_of)
    graded = _BY_DEGREES

    # Corpora and models ----------------------------------------------------------------------------------------------

    def load(self, spec: str | None, options: RunOptions, corpus: LabelledPairs) -> Classifier:
        if corpus.label_counts or spec is None:
            return super().load(spec, options, corpus)
        return load_model(spec, options, (), adapters=(GRADED,))

    # Variants ---------------------------------------------------------------------------------------------------------

    def accepts(self, perturbation: Perturbation) -> bool:
        fits = perturbation.relation != "loses" and perturbation.scheme in (None, "pair")
        return edits_text(perturbation) and fits

    def input(self, example: Example) -> tuple[str, str]:
        return texts(example)

    def carry(self, example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
        relations = example.source if isinstance(example.source, Relations) else Relations()
        done: list[Relation] = [edits[name].relation if name in edits else "keeps" for name in (PREMISE, HYPOTHESIS)]
        kept = {*done} == {"keeps"}
        gold = None
        if example.gold is not None:
            gold = tuple(relations.after(label, done[0], done[1]) for label in example.gold)
        if (gold is None and not kept) or (gold is not None and None in gold):
            return None
        made = {**example.fields, **{name: each.sentence for name, each in edits.items()}}
        source = relations if kept else replace(relations, score=None)
        return replace(example, fields=read_together(made[PREMISE], made[HYPOTHESIS]), gold=gold, source=source)

    # Judging ----------------------------------------------------------------------------------------------------------

    def uninformed(self, evidence: Evidence, facts: JsonObject) -> Bound | None:
        return super().uninformed(evidence, facts) if evidence.groups else Bound("spearman", "min", 0.0)

    def undecidable(self, bound: Bound, measurement: Measurement, evidence: Evidence, where: str) -> str | None:
        if bound.metric not in _BY_DEGREES.values():
            return super().undecidable(bound, measurement, evidence, where)
        if not measurement.estimate(bound.metric).n:
            return f"no pair of the {where} has a degree of similarity, or the model gives none"
        return None

    @cached_property
    def report(self) -> PairReport:
        return PairReport(self, self.models.name)


TASK = Pairs(PAIRS)
