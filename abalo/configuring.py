"""Settings that a table of thresholds.toml can give: dataclasses whose fields are checked by type and range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar, get_type_hints

from perturbations.parameters import checked
from perturbations.suggestions import did_you_mean

Ranges = Mapping[str, tuple[float, float]]
"""The least and the greatest value of numbers by name, both included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranged:
    """Settings of which those in ``ranges`` are numbers from one value to another; raises ValueError for others."""

    ranges: ClassVar[Ranges] = {}

    def __post_init__(self) -> None:
        for name, (low, high) in self.ranges.items():
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} is {getattr(self, name)}; expected a number from {low} to {high}")


S = TypeVar("S", bound=Ranged)


def configured(owner: str, settings: type[S], params: Mapping[str, Any]) -> S:
    """The settings of ``owner`` with these values; raises TypeError or ValueError naming the one that is wrong."""
    hints = {name: hint for name, hint in get_type_hints(settings).items() if name != "ranges"}
    given = {}
    for name, value in params.items():
        if name not in hints:
            raise TypeError(f"{owner} has no parameter {name!r}{did_you_mean(name, hints)}")
        try:
            given[name] = checked(value, hints[name])
        except TypeError as error:
            raise TypeError(f"{name} is {error}") from None
    return settings(**given)
