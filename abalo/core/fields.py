"""The fields of an example that a case changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from abalo.core.example import Example
from perturbations import Perturbation, Pipeline


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of the examples of a task. ``choices`` has those that a case changes by what it says as ``field``.

    They are none where a case cannot choose. ``of_change`` names the fields of a case that says none, by what it does
    to examples; the first of the choices without.
    """

    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    of_change: Callable[[Perturbation | Pipeline], str] | None = None

    def usual(self, change: Perturbation | Pipeline) -> str:
        """The one of the ``choices`` that holds where a case names none; empty without choices."""
        return next(iter(self.choices), "") if self.of_change is None else self.of_change(change)

    def chosen(self, example: Example, name: str) -> Sequence[str]:
        """The fields of an example that a case changes which says this ``name``; all for an empty one."""
        return self.choices[name] if name else tuple(example.fields)
