"""Scores per entity type."""

from __future__ import annotations

from abalo.reporting import intervals, phrases
from abalo.reporting.intervals import Scale
from abalo.reporting.markup import Column, section, table, text
from abalo.reporting.panels.case import Case
from abalo.reporting.selection import Json

_WIDTH, _HEIGHT, _BAR = 220, 20, 10


def render(case: Case) -> str:
    """A row per type: precision, recall, F1, drop with its interval, drawn on one scale; empty without types."""
    rows = case.result["per_type"]
    if not rows:
        return ""
    limits = _limits(case)
    reach = [end for row in rows.values() for end in intervals.extent(row["f1_drop"])]
    scale = intervals.spanning([*reach, *limits.values()], 4, _WIDTH - 4)
    columns = [
        Column("Type"),
        Column("Gold entities", numeric=True),
        Column("Precision", numeric=True),
        Column("Recall", numeric=True),
        Column("F1", numeric=True),
    ]
    if not case.is_baseline:
        columns += [
            Column("F1 drop", numeric=True),
            Column(f"From {phrases.number(scale.low, 2)} to {phrases.number(scale.high, 2)}"),
        ]
    body = [_row(kind, row, case, scale, limits.get(kind)) for kind, row in sorted(rows.items())]
    return section("Per entity type", table(columns, body))


def _row(kind: str, row: Json, case: Case, scale: Scale, limit: float | None) -> list[str]:
    cells = [
        text(kind),
        f"{row['support']:,}",
        phrases.measured(row["precision"]),
        phrases.measured(row["recall"]),
        phrases.measured(row["f1"]),
    ]
    if case.is_baseline:
        return cells
    return [*cells, phrases.measured(row["f1_drop"]), _drawn(row["f1_drop"], scale, limit)]


def _drawn(drop: Json | None, scale: Scale, limit: float | None) -> str:
    middle = _HEIGHT / 2
    label = f"drop {phrases.measured(drop)}" + ("" if limit is None else f", bound {phrases.number(limit)}")
    return (
        f'<svg class="abalo-interval" width="{_WIDTH}" height="{_HEIGHT}" role="img"><title>{label}</title>'
        + intervals.baseline(scale, middle, _HEIGHT)
        + ("" if drop is None else intervals.bar(drop, scale, middle, _BAR))
        + ("" if limit is None else intervals.limit(limit, scale, middle, _HEIGHT - 2))
        + "</svg>"
    )


def _limits(case: Case) -> dict[str, float]:
    """The bounds on the drop of single types."""
    return {
        judged["type"]: judged["limit"]
        for judged in case.result["judgements"]
        if judged["bound"] == "max_f1_drop" and judged["type"]
    }
