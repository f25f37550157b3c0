"""The word segmentation task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from abalo.bundled import bundled_path
from abalo.core.protocols.corpus_spec import CorpusKind
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.task import Writer
from abalo.core.records.example import Example, JsonObject
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.verdicts import Bound
from abalo.corpora import Corpus
from abalo.corpora.segmented import write
from abalo.corpora.word_labels import words_in
from abalo.models.labelling.labels import PLAIN
from abalo.models.segmenters.loading import load as load_model
from abalo.models.specs import settings_of
from abalo.models.tokens.protocol import TokenModel
from abalo.tasks.segmentation import corpus as corpora
from abalo.tasks.segmentation.corpus import DEFAULT, WEIGHTS, Segmented
from abalo.tasks.segmentation.in_parts import WordsInParts
from abalo.tasks.segmentation.metrics.words import LENGTHS, length_of
from abalo.tasks.segmentation.report import WordReport
from abalo.tasks.tokens.task import TokenModels, TokenTask
from perturbations import Perturbation, Span

_SCHEME = "words"


class SegmentationTask(TokenTask):
    """Splits text without spaces into words.

    The uninformed baseline splits every character.
    """

    name = "segmentation"
    title = "Word segmentation"
    metrics = Registry[Metric]("metric", "abalo.tasks.segmentation.metrics", "METRICS", several=True)
    views: ClassVar[tuple[str, ...]] = ("structural",)
    usual_view = resized_view = "structural"
    floor = "f1"
    headline = "f1_drop_changed"
    probes: ClassVar[tuple[str, ...]] = ("baseline", "perturbation", "pipeline", "slice")
    group_noun = "word length"
    held_noun = "words"
    default_corpus = DEFAULT
    corpus_kind = CorpusKind(
        "lines of words with spaces between, CoNLL-U, or columns of a character and B, M, E or S", corpora.SETTINGS
    )
    models = TokenModels(WEIGHTS, "the bundled perceptron", lambda _subject: LENGTHS, PLAIN)
    writers: ClassVar[Mapping[str, Writer]] = {".txt": write}

    def read(self, spec: str, options: RunOptions) -> Segmented:
        return corpora.load(spec, limit=options.limit)

    def in_parts(self, spec: str, options: RunOptions) -> WordsInParts:
        return WordsInParts(spec)

    def recognises(self, spec: str) -> bool:
        return corpora.recognises(spec)

    def load(self, spec: str | None, options: RunOptions, corpus: Corpus) -> TokenModel:
        path = str(bundled_path(WEIGHTS)) if spec is None else spec
        model = load_model(path, settings_of(options, PLAIN))
        if model.labels:
            PLAIN.check(model.labels, {label for each in corpus.sentences for label in each.tags or ()}, model.name)
        return model

    def accepts(self, perturbation: Perturbation) -> bool:
        return perturbation.level not in ("entity", "target") and perturbation.scheme in (None, _SCHEME)

    def stated(self, example: Example, prediction: Any = None) -> tuple[Span, ...]:
        return words_in((example.sentence.tags or ()) if prediction is None else prediction.tags)

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        return [*LENGTHS] if outcomes else []

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        counts = [Counter(map(length_of, words_in(outcome.sentence.tags or ()))) for outcome in outcomes]
        return np.array([[each[length] for length in groups] for each in counts], dtype=np.int64).reshape(
            -1, len(groups)
        )

    def uninformed(self, evidence: Evidence, facts: JsonObject) -> Bound | None:
        lengths = facts["lengths"]
        total = facts["tokens"] + sum(lengths.values())
        return Bound(self.floor, "min", round(2 * lengths.get("1", 0) / total, 4)) if total else None

    @cached_property
    def report(self) -> WordReport:
        return WordReport(self, self.models.name)


TASK = SegmentationTask()
