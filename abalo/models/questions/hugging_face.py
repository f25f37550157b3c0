"""Extractive readers: ``AutoModelForQuestionAnswering`` or an exported graph.

The answer is the run of at most `LONGEST` pieces with the largest start plus end score over windows, or none if the
smallest *none* score is at least as large.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from abalo.core.protocols.options import RunOptions
from abalo.errors import AbaloError
from abalo.models.labelling.prediction import Scores
from abalo.models.networks.checkpoint import ANSWERS, Checkpoint
from abalo.models.networks.devices import full_precision
from abalo.models.networks.local_files import room
from abalo.models.networks.opening import open_network
from abalo.models.networks.runtimes import Runtime
from abalo.models.networks.silence import quiet
from abalo.models.networks.sorted_batches import Windowed, padding_of, refuse_without_way_forward
from abalo.models.networks.windows import Windows
from abalo.models.options import ModelOptions
from abalo.models.questions.protocol import Answered, Input, PassagePlace
from abalo.models.tokens.hugging_face import fingerprint_of

LONGEST = 30

WINDOW, STRIDE = 384, 128
"""In pieces (Devlin et al. 2019, BERT)."""


class Best(NamedTuple):
    """A window's best answer: score, inclusive pieces, probability."""

    score: float
    first: int
    last: int
    probability: float


def best_answer(logits: Scores, inside: NDArray[np.bool_]) -> Best | None:
    """The best answer ``inside`` the passage, or None.

    ``logits`` are start and end scores (pieces × 2).
    """
    places = np.flatnonzero(inside)
    if not len(places):
        return None
    begin, end = int(places[0]), int(places[-1]) + 1
    start, stop = logits[begin:end, 0].astype(np.float64), logits[begin:end, 1].astype(np.float64)
    best: tuple[float, int, int] | None = None
    for width in range(min(LONGEST, end - begin)):
        sums = start[: len(start) - width] + stop[width:]
        at = int(np.argmax(sums))
        if best is None or (sums[at], -at) > (best[0], -best[1]):
            best = float(sums[at]), at, at + width
    assert best is not None
    score, first, last = best
    likely = np.exp(score - _log_sum(logits[:, 0]) - _log_sum(logits[:, 1]))
    return Best(score, begin + first, begin + last, float(likely))


def _log_sum(scores: Scores) -> float:
    top = float(scores.max())
    return top + float(np.log(np.exp(scores.astype(np.float64) - top).sum()))


