"""A case: one row of the gate."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, Protocol

from abalo.core.verdicts import Bound

if TYPE_CHECKING:
    from abalo.core.probe import Probe


BASELINE = "baseline"
"""The case that perturbs nothing: how good the model is to begin with."""


PART = "part"
"""The field of the results of a case of which only a share was run: the ``numbers`` of its units among all units of the
case, and what its probe needs to join parts."""


class Plan(Protocol):
    """The part of a case that its probe alone understands: what to do, with which parameters."""

    @property
    def params(self) -> Mapping[str, Any]:
        """The parameters as the user wrote them."""
        ...

    @property
    def leading(self) -> Sequence[str]:
        """Words that stand in front of the parameters in the slug of the case."""
        ...

    @property
    def shown(self) -> Mapping[str, Any]:
        """The parameters, and whatever else sets the case apart, for its slug."""
        ...


@dataclass(frozen=True, slots=True)
class Parameters:
    """A plan that is something with parameters and no more; ``of`` is None where the probe needs nothing."""

    params: Mapping[str, Any] = field(default_factory=dict)
    of: Any = None

    @property
    def leading(self) -> Sequence[str]:
        """No words."""
        return ()

    @property
    def shown(self) -> Mapping[str, Any]:
        """The parameters."""
        return self.params


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


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the gate: what a probe does with the examples of a task, and the bounds its result must keep.

    ``seeds`` and ``limit`` are None where those of the run apply. A ``blocking`` case fails the run when it fails. A
    ``deep`` case runs only where it is asked for. Bounds are about ``view``; ``usual_view`` is the one that they are
    about unless an entry says otherwise. ``entry`` is the place of the entry that the case was read from in its table;
    one entry may give several cases. ``max_losses`` are the largest losses against a reference, by metric, where they
    are not those of the run; a ``waiver`` allows more for some time. ``share`` is the share of it that is run here,
    None for all of it. ``least`` and ``guesses`` are about the clean corpus alone: the smallest clean score, None for
    that of the gate or the task, and whether the model is known to guess.
    """

    task: str
    name: str
    probe: Probe
    plan: Plan
    view: str
    usual_view: str
    bounds: tuple[Bound, ...] = ()
    blocking: bool = True
    seeds: tuple[int, ...] | None = None
    limit: int | None = None
    deep: bool = False
    entry: int = 0
    max_losses: Mapping[str, float] = field(default_factory=dict)
    waiver: Waiver | None = None
    share: Share | None = None
    least: float | None = None
    guesses: bool = False

    @property
    def params(self) -> Mapping[str, Any]:
        """The parameters as the user wrote them."""
        return self.plan.params

    @property
    def slug(self) -> str:
        """The words that set the case apart, in ASCII letters, digits and ``._+-``, such as ``rate-0.1``; may be empty.

        Those of the plan, its parameters, the limit, and the view where it is not the usual one.
        """
        shown = {**self.plan.shown, **({} if self.limit is None else {"limit": self.limit})}
        view = [self.view] if self.view != self.usual_view else []
        named = (f"{ascii_words(name)}-{ascii_words(value)}" for name, value in shown.items())
        return "-".join([*self.plan.leading, *named, *view])

    @property
    def id(self) -> str:
        """The same however pytest was started, such as ``task/name[rate-0.1]``."""
        return f"{self.task}/{self.name}" + (f"[{self.slug}]" if self.slug else "")


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
