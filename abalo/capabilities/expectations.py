"""Expectations: how a prediction may or must change when one value of a template does.

* ``nothing changes``, where no other is said
* ``at most the entity in {x} changes``, also ``at most {x} changes``
* ``confidence of LABEL falls``, ``rises``, ``does not fall``, ``does not rise``; behind it ``by more than 0.1``
* ``label becomes LABEL``, ``label does not become LABEL``, ``label of {x} becomes LABEL``; a question has an ``answer``

LABEL may have slots of its own, filled with the values after the change.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Protocol

from abalo.capabilities.templates import Text
from abalo.core.filling import Filling
from abalo.core.task import Task

USUAL = "nothing changes"
"""The expectation of an invariance."""

STILL = 1e-4
"""A confidence that changes by no more than this has not changed: the last bits depend on batches."""

WANTED = (
    '"nothing changes", "at most the entity in {x} changes", "confidence of LABEL falls" (rises, does not fall, does '
    'not rise; by more than 0.1), "label becomes LABEL", '
    '"label does not become LABEL", "label of {x} does not become LABEL"'
)
"""All expectations in words."""

_ANY = r"\{(?P<key>\w+)\}"
_AT_MOST = re.compile(rf"at most (?:the \w+ in )?{_ANY} changes")
_CONFIDENCE = re.compile(
    r"confidence of (?P<label>.+) (?P<how>falls|rises|does not fall|does not rise)(?: by more than (?P<by>0?\.\d+))?"
)
_LABEL = re.compile(rf"(?:the )?(?:label|answer)(?: of {_ANY})? (?P<how>becomes|does not become) (?P<label>.+)")


class Undecided(Exception):  # noqa: N818 - a finding, not a mistake
    """The model cannot say what is asked, as one without scores cannot of its confidence."""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """A filling before and after the change, with both predictions; ``scale`` says how scores are read."""

    before: Filling
    first: Any
    after: Filling
    second: Any
    scale: Any = None


class Expectation(Protocol):
    """How predictions may change. ``keys`` are the slots that it names, ``label`` a label with slots, if it has one."""

    @property
    def keys(self) -> Collection[str]:
        """The slots that it names."""
        ...

    @property
    def label(self) -> str:
        """The label that it names; empty for none."""
        ...

    def fault(self, pair: Pair, task: Task, label: str, /) -> str:
        """The way in which a pair does not fit, in words; empty where it fits. ``label`` is filled.

        Raises `Undecided`, or ValueError where the filling is none that it can be asked of.
        """
        ...


@dataclass(frozen=True, slots=True)
class Stays:
    """All stays, but for what stands in the slots ``keys``."""

    keys: tuple[str, ...] = ()
    label: str = ""

    def fault(self, pair: Pair, task: Task, _label: str, /) -> str:
        """The difference."""
        return task.templates.differing(pair.before, pair.first, pair.after, pair.second, self.keys)


@dataclass(frozen=True, slots=True)
class Moves:
    """The confidence of a label falls or rises, ``by`` more than so much; ``sign`` is -1 or 1. With ``denied`` not."""

    label: str
    sign: int
    denied: bool
    by: float = STILL
    keys: tuple[str, ...] = ()

    def fault(self, pair: Pair, task: Task, label: str, /) -> str:
        """Both confidences."""
        known = [
            task.templates.confidence(filling, prediction, label, pair.scale)
            for filling, prediction in ((pair.before, pair.first), (pair.after, pair.second))
        ]
        if known[0] is None or known[1] is None:
            raise Undecided(f"the model gives no confidence of {label}")
        moved = self.sign * (known[1] - known[0]) > self.by
        return "" if moved != self.denied else f"confidence of {label} {known[0]:.4f}, then {known[1]:.4f}"


@dataclass(frozen=True, slots=True)
class Becomes:
    """A label is predicted after the change: in the slot ``key``, anywhere where it is empty. With ``denied`` not.

    A label that was predicted before has not become one.
    """

    label: str
    denied: bool
    key: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The slot, if it names one."""
        return (self.key,) if self.key else ()

    def fault(self, pair: Pair, task: Task, label: str, /) -> str:
        """The labels after the change."""
        was = label in task.templates.predicted(pair.before, pair.first, self.key)
        now = label in task.templates.predicted(pair.after, pair.second, self.key)
        if self.denied:
            return f"became {label}" if now and not was else ""
        found = ", ".join(sorted(task.templates.predicted(pair.after, pair.second, self.key))) or "nothing"
        return "" if now else f"is {found}, not {label}"


def expectation_of(said: str) -> Expectation:
    """The expectation that the words say; raises ValueError for any other words, and for braces that do not fit."""
    said = " ".join(said.split())
    _ = Text(said).references
    if said == USUAL:
        return Stays()
    if found := _AT_MOST.fullmatch(said):
        return Stays((found["key"],))
    if found := _CONFIDENCE.fullmatch(said):
        how, by = found["how"], max(STILL, float(found["by"] or 0))
        return Moves(found["label"], -1 if "fall" in how else 1, how.startswith("does not"), by)
    if found := _LABEL.fullmatch(said):
        return Becomes(found["label"], found["how"] != "becomes", found["key"] or "")
    raise ValueError(f"{said!r}; expected one of {WANTED}")
