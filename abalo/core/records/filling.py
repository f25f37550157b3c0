"""Filled templates, written to test one capability."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from abalo.core.records.example import Example
from perturbations import Span


class Slot(NamedTuple):
    """A slot: the value of ``key`` begins at character ``start``."""

    key: str
    start: int
    value: str


@dataclass(frozen=True, slots=True)
class Filled:
    """A template with filled slots, in the task's notation."""

    text: str
    slots: tuple[Slot, ...] = ()

    @property
    def plain(self) -> str:
        """The text without backslashes that escape brackets."""
        return re.sub(r"\\(.)", r"\1", self.text, flags=re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class Filling:
    """A filled template as an example of its task.

    * ``places``: span and field of each value, by key; optional if only whole examples are compared.
    * ``targets``: labelled spans that must be right; empty if all must.
    """

    example: Example
    places: Mapping[str, Sequence[tuple[str, Span]]] = field(default_factory=dict)
    targets: tuple[Span, ...] = ()
