"""The relation classification task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from abalo.bundled import bundled_path
from abalo.core.protocols.corpus_spec import CorpusKind
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.registry import Registry
from abalo.core.records.example import Example
from abalo.core.records.lesson import Lesson
from abalo.core.statistics.metrics import Metric
from abalo.corpora.examples import TEXT
from abalo.corpora.writing import writers_of
from abalo.models.classifiers.loading import load as load_model
from abalo.models.classifiers.protocol import Classifier
from abalo.models.classifiers.two_spans import ADAPTER, RelationForm, markers_of, read_input
from abalo.tasks.labels.targets import LabelTargets
from abalo.tasks.labels.task import LabelTask, TextModels
from abalo.tasks.relations.corpus import DEFAULT, RELATIONS, Relations, record_of
from abalo.tasks.relations.in_parts import RelationsInParts
from abalo.tasks.relations.report import RelationReport
from abalo.tasks.relations.sentences import ROLES, as_input, spans_in
from abalo.tasks.relations.templates import RelationTemplates
from perturbations import Perturbation, Perturbed

_READS = "relations"

FEW = 5

FORM = RelationForm(
    places=("{sentence}", "{subject}", "{object}"),
    lead="Read the sentence, say how its marked subject relates to its object,",
)


class RelationClassification(LabelTask):
    """The relation between two spans of a sentence."""

    name = "relations"
    title = "Relations"
    metrics = Registry[Metric]("metric", "abalo.tasks.relations.metrics", "METRICS", several=True)
    floor = "macro_f1"
    targets = LabelTargets(("relation", "relations"), (" outside the two spans", "relation"))
    group_noun = "relation"
    held_noun = "relations"
    default_corpus = DEFAULT
    corpus_kind = CorpusKind(
        "a file of SemEval-2010 task 8, or JSON with a sentence, its subject, its object and their relation",
        RELATIONS.settings,
    )
    models = TextModels("fixtures/relations/weights.npz", "the bundled relation model", FORM, (ADAPTER,))
    templates = RelationTemplates()
    _parts = RelationsInParts
    writers = writers_of(record_of, tables=False)

    # Corpora and models -----------------------------------------------------------------------------------------------

    def load(self, spec: str | None, options: RunOptions, corpus: Relations) -> Classifier:
        path = str(bundled_path(self.models.path)) if spec is None else spec
        wanted = {label: number for label, number in corpus.label_counts.items() if number >= FEW}
        prompting = self._prompting(corpus, replace(FORM, markers=markers_of(options.markers)))
        return load_model(path, options, wanted, adapters=self.models.adapters, prompting=prompting)

    def lesson(self, example: Example) -> Lesson | None:
        text = read_input(self.input(example)).text(markers_of(None))
        return None if example.gold is None else Lesson((text,), tuple(example.gold), tagged=False)

    # Variants ---------------------------------------------------------------------------------------------------------

    def accepts(self, perturbation: Perturbation) -> bool:
        keeps = perturbation.meaning == "keeps" and super().accepts(perturbation)
        return perturbation.scheme == _READS or keeps

    def input(self, example: Example) -> str:
        return as_input(example.sentence)

    def carry(self, example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
        made = edits.get(TEXT)
        whole = made is None or len(spans_in(made.sentence)) == len(ROLES)
        return super().carry(example, edits) if whole else None

    @cached_property
    def report(self) -> RelationReport:
        return RelationReport(self, self.models.name)


TASK = RelationClassification(RELATIONS)
