"""The fields of a result that only slices have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from abalo.core.documents.found import Estimated, Result, ResultFields, certain
from abalo.core.records.json_records import Count, JsonRecord, Name, declared


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest(JsonRecord):
    """The other examples, with clean scores under ``more``."""

    more: Mapping[str, Estimated | None] = field(default_factory=dict)
    sentences: Count
    distinct: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceFacts(JsonRecord):
    """The facts about a slice."""

    of: Name = declared("Name of the slice.")
    text: str = declared("Content in words.")
    rest: Rest = declared(
        "The other examples: `sentences`, `distinct` and the clean score that the slice is compared with."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceFields(ResultFields):
    """What slices add to a result."""

    slice: SliceFacts | None = declared("The slice, and the other examples.", default=None, required=True)


def facts_of(result: Result) -> SliceFacts:
    """The facts about the slice of a result."""
    return certain(SliceFields.of(result).slice)
