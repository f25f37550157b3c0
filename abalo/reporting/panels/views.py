"""The same predictions, compared with gold in three ways."""

from __future__ import annotations

from abalo.reporting import phrases
from abalo.reporting.markup import Column, section, table, text
from abalo.reporting.panels.case import Case
from abalo.reporting.selection import Json, has_f1, is_slice, views_differ


def render(case: Case) -> str:
    """A row per view; one line where all views agree; empty for a case that was measured in one alone.

    Empty for attacks that search, for promises and for slices too, which are the same in every view.
    """
    if not case.siblings or not has_f1(case.result) or is_slice(case.result):
        return ""
    if not views_differ(case.result, case.siblings):
        names = ", ".join(text(view["view"]) for view in case.views)
        return section("Views", f"<p>All views ({names}) give the same F1.</p>")
    metrics = ("precision", "recall", "f1", "f1_drop")
    columns = [
        Column("View"),
        *(Column(phrases.metric(name).capitalize(), numeric=True) for name in metrics),
        Column("The prediction is compared"),
    ]
    return section("Views", table(columns, [_row(view, metrics) for view in case.views]))


def _row(view: Json, metrics: tuple[str, ...]) -> list[str]:
    bound = " <b>(bound)</b>" if view["bound"] is not None else ""
    return [
        text(view["view"]) + bound,
        *(phrases.measured(view["metrics"][name]) for name in metrics),
        text(phrases.VIEW_MEANINGS.get(view["view"], "")),
    ]
