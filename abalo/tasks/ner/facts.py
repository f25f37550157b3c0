"""The fields of a result that only entities have."""

from __future__ import annotations

from dataclasses import dataclass

from abalo.core.documents.found import ResultFields
from abalo.core.records.json_records import Count, declared


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredFields(ResultFields):
    """What entities add to a result."""

    unscored: Count | None = declared(
        "Number of gold entity tokens without a score, because the model lacks the label; null for models without "
        "scores, absent for capabilities.",
        joins="sum",
        default=None,
    )
