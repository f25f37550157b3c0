"""Random streams that are independent of each other and the same on every machine.

A draw depends only on what it is for (seed, perturbation, step, sentence), so adding a perturbation or a sentence, or
running them in another order, changes no other draw. Only `random.Random.random` is used: Python promises that its
sequence stays the same between versions, which it does not promise for `choice` or `shuffle`. Nothing here depends on
the mathematical library of the machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


def stream(seed: int, *labels: str | int) -> Random:
    """A generator that depends on the seed and the labels alone.

    It is seeded with the 8-byte BLAKE2b digest, read as a big-endian number, of Python's `ascii` of them all as one
    tuple, such as ``(1, 'spam', 0)``.
    """
    return _Stream(lot(seed, *labels))


class _Stream(Random):
    """Python's generator, seeded with a whole number, without a look at what else the number could be."""

    def __init__(self, number: int) -> None:
        super(Random, self).seed(number)


def lot(seed: int, *labels: str | int) -> int:
    """The number that seeds their stream: to draw some of many things, those with the smallest lots."""
    digest = hashlib.blake2b(ascii((seed, *labels)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def pick(draws: Random, options: Sequence[T]) -> T:
    """One of the options, each equally likely; one draw."""
    return options[int(draws.random() * len(options))]


def sample(draws: Random, options: Sequence[T], count: int) -> list[T]:
    """``count`` of the options, or all where there are fewer, in random order; every choice equally likely.

    One draw for each that is taken (Fisher and Yates' shuffle, stopped early).
    """
    places = list(range(len(options)))
    for k in range(min(count, len(options))):
        other = k + int(draws.random() * (len(options) - k))
        places[k], places[other] = places[other], places[k]
    return [options[place] for place in places[:count]]


def hits(draws: Random, count: int, rate: float) -> list[int]:
    """Those of ``count`` sites that are hit, each independently with probability ``rate``, in increasing order.

    One draw a site, so that from equal streams a higher rate hits every site that a lower one hits. (Geometric skips
    would save draws at low rates, but lose that, and the last bit of a logarithm differs between machines.)
    """
    draw = draws.random
    return [site for site in range(count) if draw() < rate]
