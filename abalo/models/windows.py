"""Sentences as overlapping windows of word pieces, and scores of pieces back to scores of words. Arrays only."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from abalo.models.prediction import Scores

Integers = NDArray[np.int64]

SPECIAL = -1
"""The word of a piece that stands for none, such as ``[CLS]``."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """Windows over the pieces of some sentences: each sentence's in order, one sentence after the other.

    ``inputs`` are what the network reads, by argument name, and ``words`` the word of every piece, counted over all
    sentences, or `SPECIAL`: all flat, window after window. ``lengths`` holds the pieces of each window, ``sentences``
    the sentence it belongs to. ``step`` is how many pieces further than its neighbour a window of a sentence begins.
    """

    inputs: dict[str, Integers]
    words: Integers
    lengths: Integers
    sentences: Integers
    step: int

    def __len__(self) -> int:
        return len(self.lengths)

    def distinct(self) -> tuple[Windows, Integers]:
        """The windows without those that an earlier one equals; and for each piece the place of its like in these.

        Variants of a long sentence have the windows in common that come before their edits.
        """
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
        """The windows, longest first; those of one length in order."""
        return np.argsort(-self.lengths, kind="stable")

    @property
    def owners(self) -> Integers:
        """For each piece the window it stands in."""
        return np.repeat(np.arange(len(self)), self.lengths)

    @property
    def leads(self) -> NDArray[np.bool_]:
        """For each piece whether it is the first of its word; in every window that holds it, and in no other.

        A long word goes on from window to window, so the first of its pieces in a window need not be its first.
        """
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
        """Scores of all ``count`` words: the mean over the pieces of a word in a window, then over its windows."""
        ordinary = self.words != SPECIAL
        in_window, keys = _means(logits[ordinary], self.owners[ordinary] * count + self.words[ordinary])
        scores, words = _means(in_window, keys % count)
        _check_every_word(len(words), count)
        return scores

    def first_scores(self, logits: Scores, count: int) -> Scores:
        """Scores of all ``count`` words: those of a word's first piece, the mean over the windows that hold it."""
        leads = self.leads
        scores, words = _means(logits[leads], self.words[leads])
        _check_every_word(len(words), count)
        return scores


def _check_every_word(found: int, count: int) -> None:
    """Raises ValueError where words would get the scores of others, as they do once one has no piece."""
    if found != count:
        raise ValueError(f"{found} of {count} words have a piece in a window; expected every word to have one")


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Windows for one forward, padded on the right to the longest: ``inputs`` and ``mask`` are (windows × pieces).

    ``cells`` are the places of the unpadded pieces in the flat arrays of `Windows`, in the order of ``mask``.
    """

    inputs: dict[str, Integers]
    mask: NDArray[np.bool_]
    cells: Integers


_LEAST_WIDTH = 0.8
_LEAST_FULL = 0.25


class Batches:
    """Windows taken in batches, longest first, each within a budget of padded pieces.

    ``padding`` is what fills up each input, by its name.
    """

    def __init__(self, windows: Windows, padding: dict[str, int]) -> None:
        self._windows = windows
        self._padding = padding
        self._order = windows.by_length
        self._starts = np.cumsum(windows.lengths) - windows.lengths

    def take(self, done: int, budget: int) -> Batch:
        """As many of the windows after the first ``done`` as fit into ``budget`` padded pieces; at least one.

        Fewer where the next would be shorter than `_LEAST_WIDTH` of the longest, and the batch has `_LEAST_FULL` of the
        budget already: much of what follows would be padding.
        """
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
    """For each entry of non-decreasing ``groups`` how many of its group come before it."""
    return np.arange(len(groups)) - np.searchsorted(groups, groups)


def _means(rows: Scores, keys: Integers) -> tuple[Scores, Integers]:
    """The mean of the rows that share a key, by increasing key, and those keys."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    sums: Scores = np.add.reduceat(rows[order], starts, axis=0)
    counts = np.diff(starts, append=len(keys)).astype(np.float32)
    return sums / counts[:, None], keys[starts]
