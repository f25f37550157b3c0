"""Fixed ways to put an example in other words or another form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from abalo.core.configuring import Ranged, Settable
from abalo.core.example import Example, Variant
from perturbations import Perturbed


@dataclass(frozen=True, slots=True, eq=False)
class Reworded:
    """One way to put an example: its ``id`` among all, and by field what was done; ``title`` is a friendlier name."""

    id: str
    edits: Mapping[str, Perturbed]
    title: str = ""


S = TypeVar("S", bound=Ranged)


def _all(_example: Example, _settings: object) -> bool:
    return True


def _none(_example: Example, _settings: object) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True, eq=False)
class Rewording(Settable[S]):
    """A list of ways to put an example, in a fixed order, each where it applies.

    ``languages`` holds ISO 639-1 codes; empty for any language. ``possible`` are the ids of all that there can be under
    the settings. ``takes`` says whether an example is put at all; ``unfit`` which of the possible ways would change
    what an example says, so that it is not put in these.
    """

    ways: Callable[[Example, S], Sequence[Reworded]]
    possible: Callable[[S], Sequence[str]]
    takes: Callable[[Example, S], bool] = _all
    unfit: Callable[[Example, S], Sequence[str]] = _none
    languages: tuple[str, ...] = ()


def _unchanged(_example: Example) -> None:
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Rewordings:
    """The fixed ways in which a task puts examples to a model; none as they stand here.

    ``settings`` are those that every case can have. ``show`` gives the model input of an example, or of a variant of
    it, in a case of that name; without it, examples are put as they stand. ``lists`` are the rewordings by the name of
    their table. ``groups`` are those of examples as they stand in the corpus, empty where the corpus itself says.
    ``repeated`` is the variant of an example that is asked about again as it stands, None if that needs no variant.
    """

    settings: type[Ranged] = Ranged
    show: Callable[[Example, str, Any, Variant | None], Any] | None = None
    lists: Mapping[str, Rewording[Any]] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    repeated: Callable[[Example], Variant | None] = _unchanged
