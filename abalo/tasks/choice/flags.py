"""Flags of the audit of ambiguity, and the limits of its rules."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal, get_args

from abalo.core.configuring import Ranged, Ranges
from abalo.errors import visible

Rule = Literal["duplicate", "near_duplicate", "meta_option", "boolean_like", "numeric_crowding", "own_letter"]

RULES: tuple[Rule, ...] = get_args(Rule)

CONSERVATIVE_GAP = 0.01
"""Relative gap at which four or more numbers crowd, unless another is asked for [module 3, "Numeric crowding"]."""

GAP_OF_THREE = 0.0015
"""The same for exactly three numbers."""

BUFFERED_GAP_OF_THREE = 0.002
"""The same where a stricter gap than `CONSERVATIVE_GAP` is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits(Ranged):
    """Limits of the rules about options that are too close.

    ``jaccard`` is the least similarity of near duplicates as published: shared tokens over all tokens of the two.
    ``gap`` is the greatest relative gap, |a − b| / max(|a|, |b|), at which four or more numbers crowd; it also picks
    the one for three. ``boolean_tokens`` is the most tokens that an option like *yes* has, as published.
    """

    jaccard: float = 0.9
    gap: float = CONSERVATIVE_GAP
    boolean_tokens: int = 2

    ranges: ClassVar[Ranges] = {"jaccard": (0.01, 1), "gap": (0, 1), "boolean_tokens": (1, 10)}

    def gap_of(self, count: int) -> float | None:
        """The gap for ``count`` numbers; None where they are too few to crowd."""
        if count < 3:
            return None
        if count > 3:
            return self.gap
        return GAP_OF_THREE if self.gap >= CONSERVATIVE_GAP else BUFFERED_GAP_OF_THREE


USUAL = Limits()


@dataclass(frozen=True, slots=True)
class Flag:
    """Why a question is flagged: the rule, the places of the options concerned, in order, and what they measure.

    ``measured`` is the Jaccard similarity or the relative gap, ``limit`` what it was held against; both None for rules
    without numbers. ``reason`` says it in words.
    """

    rule: Rule
    options: tuple[int, ...]
    reason: str
    measured: float | None = None
    limit: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The flag as plain JSON values."""
        return {**asdict(self), "options": list(self.options)}


def quoted(option: str) -> str:
    """The option as it stands in a reason."""
    plain = visible(option)
    return repr(plain if len(plain) <= 60 else f"{plain[:59]}…")
