"""The task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from abalo.core.example import Example
from abalo.core.metrics import Metric
from abalo.core.options import RunOptions
from abalo.core.registry import Registry
from abalo.corpora.examples import TEXT
from abalo.corpora.writing import writers_of
from abalo.models.classifiers.predictor import ClassPredictor
from abalo.models.classifiers.protocol import Classifier
from abalo.tasks.classification.corpus import DEFAULT, LabelledTexts, recognises, record_of
from abalo.tasks.classification.corpus import load as load_corpus
from abalo.tasks.classification.in_parts import TextsInParts
from abalo.tasks.classification.templates import TextTemplates
from abalo.tasks.labels.task import LabelTask, TextModels
from perturbations import Perturbation, Perturbed


class Classification(LabelTask):
    """Texts, each with a label, or with any number of them."""

    name = "classification"
    title = "Text classification"
    metrics = Registry[Metric]("metric", "abalo.tasks.labels.metrics", "METRICS", several=True)
    probes = ("baseline", "perturbation", "pipeline", "slice", "attack", "promise")
    noun = "text"
    default_corpus = DEFAULT
    corpus_kind = "a table or JSON lines with a text and a label"
    models = TextModels("fixtures/sentiment/weights.npz", "the bundled sentiment model")
    writers = writers_of(record_of)
    templates = TextTemplates()

    def read(self, spec: str, options: RunOptions) -> LabelledTexts:
        """A table, JSON, a data set, or a bundled corpus."""
        return load_corpus(spec, limit=options.limit, lenient=options.lenient)

    def in_parts(self, spec: str, options: RunOptions) -> TextsInParts:
        """A table, JSON lines or Parquet."""
        return TextsInParts(spec, lenient=options.lenient)

    recognises = staticmethod(recognises)

    def predictor(self, model: Classifier, corpus: LabelledTexts, store: Path | None = None) -> ClassPredictor:
        """The model with the clean corpus, each distinct text predicted once."""
        return ClassPredictor(model, [sentence.text for sentence in corpus.sentences], corpus.golds, store)

    # Variants ---------------------------------------------------------------------------------------------------------

    def accepts(self, perturbation: Perturbation) -> bool:
        """All after which the labels still hold, or may turn around; none that looks at labels of tokens."""
        return (
            perturbation.level in ("character", "word", "sentence")
            and perturbation.labels != "changes"
            and perturbation.meaning != "loses"
            and perturbation.scheme is None
        )

    def input(self, example: Example) -> str:
        """The text."""
        return example.sentence.text

    def carry(self, example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
        """The changed text with the same labels, or with none where it says something else than before."""
        made = edits.get(TEXT)
        if made is None:
            return example
        gold = example.gold if made.meaning == "keeps" else None
        return replace(example, fields={TEXT: made.sentence}, gold=gold)


TASK = Classification()
