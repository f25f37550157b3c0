"""The text classification task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from abalo.core.protocols.corpus_spec import CorpusKind
from abalo.core.protocols.registry import Registry
from abalo.core.records.example import Example
from abalo.core.statistics.metrics import Metric
from abalo.corpora.examples import TEXT
from abalo.corpora.writing import writers_of
from abalo.tasks.classification.corpus import DEFAULT, TEXTS, record_of
from abalo.tasks.classification.templates import TextTemplates
from abalo.tasks.labels.task import LabelTask, TextModels
from perturbations import Perturbed


class Classification(LabelTask):
    """Texts with one label or several. A change of meaning makes labels unknown."""

    name = "classification"
    title = "Text classification"
    metrics = Registry[Metric]("metric", "abalo.tasks.labels.metrics", "METRICS", several=True)
    noun = "text"
    default_corpus = DEFAULT
    corpus_kind = CorpusKind("a table or JSON lines with a text and a label", TEXTS.settings)
    models = TextModels("fixtures/sentiment/weights.npz", "the bundled sentiment model")
    writers = writers_of(record_of)
    templates = TextTemplates()

    # Variants ---------------------------------------------------------------------------------------------------------

    def input(self, example: Example) -> str:
        return example.sentence.text

    def carry(self, example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
        made = edits.get(TEXT)
        if made is None:
            return example
        gold = example.gold if made.meaning == "keeps" else None
        return replace(example, fields={TEXT: made.sentence}, gold=gold)


TASK = Classification(TEXTS)
