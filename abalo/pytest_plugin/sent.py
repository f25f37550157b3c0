"""What tests send to the process that writes reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from abalo.core.document import Regression
from abalo.core.example import JsonObject
from abalo.core.found import Result
from abalo.core.records import JsonRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent(JsonRecord):
    """What a test found; plain values under xdist."""

    id: str | None = None
    folder: str = ""
    expected: Sequence[str] = ()
    status: str | None = None
    facts: JsonObject | None = None
    clean: bytes = b""
    results: Sequence[Result] = ()
    evidence: bytes = b""
    records: Sequence[str] = ()
    clean_records: Mapping[str, list[str]] = field(default_factory=dict)
    regression: Regression | None = None
