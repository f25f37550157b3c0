"""The aspect-based sentiment task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from abalo.core.protocols.corpus_spec import CorpusKind
from abalo.core.protocols.registry import Registry
from abalo.core.records.example import Example
from abalo.core.statistics.metrics import Metric
from abalo.corpora.examples import TEXT
from abalo.corpora.writing import writers_of
from abalo.models.prompts.labels import LabelForm
from abalo.tasks.aspects.corpus import ASPECTS, DEFAULT, aspect_in, record_of
from abalo.tasks.aspects.in_parts import AspectsInParts
from abalo.tasks.aspects.models.near import ADAPTER
from abalo.tasks.aspects.report import AspectReport
from abalo.tasks.aspects.sentences import polarity_of, target_in
from abalo.tasks.aspects.templates import AspectTemplates
from abalo.tasks.labels.targets import LabelTargets
from abalo.tasks.labels.task import LabelTask, TextModels
from perturbations import Perturbation, Perturbed

_READS = "aspects"


FORM = LabelForm(places=("{sentence}", "{aspect}"), lead="Read the sentence, tell how it judges the aspect")


class AspectSentiment(LabelTask):
    """Classifies what a sentence says about an aspect.

    After a change, the tags of the target give the label, unless the meaning changed in an unknown way.
    """

    name = "aspects"
    title = "Sentiment by aspect"
    metrics = Registry[Metric]("metric", "abalo.tasks.labels.metrics", "METRICS", several=True)
    noun = "aspect"
    targets = LabelTargets(("aspect", "aspects"), (" outside the aspects", "polarity"))
    group_noun = "polarity"
    held_noun = "aspects"
    default_corpus = DEFAULT
    corpus_kind = CorpusKind(
        "JSON with sentences, and for each of their aspects its place and polarity; XML of SemEval", ASPECTS.settings
    )
    models = TextModels("fixtures/aspects/weights.npz", "the bundled aspect model", FORM, (ADAPTER,))
    templates = AspectTemplates()
    _parts = AspectsInParts
    writers = writers_of(record_of, tables=False)

    # Variants ---------------------------------------------------------------------------------------------------------

    def accepts(self, perturbation: Perturbation) -> bool:
        return perturbation.scheme == _READS or super().accepts(perturbation)

    def input(self, example: Example) -> tuple[str, str]:
        return example.sentence.text, aspect_in(example)

    def carry(self, example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
        made = edits.get(TEXT)
        if made is None:
            return example
        target = target_in(made.sentence)
        if target is None:
            return None
        gold = (polarity_of(made.sentence, target),) if made.meaning == "keeps" else None
        return replace(example, fields={TEXT: made.sentence}, gold=gold)

    @cached_property
    def report(self) -> AspectReport:
        return AspectReport(self, self.models.name)


TASK = AspectSentiment(ASPECTS)
