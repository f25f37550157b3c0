"""Slices at one end of a ranking."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import floor
from typing import ClassVar

from abalo.core.records.configuring import Ranged, Ranges
from abalo.core.records.rounding import ROUNDING
from abalo.corpora import Corpus
from abalo.slices.slice import Cut
from perturbations import Sentence

Value = Callable[[Sentence], float | None]
"""None excludes the sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked(Ranged):
    """``share`` is the fraction of distinct sentences with a value."""

    share: float = 0.2

    ranges: ClassVar[Ranges] = {"share": (0.001, 0.999)}


def at_the_end(corpus: Corpus, value: Value, share: float, *, top: bool, text: str, unit: str = "") -> Cut:
    """The ``share`` with the highest or lowest values, including ties, at least one."""
    found = [value(sentence) for sentence in dict.fromkeys(corpus.sentences)]
    ordered = sorted((each for each in found if each is not None), reverse=top)
    if not ordered:
        return Cut(lambda _: False, f"{text} (there are none)")
    asked = max(1, floor(share * len(ordered) + ROUNDING))
    limit = ordered[asked - 1]
    taken = ordered.index(limit) + ordered.count(limit)
    ties = f" ({100 * taken / len(ordered):.3g} % with ties)" if taken > asked else ""

    def holds(sentence: Sentence) -> bool:
        own = value(sentence)
        return own is not None and (own >= limit if top else own <= limit)

    return Cut(holds, f"{text}, {100 * share:g} %{ties}: at {'least' if top else 'most'} {limit:.4g} {unit}".rstrip())
