"""The columns that a case adds to the results table of pytest-html.

pytest-html 4.2 escapes no cell and sorts a column by the text of its cells, so every cell begins with a hidden key
that sorts as its number does. A cell stands on one line: the key is read with a pattern that ends there.
"""

from __future__ import annotations

from html import escape

from abalo.core import words
from abalo.core.blocks import Measured
from abalo.core.results import (
    Json,
    bounds,
    headline,
    is_floor,
    measured,
    metric_of,
    outcome,
    probe_of,
    task_of,
    verdict,
)
from abalo.errors import visible

_NAMES = {"score": "Score", "headline": "Measured", "bound": "Bound", "verdict": "Verdict on bound"}

_VERDICTS = ("fail", "inconclusive", None, "pass")
"""In the order in which the column sorts them."""

_LAST = "~"
"""Sorts after every number."""

_SHIFT = 5000
"""Added to numbers in keys, so that none is negative: they have six figures before and six after the point."""


def text(value: object) -> str:
    """The value on one line, meaning nothing but itself in HTML, in attributes too."""
    return escape(visible(value))


def header_cells() -> list[str]:
    """The headings, sortable."""
    return [f'<th class="sortable" data-column-type="abalo_{name}">{title}</th>' for name, title in _NAMES.items()]


def row_cells(result: Json | None) -> list[str]:
    """The cells of one row, as many as there are headings; empty ones for a test that is no case."""
    if result is None:
        return [_cell(name, _LAST, "") for name in _NAMES]
    floor, decided = task_of(result).floor, verdict(result)
    nothing = (_LAST, words.NOTHING)
    score = measured(result, floor)
    badge = f'<span class="abalo-badge abalo-{decided.verdict or "unjudged"}">{words.sign(decided.verdict)} '
    shown = {
        "score": (_key(result, floor, score), text(f"{metric_of(result, floor).words} {score}"))
        if probe_of(result).scored
        else nothing,
        "headline": nothing
        if is_floor(result)
        else (_key(result, result["headline"], headline(result)), text(outcome(result))),
        "bound": (text(bounds(result)), text(bounds(result))),
        "verdict": (str(_VERDICTS.index(decided.verdict)), f"{badge}{text(decided.word)}</span>"),
    }
    return [_cell(name, *shown[name]) for name in _NAMES]


def status_cell(status: str) -> str:
    """The result cell of a case that neither passed nor failed: "inconclusive" or "fail, not blocking".

    pytest-html filters rows by the text of this cell, and knows no words but its own, so ours comes from the style.
    """
    outcome = "Skipped" if status == "inconclusive" else "Passed"
    return f'<td class="col-result abalo-status" data-abalo="{text(status.capitalize())}">{outcome}</td>'


def _cell(name: str, key: str, content: str) -> str:
    empty = " abalo-nothing" if content in ("", words.NOTHING) else ""
    return f'<td class="col-abalo_{name}{empty}"><span hidden>{key}</span>{content}</td>'


def _key(result: Json, name: str, number: Measured) -> str:
    """Sorts as text by metric, and for each metric in the order of the value."""
    if number.value is None:
        return _LAST
    return f"{text(metric_of(result, name).words)} {number.value + _SHIFT:013.6f}"
