"""The task."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from abalo.core.evidence import Evidence
from abalo.core.example import Example, Json, Outcome
from abalo.core.filling import Filled, Filling
from abalo.core.metrics import Metric
from abalo.core.registry import Registry
from abalo.core.session import Session
from abalo.core.statistics import Measurement
from abalo.core.verdicts import Bound
from abalo.models.classifiers.loading import load as load_model
from abalo.models.classifiers.predictor import ClassPredictor
from abalo.models.classifiers.protocol import Classified, Classifier
from abalo.tasks.labels.models.prompts import Asking
from abalo.tasks.labels.task import LabelTask
from abalo.tasks.pairs import blocks as report
from abalo.tasks.pairs import templates
from abalo.tasks.pairs.artefacts import artefacts
from abalo.tasks.pairs.corpus import DEFAULT, LabelledPairs, recognises
from abalo.tasks.pairs.corpus import load as load_corpus
from abalo.tasks.pairs.in_parts import PairsInParts
from abalo.tasks.pairs.models.graded import GRADED
from abalo.tasks.pairs.pair import HYPOTHESIS, PREMISE, joined, joined_edits, read_together, texts
from abalo.tasks.pairs.relations import Relations
from perturbations import Perturbation, Perturbed, Pipeline, Sentence
from perturbations.text import Relation

BOTH = "both"

_USUAL: Mapping[Relation, str] = {
    "keeps": BOTH,
    "adds": PREMISE,
    "excludes": HYPOTHESIS,
    "contradicts": HYPOTHESIS,
    "loses": BOTH,
}
"""The sentence that changes, by what a change does, where a case does not say."""

_GRADED = frozenset(("spearman", "spearman_drop"))


class Pairs(LabelTask):
    """Two sentences, with a label, or a degree of similarity, or both."""

    name = report.NAME
    title = "Pairs of sentences"
    metrics = Registry[Metric]("metric", "abalo.tasks.pairs.metrics", "METRICS", several=True)
    probes = ("baseline", "perturbation", "pipeline", "slice", "attack", "promise")
    noun = "pair"
    target_nouns = ("pair", "pairs")
    default_corpus = DEFAULT
    corpus_kind = "a table, JSON lines or XML of ASSIN with two sentences and a label or a score"
    default_model = "fixtures/entailment/weights.npz"
    shipped = "the bundled entailment model"
    paired = True
    asking = Asking(
        ("{premise}", "{hypothesis}"), "Read the premise and the hypothesis, say how the second relates to the first,"
    )
    field_choices: ClassVar[Mapping[str, tuple[str, ...]]] = {
        BOTH: (PREMISE, HYPOTHESIS),
        PREMISE: (PREMISE,),
        HYPOTHESIS: (HYPOTHESIS,),
        "sentence1": (PREMISE,),
        "sentence2": (HYPOTHESIS,),
    }
    template_fields = templates.FIELDS
    template_gold = templates.LABEL
    labels_whole = True

    # Corpora and models ----------------------------------------------------------------------------------------------

    def read(self, spec: str, options: Any) -> LabelledPairs:
        """A table, JSON, XML, a data set, or a bundled corpus."""
        return load_corpus(spec, limit=options.limit, lenient=options.lenient)

    def in_parts(self, spec: str, options: Any) -> PairsInParts:
        """A table, JSON lines or Parquet, with labels alone."""
        return PairsInParts(spec, lenient=options.lenient)

    recognises = staticmethod(recognises)

    def load(self, spec: str | None, options: Any, corpus: LabelledPairs) -> Classifier:
        """A model whose labels fit the corpus; where that has none, one that gives numbers."""
        if corpus.label_counts or spec is None:
            return super().load(spec, options, corpus)
        return load_model(spec, options, (), adapters=(GRADED,))

    def predictor(self, model: Classifier, corpus: LabelledPairs, store: Path | None = None) -> ClassPredictor:
        """The model with the clean corpus, each distinct pair predicted once."""
        return ClassPredictor(model, [(first.text, second.text) for first, second in corpus.pairs], corpus.golds, store)

    # Variants ---------------------------------------------------------------------------------------------------------

    def accepts(self, perturbation: Perturbation) -> bool:
        """All of which it is known what they do to the relation of a sentence to another, without labels of tokens."""
        return (
            perturbation.level in ("character", "word", "sentence")
            and perturbation.labels != "changes"
            and perturbation.relation != "loses"
            and perturbation.scheme in (None, "pair")
        )

    def turns(self, name: str) -> bool:
        """None: the label after a change is known, or the pair is left out."""
        return False

    def usual_field(self, perturbation: Perturbation | Pipeline) -> str:
        """Both sentences where they say the same after the change, else the one of which the new label is known."""
        return _USUAL[perturbation.relation]

    def input(self, example: Example) -> tuple[str, str]:
        """Both texts."""
        return texts(example)

    def whole(self, example: Example) -> Sentence:
        """Both sentences as one."""
        return joined(example.fields)

    def carry(self, example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
        """The changed pair with the label that is right now; None where nobody knows it."""
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

    # Capabilities -----------------------------------------------------------------------------------------------------

    def written(self, filled: Mapping[str, Filled | Sequence[Filled]], corpus: LabelledPairs | None) -> Filling:
        """The pair of a filled template, with all labels of the corpus that fit; without one, the label as written."""
        return templates.written(filled, () if corpus is None else corpus.labels)

    def foreign(self, fillings: Iterable[Filling], labels: Collection[str], session: Session) -> str:
        """They have or expect labels that neither corpus nor model has, and that are no relation."""
        relations = Relations(session.corpus.labels)
        meant = [each for label in labels for each in relations.meant(label) or (label,)]
        return super().foreign(fillings, meant, session)

    def fault(self, filling: Filling, prediction: Classified) -> str:
        """The label, where it is not right."""
        return templates.fault(filling, prediction)

    def differing(
        self, before: Filling, first: Classified, after: Filling, second: Classified, free: Collection[str] = ()
    ) -> str:
        """Both labels, where they differ."""
        return templates.differing(first, second)

    def predicted(self, filling: Filling, prediction: Classified, key: str = "") -> Collection[str]:
        """The label."""
        return set(prediction.labels)

    def confidence(self, filling: Filling, prediction: Classified, label: str, scale: Any) -> float | None:
        """The probability of a label, or of all that a relation allows."""
        return templates.confidence(prediction, label, filling.example.source.labels)

    def said(self, example: Example, prediction: Classified | None = None) -> str:
        """Both sentences and the label."""
        return templates.said(example, prediction)

    # Judging ----------------------------------------------------------------------------------------------------------

    def floor_of(self, evidence: Evidence) -> str:
        """The accuracy, or the rank correlation if pairs have no labels."""
        return self.floor if evidence.groups else "spearman"

    def uninformed(self, evidence: Evidence, facts: Json) -> Bound | None:
        """As of labels; of degrees of similarity a correlation of 0."""
        return super().uninformed(evidence, facts) if evidence.groups else Bound("spearman", "min", 0.0)

    def undecidable(self, bound: Bound, measurement: Measurement, evidence: Evidence, where: str) -> str | None:
        """As of labels; of degrees of similarity, that gold or model has none."""
        if bound.metric not in _GRADED:
            return super().undecidable(bound, measurement, evidence, where)
        if not measurement.estimate(bound.metric).n:
            return f"no pair of the {where} has a degree of similarity, or the model gives none"
        return None

    # Reports ----------------------------------------------------------------------------------------------------------

    def facts(self, session: Session, baseline: Measurement) -> Json:
        """With how far one gets without comparing the sentences; None in place of that for a part of a corpus."""
        found = super().facts(session, baseline)
        found["corpus"] |= {"scores": any(each is not None for each in session.corpus.scores)}
        found["corpus"] |= {"artefacts": None if session.predictor.is_part else artefacts(session.examples)}
        return found

    def displayed(self, outcome: Outcome) -> tuple[Sentence, Perturbed]:
        """Both sentences as one, and what became of it."""
        edits = {} if outcome.variant is None else outcome.variant.edits
        return joined(outcome.example.fields), joined_edits(outcome.example.fields, edits)

    blocks = staticmethod(report.summary)
    remarks = staticmethod(report.remarks)


TASK = Pairs()
