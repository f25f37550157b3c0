"""Flags of the ambiguity audit and their limits."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import ClassVar, Literal, get_args

from abalo.core.records.configuring import Ranged, Ranges
from abalo.core.records.example import JsonObject
from abalo.errors import visible

FlagRule = Literal["duplicate", "near_duplicate", "meta_option", "boolean_like", "numeric_crowding", "own_letter"]

RULES: tuple[FlagRule, ...] = get_args(FlagRule)

CONSERVATIVE_GAP = 0.01
"""For four or more numbers [module 3, "Numeric crowding"]."""

GAP_OF_THREE = 0.0015

BUFFERED_GAP_OF_THREE = 0.002
"""For three numbers if ``gap`` is below `CONSERVATIVE_GAP`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits(Ranged):
    """Limits at which options are too similar.

    ``jaccard`` is the minimum similarity of near duplicates, ``gap`` the maximum relative gap |a − b| / max(|a|, |b|)
    of crowding numbers, and ``boolean_tokens`` the maximum number of tokens of options like *yes*.
    """

    jaccard: float = 0.9
    gap: float = CONSERVATIVE_GAP
    boolean_tokens: int = 2

    ranges: ClassVar[Ranges] = {"jaccard": (0.01, 1), "gap": (0, 1), "boolean_tokens": (1, 10)}

    def gap_of(self, count: int) -> float | None:
        """The gap for ``count`` numbers; None for too few."""
        if count < 3:
            return None
        if count > 3:
            return self.gap
        return GAP_OF_THREE if self.gap >= CONSERVATIVE_GAP else BUFFERED_GAP_OF_THREE


USUAL = Limits()


@dataclass(frozen=True, slots=True)
class Flag:
    """A rule, and the places of the options that break it.

    ``measured`` (a similarity or gap) and its ``limit`` are None for rules without numbers.
    """

    rule: FlagRule
    options: tuple[int, ...]
    reason: str
    measured: float | None = None
    limit: float | None = None

    def to_json(self) -> JsonObject:
        return {**asdict(self), "options": list(self.options)}


def quote_option(option: str) -> str:
    """The option as quoted in a reason."""
    plain = visible(option)
    return repr(plain if len(plain) <= 60 else f"{plain[:59]}…")
