"""The fields of an example that a case changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from abalo.core.example import Example
from perturbations import Perturbation, Pipeline


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of the examples of a task.

    ``choices`` maps each value that a case may give as ``field`` to the fields that change; it is empty if cases cannot
    give one. ``of_change`` picks the value for a case that gives none; without it, the first value holds.
    """

    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    of_change: Callable[[Perturbation | Pipeline], str] | None = None

    def usual(self, change: Perturbation | Pipeline) -> str:
        """The value for a case that gives no ``field``; empty without ``choices``."""
        return next(iter(self.choices), "") if self.of_change is None else self.of_change(change)

    def chosen(self, example: Example, name: str) -> Sequence[str]:
        """The fields of an example that change if a case gives this value; all of them for an empty one."""
        return self.choices[name] if name else tuple(example.fields)
