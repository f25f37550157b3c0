"""The check before a run: one batch shows whether a model can predict, whether it says the same twice, and how fast."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from abalo.core.options import RunOptions
from abalo.core.words import count
from abalo.errors import AbaloError

BATCH = 32
"""Inputs in the batch."""


@dataclass(frozen=True, slots=True)
class Preflight:
    """The first batch of a session.

    ``inputs`` is its size, ``seconds`` how long the model took for it, the faster of two times. ``differing`` of its
    ``labels`` were others the second time; None where the model was asked once.
    """

    inputs: int
    seconds: float
    labels: int
    differing: int | None = None

    @property
    def share(self) -> float | None:
        """The share of labels that differed, 0 to 1; None where the model was asked once."""
        return None if self.differing is None else self.differing / max(1, self.labels)


def asked_twice(model: Any, options: RunOptions) -> bool:
    """Whether the first batch is put to the model again.

    A model that does not say ``black_box = False`` may cost money or limit how often it is asked, so it is asked again
    only with the option ``check_twice``.
    """
    return not getattr(model, "black_box", True) or options.check_twice


def differing(first: Iterable[Sequence[Any]], second: Iterable[Sequence[Any]]) -> int:
    """How many labels differ between two lists of predictions, each given by its labels."""
    pairs = zip(first, second, strict=True)
    return sum(one != other for before, after in pairs for one, other in zip_longest(before, after))


def refuse_random(model: Any, found: Preflight, noun: str) -> None:
    """Raises `AbaloError` where the model gave other labels the second time; ``noun`` is one of its inputs in words."""
    if found.differing:
        share, asked = percent(found.share or 0), count(found.inputs, noun)
        raise AbaloError(
            f"model {model.name}: not deterministic: {share} of labels differ ({found.differing} of "
            f"{found.labels:,}) when the same {asked} are predicted twice, so a verdict would be partly chance. Turn "
            "off whatever draws (dropout, sampling, temperature) or fix its seed; to judge it all the same, pass "
            "--abalo-allow-random"
        )


def percent(share: float) -> str:
    """A share as a percentage, such as ``10 %``; of less than a tenth two digits, such as ``0.25 %``."""
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"
