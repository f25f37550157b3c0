"""Scores per entity type."""

from __future__ import annotations

from typing import TypeVar

from abalo.reporting import intervals, phrases
from abalo.reporting.markup import Column, section, table, text
from abalo.reporting.panels.case import Case
from abalo.reporting.selection import Json, headline_metric, is_promise, is_search

T = TypeVar("T")

_SCORES = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
_OF_SEARCHES = {
    "missed_entity_rate": "of which missed",
    "type_error_rate": "of which type error",
    "partial_success_rate": "Partial success",
}
"""Columns by metric, before the headline number, or after what they are a part of."""


def render(case: Case) -> str:
    """A row per type: its scores, and the headline number with its interval drawn on one scale; empty without types
    and for a promise, which is about sentences.

    How much stands behind a row is its gold entities; for an attack that searches, the sentences with such a target.
    """
    rows = case.result["per_type"]
    if not rows or is_promise(case.result):
        return ""
    limits, headline = _limits(case), headline_metric(case.result)
    reach = [end for row in rows.values() for end in intervals.extent(row.get(headline))]
    scale = intervals.spanning([*reach, *limits.values()], *intervals.IN_CELL)
    named = phrases.metric(headline)
    drawn = [
        Column(phrases.sentence_case(named), numeric=True),
        Column(f"From {phrases.number(scale.low, 2)} to {phrases.number(scale.high, 2)}"),
    ]
    search = is_search(case.result)
    scores, counted = (_OF_SEARCHES, "Sentences") if search else (_SCORES, "Gold entities")
    beside = [Column(title, numeric=True) for title in scores.values()]
    columns, body = [Column("Type"), Column(counted, numeric=True), *_ordered(case, beside, drawn)], []
    for kind, row in sorted(rows.items()):
        found, limit = row.get(headline), limits.get(kind)
        measured = [phrases.measured(row.get(name)) for name in scores]
        shown = [
            phrases.measured(found),
            intervals.in_cell(found, scale, limit, _label(named, found, limit)),
        ]
        count = (found or {}).get("n", 0) if search else row["support"]
        body.append([text(kind), f"{count:,}", *_ordered(case, measured, shown)])
    return section("Per entity type", table(columns, body))


def _ordered(case: Case, scores: list[T], headline: list[T]) -> list[T]:
    """The scores and what stands for the headline number, which the baseline does not have."""
    if case.is_baseline:
        return scores
    return [*headline, *scores] if is_search(case.result) else [*scores, *headline]


def _label(name: str, found: Json | None, limit: float | None) -> str:
    return f"{name} {phrases.measured(found)}" + ("" if limit is None else f", bound {phrases.number(limit)}")


def _limits(case: Case) -> dict[str, float]:
    """The bounds on the headline number of single types."""
    return {
        judged["type"]: judged["limit"]
        for judged in case.result["judgements"]
        if judged["bound"] == f"max_{headline_metric(case.result)}" and judged["type"]
    }
