"""The fields of a result that only capabilities have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import MaxLen

from abalo.core.documents.found import Result, ResultFields, certain
from abalo.core.records.json_records import Count, JsonRecord, Name, declared


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateCounts(JsonRecord):
    """A template and its fillings."""

    name: str
    template: str
    exist: Count
    run: Count
    failed: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class FillingText(JsonRecord):
    """A text of a filling."""

    which: Literal["right", "predicted", "original", "perturbed"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedFilling(JsonRecord):
    """A filling that failed."""

    template: str
    values: Mapping[str, str]
    fault: str
    shown: Sequence[FillingText]


@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilityFacts(JsonRecord):
    """The facts about a capability."""

    name: Name = declared("Name of the test.")
    capability: str = declared("Row of the matrix.")
    kind: Literal["minimum functionality", "invariance", "directional"] = declared(
        "Compared with gold, must not change, or must change as expected."
    )
    change: str | None = declared("Slot whose value changes; null if none does.")
    expect: str | None = declared("Expected effect; null if nothing is expected.")
    exist: Count = declared("Number of fillings that exist.")
    run: Count = declared("Number of fillings that were run.")
    failed: Count = declared("Number of fillings that failed.")
    undecided: Count = declared("Number of fillings on which the model gives no answer; they do not count.")
    census: bool = declared("true if all fillings were run, so the pass rate has no interval.")
    foreign: str | None = declared("Why no model can have these labels here; null if it can.")
    templates: Sequence[TemplateCounts] = declared("Name, text and counts of each template.")
    failures: Annotated[Sequence[FailedFilling], MaxLen(12)] = declared(
        "At most twelve failed fillings with their `values`, the `fault` and the texts `shown`."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilityFields(ResultFields):
    """What capabilities add to a result."""

    capability: CapabilityFacts | None = declared("The fillings, and how many failed.", default=None, required=True)


def facts_of(result: Result) -> CapabilityFacts:
    """The facts about the capability of a result."""
    return certain(CapabilityFields.of(result).capability)


def foreign(result: Result) -> str | None:
    """Why no model can have the labels of a capability here; None if it can, and for other kinds of test."""
    found = CapabilityFields.of(result).capability
    return None if found is None else found.foreign
