"""The columns of a case in the table of pytest-html.

pytest-html 4.2 escapes no cell and sorts by text, so each cell is one line with a hidden sort key.
"""

from __future__ import annotations

from html import escape

from abalo.core.documents.blocks import Measured
from abalo.core.documents.found import Result
from abalo.core.protocols.results import (
    bounds,
    headline,
    is_floor,
    measured_number,
    metric_of,
    outcome,
    probe_of,
    task_of,
    verdict,
)
from abalo.core.records import words
from abalo.errors import visible

_NAMES = {"score": "Score", "headline": "Measured", "bound": "Bound", "verdict": words.VERDICT_ON_BOUND}

_VERDICTS = ("fail", "inconclusive", None, "pass")

RAREST = "rerun"
"""The pytest-html outcome that stands for Abalo's own."""

_LAST = "~"

_SHIFT = 5000
"""Makes keys positive; keys have six digits before and after the point."""


def text(value: object) -> str:
    """Escapes a value for HTML and attributes."""
    return escape(visible(value))


def header_cells() -> list[str]:
    """Returns the sortable headings."""
    return [f'<th class="sortable" data-column-type="abalo_{name}">{title}</th>' for name, title in _NAMES.items()]


def row_cells(result: Result | None) -> list[str]:
    """Returns a row's cells, empty if the test is not a case."""
    if result is None:
        return [_cell(name, _LAST, "") for name in _NAMES]
    floor, decided = task_of(result).floor, verdict(result)
    nothing = (_LAST, words.NOTHING)
    score = measured_number(result, floor)
    badge = f'<span class="abalo-badge abalo-{decided.verdict or "unjudged"}">{words.sign(decided.verdict)} '
    shown = {
        "score": (_key(result, floor, score), text(f"{metric_of(result, floor).words} {score}"))
        if probe_of(result).scored
        else nothing,
        "headline": nothing
        if is_floor(result)
        else (_key(result, result.headline, headline(result)), text(outcome(result))),
        "bound": (text(bounds(result)), text(bounds(result))),
        "verdict": (str(_VERDICTS.index(decided.verdict)), f"{badge}{text(decided.word)}</span>"),
    }
    return [_cell(name, *shown[name]) for name in _NAMES]


def status_cell(status: str) -> str:
    """Returns the result cell of a test that neither passed nor failed.

    pytest-html hides unknown outcomes, so the text is its rarest one and the style replaces it.
    """
    return f'<td class="col-result abalo-status" data-abalo="{text(status.capitalize())}">{RAREST.capitalize()}</td>'


def status_filter(status: str) -> tuple[str, str]:
    """Returns the filter of such tests, and the style that hides them."""
    name = f"abalo-{status.replace(',', '').replace(' ', '-')}"
    off = f'body:has(input[data-test-result="{name}"]:not(:checked))'
    return name, f'{off} tbody:has(> tr > .abalo-status[data-abalo="{text(status.capitalize())}"]) {{ display: none; }}'


def _cell(name: str, key: str, content: str) -> str:
    empty = " abalo-nothing" if content in ("", words.NOTHING) else ""
    return f'<td class="col-abalo_{name}{empty}"><span hidden>{key}</span>{content}</td>'


def _key(result: Result, name: str, number: Measured) -> str:
    if number.value is None:
        return _LAST
    return f"{text(metric_of(result, name).words)} {number.value + _SHIFT:013.6f}"
