"""Fixed ways to put an example in other words or another form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

from abalo.core.configuring import Ranged, configured
from abalo.core.example import Example
from perturbations import Perturbed


@dataclass(frozen=True, slots=True, eq=False)
class Reworded:
    """One way to put an example: its ``id`` among all, and by field what was done; ``title`` is a friendlier name."""

    id: str
    edits: Mapping[str, Perturbed]
    title: str = ""


S = TypeVar("S", bound=Ranged)


@dataclass(frozen=True, slots=True, eq=False)
class Rewording(Generic[S]):
    """A list of ways to put an example, in a fixed order, each where it applies.

    ``possible`` are the ids of all that there can be under the settings.
    """

    name: str
    settings: type[S]
    ways: Callable[[Example, S], Sequence[Reworded]]
    possible: Callable[[S], Sequence[str]]

    def parameters(self) -> list[str]:
        """The names of the settings."""
        return [each.name for each in fields(self.settings)]

    def configured(self, **params: Any) -> S:
        """The settings with these values; raises TypeError or ValueError naming the one that is wrong."""
        return configured(self.name, self.settings, params)
