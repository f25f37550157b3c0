"""Expectations: how a prediction may or must change when one value of a template changes.

* ``nothing changes``, the default
* ``at most the entity in {x} changes``, also ``at most {x} changes``
* ``confidence of LABEL falls``, ``rises``, ``does not fall``, ``does not rise``; optionally ``by more than 0.1``
* ``label becomes LABEL``, ``label does not become LABEL``, ``label of {x} becomes LABEL``; questions use ``answer``

LABEL may contain slots, which take the values after the change.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from abalo.capabilities.templates import TemplateText
from abalo.core.protocols.task import Task
from abalo.core.records.filling import Filling

USUAL = "nothing changes"

STILL = 1e-4
"""Confidences that differ by less are equal; batches affect the last bits."""

WANTED = (
    '"nothing changes", "at most the entity in {x} changes", "confidence of LABEL falls" (rises, does not fall, does '
    'not rise; by more than 0.1), "label becomes LABEL", '
    '"label does not become LABEL", "label of {x} does not become LABEL"'
)

_ANY = r"\{(?P<key>\w+)\}"
_AT_MOST = re.compile(rf"at most (?:the \w+ in )?{_ANY} changes")
_CONFIDENCE = re.compile(
    r"confidence of (?P<label>.+) (?P<how>falls|rises|does not fall|does not rise)(?: by more than (?P<by>0?\.\d+))?"
)
_LABEL = re.compile(rf"(?:the )?(?:label|answer)(?: of {_ANY})? (?P<how>becomes|does not become) (?P<label>.+)")


class Undecided(Exception):  # noqa: N818 - a finding, not a mistake
    """The model cannot answer, for example because it has no scores."""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """A filling and its prediction before and after the change; ``scale`` defines how to read scores."""

    before: Filling
    first: object
    after: Filling
    second: object
    scale: object = None


class Expectation(Protocol):
    """How predictions may change."""

    @property
    def keys(self) -> Collection[str]:
        """The slots in the expectation."""
        ...

    @property
    def label(self) -> str:
        """The label, with slots; "" for none."""
        ...

    def fault(self, pair: Pair, task: Task, label: str, /) -> str:
        """Describes how a pair violates the expectation; "" if it does not.

        ``label`` is filled. Raises `Undecided`, or ValueError if the expectation does not apply to the filling.
        """
        ...


@dataclass(frozen=True, slots=True)
class Stays:
    """Predictions may change only in the slots ``keys``."""

    keys: tuple[str, ...] = ()
    label: str = ""

    def fault(self, pair: Pair, task: Task, _label: str, /) -> str:
        return task.templates.differing(pair.before, pair.first, pair.after, pair.second, self.keys)


@dataclass(frozen=True, slots=True)
class Moves:
    """A confidence falls (``sign`` -1) or rises (1) by more than ``by``; must not if ``denied``."""

    label: str
    sign: int
    denied: bool
    by: float = STILL
    keys: tuple[str, ...] = ()

    def fault(self, pair: Pair, task: Task, label: str, /) -> str:
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
    """The changed text gets the label, in slot ``key`` or, for "", anywhere.

    If ``denied``, the change must not add the label.
    """

    label: str
    denied: bool
    key: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.key,) if self.key else ()

    def fault(self, pair: Pair, task: Task, label: str, /) -> str:
        was = label in task.templates.predicted(pair.before, pair.first, self.key)
        now = label in task.templates.predicted(pair.after, pair.second, self.key)
        if self.denied:
            return f"became {label}" if now and not was else ""
        found = ", ".join(sorted(task.templates.predicted(pair.after, pair.second, self.key))) or "nothing"
        return "" if now else f"is {found}, not {label}"


def expectation_of(said: str) -> Expectation:
    """Parses an expectation; raises ValueError if it is invalid."""
    said = " ".join(said.split())
    _ = TemplateText(said).references
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
