"""Fixed ways to reword or reformat an example."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from abalo.core.documents.found import Result, ResultFields
from abalo.core.records.configuring import Ranged, Settable
from abalo.core.records.example import Example, Variant
from abalo.core.records.json_records import Count, JsonRecord, declared
from perturbations import Perturbed


@dataclass(frozen=True, slots=True, eq=False)
class Reworded:
    """One rewording: its edits by field, and a title."""

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
    """A list of rewordings in a fixed order.

    * ``languages``: ISO 639-1 codes; empty for any.
    * ``possible``: ids of all ways under the settings.
    * ``takes``: whether any fits an example.
    * ``unfit``: ways that would change its meaning.
    """

    ways: Callable[[Example, S], Sequence[Reworded]]
    possible: Callable[[S], Sequence[str]]
    takes: Callable[[Example, S], bool] = _all
    unfit: Callable[[Example, S], Sequence[str]] = _none
    languages: Collection[str] = ()


def _no_change(_example: Example) -> None:
    return None


def _nothing(_result: Result) -> str:
    return ""


@dataclass(frozen=True, slots=True, eq=False)
class Rewordings:
    """The fixed ways in which a task puts examples to a model; by default unchanged.

    * ``settings``: of every case.
    * ``show``: the model input of an example or variant.
    * ``lists``: rewordings by table.
    * ``groups``: of unchanged examples; empty if the corpus defines them.
    * ``repeated``: variant that asks again about an unchanged example; None if not needed.
    * ``finding``: why answers changed, in a sentence without a full stop; "" if unknown.
    """

    settings: type[Ranged] = Ranged
    show: Callable[[Example, str, Any, Variant | None], object] | None = None
    lists: Mapping[str, Rewording[Any]] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    repeated: Callable[[Example], Variant | None] = _no_change
    finding: Callable[[Result], str] = _nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class RewordingFacts(JsonRecord):
    """The facts about rewordings."""

    excluded: Count
    left_out: Mapping[str, Count]
    kinds: Mapping[str, Count]


@dataclass(frozen=True, slots=True, kw_only=True)
class RewordingFields(ResultFields):
    """What rewordings add to a result."""

    rewording: RewordingFacts | None = declared(
        "How many examples were `excluded`, how many ways were `left_out` because they change the meaning, and how "
        "many examples each of the `kinds` fits.",
        default=None,
        required=True,
    )
