"""Losses of few documents, drawn so that the true loss is 0, and tested with fewer flips than runs use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np

from abalo.core.statistics import flips
from abalo.core.statistics.metrics import Floats, ratio

SIZES = (10, 16, 24, 49)
"""Documents."""

FLIPS = 2**13
"""Of each test; flips with the identity among them keep their level however few they are."""

_SD = 0.1
_TOGETHER = 0.5
"""The correlation of the losses of one document in several cases."""

_Draws = np.random.Generator


def _normal(draws: _Draws, shape: tuple[int, ...]) -> Floats:
    return draws.normal(0, _SD, shape)


def _exponential(draws: _Draws, shape: tuple[int, ...]) -> Floats:
    """A few documents lose much, most gain a little."""
    return _SD * (draws.exponential(1, shape) - 1)


def _turned(draws: _Draws, shape: tuple[int, ...]) -> Floats:
    """A few documents gain much, most lose a little."""
    return -_exponential(draws, shape)


def _sparse(draws: _Draws, shape: tuple[int, ...]) -> Floats:
    """A fifth of the documents differ."""
    return np.where(draws.random(shape) < 0.2, draws.choice([-1, 1], shape) * 3 * _SD, 0.0)


KINDS: Mapping[str, Callable[[_Draws, tuple[int, ...]], Floats]] = {
    "normal": _normal,
    "normal, unequal documents": _normal,
    "exponential": _exponential,
    "sparse": _sparse,
    "exponential, turned": _turned,
}


def drawn(kind: str, draws: _Draws, documents: int, cases: int) -> Floats:
    """Loss times words, and words, of each document in each case (documents × cases × 2)."""
    words = np.exp(draws.normal(0, 1, documents)) if "unequal" in kind else np.ones(documents)
    own = KINDS[kind](draws, (documents, cases))
    if cases > 1:
        shared = draws.random((documents, 1)) < _TOGETHER
        own = np.where(shared, KINDS[kind](draws, (documents, 1)), own)
    return np.stack([own * words[:, None], np.broadcast_to(words[:, None], own.shape)], axis=-1)


def loss(sums: Floats) -> Floats:
    """The loss of all documents, NaN without any."""
    return ratio(sums[..., 0], sums[..., 1])


@contextmanager
def few_flips() -> Iterator[None]:
    """Within it, a test takes `FLIPS` flips."""
    with patch.object(flips, "_DRAWN", FLIPS), patch.object(flips, "_ALL", FLIPS.bit_length() - 1):
        flips.subsets.cache_clear()
        yield
    flips.subsets.cache_clear()
