"""Parts of the corpus by themselves: how much worse the model is there than elsewhere."""

from __future__ import annotations

from abalo.reporting import intervals, phrases
from abalo.reporting.markup import Column, badge, definitions, estimate, heading, section, table, text
from abalo.reporting.selection import Json
from abalo.reporting.slices import COLUMNS, NOTES, TITLE, size, sliced


def render(document: Json) -> str:
    """A row per slice, its gap drawn on one scale with interval and bound; empty for a run without slices."""
    results = sliced(document)
    if not results:
        return ""
    gaps = [result["metrics"]["f1_gap"] for result in results]
    reach = [end for gap in gaps for end in intervals.extent(gap)]
    scale = intervals.spanning([*reach, *map(_limit, results)], *intervals.IN_CELL)
    drawn = Column(f"From {phrases.number(scale.low, 2)} to {phrases.number(scale.high, 2)}")
    columns = [Column(_headed(name), numeric=name in ("Sentences", "F1", "F1 of the rest", "Gap")) for name in COLUMNS]
    columns.insert(-2, drawn)
    rows = [
        [
            text(phrases.scenario(result)),
            text(result["slice"]["text"]),
            size(result),
            estimate(result["metrics"]["f1"]),
            estimate(result["slice"]["rest"]["f1"]),
            estimate(gap),
            intervals.in_cell(gap, scale, _limit(result), text(f"gap {phrases.measured(gap)}")),
            text(phrases.bounds(result)),
            badge(result["verdict"], phrases.verdict(result)),
        ]
        for result, gap in zip(results, gaps, strict=True)
    ]
    return section(TITLE, f'<div class="abalo-dense">{table(columns, rows)}</div>' + definitions(NOTES))


def _headed(name: str) -> str:
    return heading(name, NOTES[name]) if name in NOTES else text(name)


def _limit(result: Json) -> float | None:
    """The overall bound on the gap; None where there is none."""
    found = (result["bound"] or {}).get("max_f1_gap")
    value: float | None = found.get("overall") if isinstance(found, dict) else found
    return value
