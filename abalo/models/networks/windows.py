"""Sentences as overlapping windows of word pieces."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from abalo.models.labelling.prediction import Scores

Integers = NDArray[np.int64]

SPECIAL = -1


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """Windows over word pieces, in sentence order.

    ``inputs`` and ``words`` are flat, window after window. ``step`` is the offset between windows, in pieces.
    """

    inputs: dict[str, Integers]
    words: Integers
    lengths: Integers
    sentences: Integers
    step: int

    def __len__(self) -> int:
        return len(self.lengths)

    def distinct(self) -> tuple[Windows, Integers]:
        """Distinct windows, and each piece's place in them."""
        ends = np.cumsum(self.lengths)
        starts = ends - self.lengths
        pieces = np.stack(list(self.inputs.values()), axis=1)
        known: dict[bytes, int] = {}
        bounds = zip(starts.tolist(), ends.tolist(), strict=True)
        same = np.array([known.setdefault(pieces[start:end].tobytes(), k) for k, (start, end) in enumerate(bounds)])
        first = same == np.arange(len(self))
        kept = np.repeat(first, self.lengths)
        inputs = {name: flat[kept] for name, flat in self.inputs.items()}
        found = Windows(inputs, self.words[kept], self.lengths[first], self.sentences[first], self.step)
        begin = np.cumsum(self.lengths * first) - self.lengths * first
        return found, np.repeat(begin[same] - starts, self.lengths) + np.arange(len(self.words))

    @property
    def by_length(self) -> Integers:
        """Windows, longest first; a stable order."""
        return np.argsort(-self.lengths, kind="stable")

    @property
    def owners(self) -> Integers:
        """The window of each piece."""
        return np.repeat(np.arange(len(self)), self.lengths)

    @property
    def leads(self) -> NDArray[np.bool_]:
        """True for the first piece of each word, even if a window begins inside the word."""
        ordinary = self.words != SPECIAL
        words, owners = self.words[ordinary], self.owners[ordinary]
        place_in_window = _places(owners)
        window_in_sentence = _places(self.sentences)
        place = window_in_sentence[owners] * self.step + place_in_window
        distinct, first_seen = np.unique(words, return_index=True)
        leads = np.zeros(len(self.words), dtype=np.bool_)
        leads[ordinary] = place == place[first_seen][np.searchsorted(distinct, words)]
        return leads

    def mean_scores(self, logits: Scores, count: int) -> Scores:
        """Word scores: mean over pieces per window, then over windows."""
        ordinary = self.words != SPECIAL
        in_window, keys = _means(logits[ordinary], self.owners[ordinary] * count + self.words[ordinary])
        scores, words = _means(in_window, keys % count)
        _check_every_word(len(words), count)
        return scores

    def first_scores(self, logits: Scores, count: int) -> Scores:
        """Word scores: first piece, averaged over windows."""
        leads = self.leads
        scores, words = _means(logits[leads], self.words[leads])
        _check_every_word(len(words), count)
        return scores


def _check_every_word(found: int, count: int) -> None:
    if found != count:
        raise ValueError(f"{found} of {count} words have a piece in a window; expected every word to have one")


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """``inputs`` and ``mask`` (windows × pieces), padded on the right.

    ``cells`` are the places of unpadded pieces in `Windows`.
    """

    inputs: dict[str, Integers]
    mask: NDArray[np.bool_]
    cells: Integers


_LEAST_WIDTH = 0.8
_LEAST_FULL = 0.25


class Batches:
    """Windows in batches, longest first, within a budget."""

    def __init__(self, windows: Windows, padding: dict[str, int]) -> None:
        self._windows = windows
        self._padding = padding
        self._order = windows.by_length
        self._starts = np.cumsum(windows.lengths) - windows.lengths

    def take(self, done: int, budget: int) -> Batch:
        """Windows after the first ``done`` within ``budget`` padded pieces; at least one."""
        width = int(self._windows.lengths[self._order[done]])
        chosen = self._order[done : done + max(1, budget // width)]
        alike = int(np.sum(self._windows.lengths[chosen] >= _LEAST_WIDTH * width))
        chosen = chosen[: max(alike, math.ceil(_LEAST_FULL * budget / width))]
        columns = np.arange(width)
        mask = columns < self._windows.lengths[chosen, None]
        cells = (self._starts[chosen, None] + columns)[mask]
        inputs = {}
        for name, flat in self._windows.inputs.items():
            inputs[name] = np.full(mask.shape, self._padding[name], dtype=np.int64)
            inputs[name][mask] = flat[cells]
        return Batch(inputs, mask, cells)


def _places(groups: Integers) -> Integers:
    return np.arange(len(groups)) - np.searchsorted(groups, groups)


def _means(rows: Scores, keys: Integers) -> tuple[Scores, Integers]:
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    sums: Scores = np.add.reduceat(rows[order], starts, axis=0)
    counts = np.diff(starts, append=len(keys)).astype(np.float32)
    return sums / counts[:, None], keys[starts]
