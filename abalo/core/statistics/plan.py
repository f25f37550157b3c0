"""The parts of a case that need no probe."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol, TypeVar

from abalo.core.statistics.verdicts import Bound

BASELINE = "baseline"
"""The unperturbed corpus."""


PART = "part"


class Plan(ABC):
    """The part of a case that only its probe understands."""

    __slots__ = ()

    @property
    @abstractmethod
    def params(self) -> Mapping[str, Any]:
        """The parameters as the user wrote them."""

    @property
    def leading(self) -> Sequence[str]:
        """Words before the parameters in the slug."""
        return ()

    @property
    def shown(self) -> Mapping[str, object]:
        """What the slug shows, by default the parameters."""
        return self.params

    @property
    def labels(self) -> Sequence[str]:
        """The labels of whole examples that it concerns."""
        return ()

    @property
    def turns(self) -> bool:
        """Whether it reverses meanings, which makes labels unknown."""
        return False


@dataclass(frozen=True, slots=True)
class Parameters(Plan):
    """A plan with parameters."""

    params: Mapping[str, Any] = field(default_factory=dict)
    of: Any = None


class BoundCase(Protocol):
    """A case as a task sees it."""

    @property
    def name(self) -> str:
        """The name of its table, such as ``accents``."""
        ...

    @property
    def plan(self) -> Plan: ...

    @property
    def bounds(self) -> tuple[Bound, ...]: ...


AnyBoundCase = TypeVar("AnyBoundCase", bound=BoundCase)


@dataclass(frozen=True, slots=True)
class Waiver:
    """A loss accepted up to and including a day."""

    accepted_loss: float
    until: date
    why: str


@dataclass(frozen=True, slots=True)
class CaseShare:
    """Parts of a case: block k of units is in part k modulo ``of``."""

    parts: frozenset[int]
    of: int

    def has(self, block: int) -> bool:
        """Whether the block is in these parts."""
        return block % self.of in self.parts


def ascii_words(value: object) -> str:
    """The value in ASCII letters, digits and ``._+``."""
    items = [f"{key}_{_part(item)}" for key, item in value.items()] if isinstance(value, Mapping) else value
    text = "+".join(map(_last_part, items)) if isinstance(items, list | tuple) else _last_part(items)
    return re.sub(r"[^A-Za-z0-9._+]", "_", text)


def _part(value: object) -> str:
    return ascii_words(value) if isinstance(value, Mapping) else _last_part(value)


_PATH = re.compile(
    r"(?P<kind>[A-Za-z][A-Za-z-]+:)?"
    r"(?:(?:[A-Za-z]:|~|\.\.?)?[/\\].*[/\\]|(?:[A-Za-z]:|~|\.\.?)?[/\\]|.*[/\\](?=[^/\\]*\.[A-Za-z]\w*(?::\d+)?$))"
    r"(?P<last>[^/\\]+)[/\\]?"
)


def _last_part(value: object) -> str:
    found = _PATH.fullmatch(value) if isinstance(value, str) else None
    return str(value) if found is None else f"{found['kind'] or ''}{found['last']}"