class HuggingFaceReader(Windowed):
    """A `ReadingModel` around a checkpoint.

    ``null`` is the required margin of *none* over the best answer.
    """

    black_box = False
    labels: tuple[str, ...] = ()

    def __init__(self, name: str, checkpoint: Checkpoint, runtime: Runtime, options: ModelOptions, null: float) -> None:
        network, self._tokenizer = checkpoint.network, checkpoint.tokenizer
        usual = (options.max_length, options.stride) == (RunOptions().max_length, RunOptions().stride)
        self._max_length = room(network, self._tokenizer, WINDOW if usual else options.max_length)
        self._stride = min(STRIDE, self._max_length // 3) if usual else options.stride
        self._padding = padding_of(network, self._tokenizer)
        self._null = null
        self.settings: dict[str, str | int | float | bool | None] = {
            "architecture": type(network).__name__,
            **runtime.settings,
            "max_length": self._max_length,
            "stride": self._stride,
            "null": null,
        }
        self.fingerprint = fingerprint_of(checkpoint, runtime, self.settings)
        super().__init__(name, runtime)

    def predict(self, given: Sequence[Input]) -> list[Answered]:
        if not given:
            return []
        with quiet(), full_precision():
            windows, encoded = self._windows(given)
            logits = self._logits(windows)
        starts = np.cumsum(windows.lengths) - windows.lengths
        own: list[list[int]] = [[] for _ in given]
        for number, owner in enumerate(windows.sentences.tolist()):
            own[owner].append(number)
        return [
            self._answer(passage, [self._one(encoded, logits, starts, windows.lengths, k) for k in numbers])
            for (passage, _), numbers in zip(given, own, strict=True)
        ]

    def _one(
        self, encoded: Any, logits: Scores, starts: Any, lengths: Any, k: int
    ) -> tuple[Best | None, float, object]:
        part = logits[starts[k] : starts[k] + lengths[k]]
        inside = np.array([each == 1 for each in encoded.sequence_ids(k)], dtype=np.bool_)
        mark = self._tokenizer.cls_token_id
        ids = encoded["input_ids"][k]
        none = ids.index(mark) if mark in ids else 0
        return best_answer(part, inside), float(part[none].sum()), encoded["offset_mapping"][k]

    def _answer(self, passage: str, found: Sequence[tuple[Best | None, float, Any]]) -> Answered:
        null = min(score for _, score, _ in found)
        answers = [(best, offsets) for best, _, offsets in found if best is not None]
        if not answers:
            return Answered("", null=1.0, inputs=len(found))
        best, offsets = max(answers, key=lambda pair: pair[0].score)
        unlikely = float(1 / (1 + np.exp(np.clip(best.score - null, -50, 50))))
        if null - best.score >= self._null:
            return Answered("", None, unlikely, unlikely, len(found))
        start, stop = offsets[best.first][0], offsets[best.last][1]
        text = passage[start:stop]
        start += len(text) - len(text.lstrip())
        place = PassagePlace(start, start + len(text.strip()))
        if place.start >= place.stop:
            return Answered("", None, best.probability, unlikely, len(found))
        return Answered(passage[slice(*place)], place, best.probability, unlikely, len(found))

    def _windows(self, given: Sequence[Input]) -> tuple[Windows, object]:
        passages, questions = zip(*given, strict=True)
        special = self._tokenizer.num_special_tokens_to_add(pair=True)
        asked = self._tokenizer(list(questions), add_special_tokens=False, return_attention_mask=False)["input_ids"]
        left = self._max_length - special - max(map(len, asked))
        refuse_without_way_forward(self.name, self._max_length, left, self._stride)
        encoded = self._tokenizer(
            list(questions),
            list(passages),
            truncation="only_second",
            max_length=self._max_length,
            stride=self._stride,
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
            return_token_type_ids="token_type_ids" in self._padding,
            return_attention_mask=False,
        )
        lengths = np.array([len(window) for window in encoded["input_ids"]], dtype=np.int64)
        owners = np.array(encoded["overflow_to_sample_mapping"], dtype=np.int64)
        inputs = {name: np.fromiter(chain.from_iterable(encoded[name]), np.int64) for name in self._padding}
        no_words = np.zeros(int(lengths.sum()), dtype=np.int64)
        return Windows(inputs, no_words, lengths, owners, 1), encoded

    def _logits(self, windows: Windows) -> Scores:
        logits = np.empty((int(windows.lengths.sum()), 2), dtype=np.float32)
        for _, batch, scores in self.forwards(windows, self._padding):
            if scores.shape != (*batch.mask.shape, 2):
                raise AbaloError(
                    f"model {self.name}: scores of shape {scores.shape} for {batch.mask.shape} pieces; expected a "
                    "start and an end score for each: does it mark answers?"
                )
            logits[batch.cells] = scores[batch.mask]
        return logits


def load(name: str, options: ModelOptions) -> HuggingFaceReader:
    """Loads a folder, graph or hub id, or ``NAME?null=0.5``."""
    options.refuse_version("a checkpoint")
    if options.aggregation != "mean":
        raise AbaloError("aggregation is about words of several pieces, and here answers are marked: leave it out")
    folder, mark, value = name.rpartition("?null=")
    try:
        null = float(value) if mark else 0.0
    except ValueError:
        raise AbaloError(f"model {name}: null is {value!r}; expected a number, such as ?null=0.5") from None
    return HuggingFaceReader(name, *open_network(folder if mark else name, options, ANSWERS), options, null)
