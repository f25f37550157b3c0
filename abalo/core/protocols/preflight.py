"""Tries one batch before a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from abalo.core.records.words import count
from abalo.core.statistics.repeating import TRIED, draws
from abalo.errors import AbaloError

BATCH = 32


@dataclass(frozen=True, slots=True)
class Preflight:
    """The first batch; ``differing`` is None if asked once."""

    inputs: int
    seconds: float
    labels: int
    differing: int | None = None

    @property
    def share(self) -> float | None:
        """The share of differing labels; None if asked once."""
        return None if self.differing is None else self.differing / max(1, self.labels)


def size(model: object) -> int:
    """How many inputs to try first."""
    return TRIED if draws(model) is None and getattr(model, "black_box", True) else BATCH


def differing(first: Iterable[Sequence[object]], second: Iterable[Sequence[object]]) -> int:
    """The number of labels that differ."""
    pairs = zip(first, second, strict=True)
    return sum(one != other for before, after in pairs for one, other in zip_longest(before, after))


def refuse_random(model: Any, found: Preflight, noun: str) -> None:
    """Raises `AbaloError` if labels differed."""
    if draws(model):
        raise AbaloError(
            f"model {model.name}: its outputs are random, so it must see each input several times; judge it with "
            "pytest instead of abalo scale"
        )
    if found.differing:
        share, asked = percent(found.share or 0), count(found.inputs, noun)
        raise AbaloError(
            f"model {model.name}: not deterministic: {share} of labels differ ({found.differing} of "
            f"{found.labels:,}) when the same {asked} are predicted twice, so a verdict would be partly chance. Turn "
            "off whatever draws (dropout, sampling, temperature) or fix its seed, or judge it without scale, which "
            "asks it several times"
        )


def percent(share: float) -> str:
    """A percentage, such as ``10 %`` or ``0.25 %``."""
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"
