"""Filled templates: examples that were written to test one capability, and what stands in their slots.

A probe fills templates without knowing what they are; a task reads what came out. Both meet here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from abalo.core.example import Example
from perturbations import Span


class Slot(NamedTuple):
    """A place in a filled text: the value of ``key`` begins at character ``start``."""

    key: str
    start: int
    value: str


@dataclass(frozen=True, slots=True)
class Filled:
    """A template with its slots filled, from left to right. Values are written in the notation of the task."""

    text: str
    slots: tuple[Slot, ...] = ()

    @property
    def plain(self) -> str:
        """The text of a task without brackets: a backslash makes the character behind it literal, and goes."""
        return re.sub(r"\\(.)", r"\1", self.text, flags=re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class Filling:
    """A filled template as an example of its task.

    ``places`` says by key which span of which field the value took; empty spans for empty values. A task whose
    examples are only compared as a whole may leave them out. ``targets`` are the labelled spans that alone have to be
    right; none where all have to be.
    """

    example: Example
    places: Mapping[str, Sequence[tuple[str, Span]]] = field(default_factory=dict)
    targets: tuple[Span, ...] = ()
