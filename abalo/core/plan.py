"""The parts of a case that no probe is needed for: its plan, its waiver, its share, and how it is written in names."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol, TypeVar

from abalo.core.verdicts import Bound

BASELINE = "baseline"
"""The case that perturbs nothing: how good the model is to begin with."""


PART = "part"
"""The field of the results of a case of which only a share was run: the ``numbers`` of its units among all units of the
case, and what its probe needs to join parts."""


class Plan(ABC):
    """The part of a case that its probe alone understands: what to do, with which parameters."""

    __slots__ = ()

    @property
    @abstractmethod
    def params(self) -> Mapping[str, Any]:
        """The parameters as the user wrote them."""

    @property
    def leading(self) -> Sequence[str]:
        """Words that stand in front of the parameters in the slug of the case."""
        return ()

    @property
    def shown(self) -> Mapping[str, Any]:
        """The parameters, and whatever else sets the case apart, for its slug."""
        return self.params

    @property
    def labels(self) -> Sequence[str]:
        """The labels of whole examples that it is about."""
        return ()

    @property
    def turns(self) -> bool:
        """Whether it turns around what texts say, so that nobody knows their labels."""
        return False


@dataclass(frozen=True, slots=True)
class Parameters(Plan):
    """A plan that is something with parameters and no more; ``of`` is None where the probe needs nothing.

    ``params`` are those that the user wrote.
    """

    params: Mapping[str, Any] = field(default_factory=dict)
    of: Any = None


class BoundPlan(Protocol):
    """A case as a task sees it: its name, its plan and its bounds."""

    @property
    def name(self) -> str:
        """The name of its table, such as ``accents``, for messages."""
        ...

    @property
    def plan(self) -> Plan:
        """The change of examples."""
        ...

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The bounds that its result must keep."""
        ...


AnyBoundPlan = TypeVar("AnyBoundPlan", bound=BoundPlan)


@dataclass(frozen=True, slots=True)
class Waiver:
    """A loss against the reference that is accepted up to and including a day, and the reason."""

    accepted_loss: float
    until: date
    why: str


@dataclass(frozen=True, slots=True)
class Share:
    """Some of the ``of`` parts of a case, by their numbers from 0. Block k of its units is in part k modulo ``of``."""

    parts: frozenset[int]
    of: int

    def has(self, block: int) -> bool:
        """Whether the block is in one of the parts."""
        return block % self.of in self.parts


def ascii_words(value: object) -> str:
    """The value in ASCII letters, digits and ``._+``, such as the slug of a case holds; of a path its last part."""
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
"""A path from a root, from here or to a file with an ending, with what may stand before it, as in ``lexicon:FILE``."""


def _last_part(value: object) -> str:
    """A path without its folders, which are others on the next machine; an id of the hub, or other text, as it is."""
    found = _PATH.fullmatch(value) if isinstance(value, str) else None
    return str(value) if found is None else f"{found['kind'] or ''}{found['last']}"
