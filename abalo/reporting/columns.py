"""The columns that a case adds to the results table of pytest-html.

pytest-html 4.2 escapes no cell and sorts a column by the text of its cells, so every cell begins with a hidden key
that sorts as its number does. A cell stands on one line: the key is read with a pattern that ends there.
"""

from __future__ import annotations

from abalo.reporting import phrases
from abalo.reporting.markup import badge, text
from abalo.reporting.selection import (
    Json,
    has_f1,
    headline_metric,
    is_about_questions,
    is_baseline,
    is_promise,
    is_search,
    is_slice,
    measured_value,
)

_NAMES = {
    "abalo_f1": "F1",
    "abalo_drop": "Drop, success, fragility, broken, gap",
    "abalo_bound": "Bound",
    "abalo_verdict": "Verdict",
}

_VERDICTS = ("fail", "inconclusive", None, "pass")
"""In the order in which the column sorts them."""

_SUCCESS = 2
"""Added to a success rate, so that these sort among themselves, after every drop."""

_FRAGILITY = 4
"""Added to the share of answers that change."""

_BROKEN = 5004
"""Added to edits in a thousand that break a promise, which come last: with it all have four digits, first a 5 or 6."""

_GAP = 7
"""Added to the F1 gap of a slice: they come behind all others."""

_LAST = "~"
"""Sorts after every number."""


def header_cells() -> list[str]:
    """The headings, sortable."""
    return [f'<th class="sortable" data-column-type="{name}">{title}</th>' for name, title in _NAMES.items()]


def row_cells(result: Json | None) -> list[str]:
    """The cells of one row, as many as there are headings; empty ones for a test that is no case."""
    if result is None:
        return [_cell(name, _LAST, "") for name in _NAMES]
    own_order = _SUCCESS if is_search(result) else _BROKEN if is_promise(result) else 0
    if is_about_questions(result):
        own_order = _FRAGILITY
    if is_slice(result):
        own_order = _GAP
    f1, headline = result["metrics"].get("f1"), result["metrics"].get(headline_metric(result))
    nothing = (_LAST, phrases.NOTHING)
    baseline = is_baseline(result)
    shown = {
        "abalo_f1": nothing if not has_f1(result) else (_key(f1), phrases.measured(f1)),
        "abalo_drop": nothing if baseline else (_key(headline, own_order), phrases.outcome(result)),
        "abalo_bound": (text(phrases.bounds(result)), text(phrases.bounds(result))),
        "abalo_verdict": (
            str(_VERDICTS.index(result["verdict"])),
            badge(result["verdict"], phrases.verdict(result)),
        ),
    }
    return [_cell(name, *shown[name]) for name in _NAMES]


def status_cell(status: str) -> str:
    """The result cell of a case that neither passed nor failed: "inconclusive" or "fail, not blocking".

    pytest-html filters rows by the text of this cell, and knows no words but its own, so ours comes from the style.
    """
    outcome = "Skipped" if status == "inconclusive" else "Passed"
    return f'<td class="col-result abalo-status" data-abalo="{text(status.capitalize())}">{outcome}</td>'


def _cell(name: str, key: str, content: str) -> str:
    return f'<td class="col-{name}"><span hidden>{key}</span>{content}</td>'


def _key(estimate: Json | None, offset: int = 0) -> str:
    """Digits that sort as text in the order of the value, within what the offset is for."""
    value = measured_value(estimate)
    return _LAST if value is None else f"{value + 1 + offset:.6f}"
