"""HTML of blocks, for both pages; of pytest-html the opening, the sections and the detail of a case.

All are fragments without script, font or link, for pages that include `STYLE`. Details belong in
``pytest_html.extras.html``; the log turns lines that begin with E red.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Literal

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from abalo.core.documents.blocks import Bar, Bars, Block, Chart, Fold, Table, heaviest
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.records import words
from abalo.errors import visible
from abalo.reporting.content import case, run
from abalo.reporting.documents.standing import REGRESSED
from abalo.reporting.drawing import figures, plain
from abalo.reporting.drawing.lanes import anchor, lanes
from abalo.reporting.drawing.trees import draw_tree
from abalo.reporting.formats.assets import asset

PHONES = '<meta name="viewport" content="width=device-width, initial-scale=1">'
"""Lays out pages at a phone's own width."""

STYLE = f"{PHONES}<style>{asset('blocks.css')}{asset('pytest_html.css')}</style>"
"""All classes start with ``abalo-``."""

LOG = "abalo-log"

_VERDICT_MEANINGS = {
    "pass": "within its bound",
    "fail": "beyond its bound",
    "inconclusive": "undecided: too few examples, an interval that contains the bound, or a failure without correction",
    None: "without a bound",
}

_LOST = "regressed against the reference"


def _legend(bars: Sequence[Bar]) -> list[tuple[str | None, str]]:
    found = {bar.verdict.verdict for bar in bars if bar.verdict is not None}
    reds = [bar.verdict.word.startswith(REGRESSED) for bar in bars if bar.verdict and bar.verdict.verdict == "fail"]
    meanings = dict(_VERDICT_MEANINGS)
    if any(reds):
        meanings["fail"] = _LOST if all(reds) else f"{_LOST}, or {_VERDICT_MEANINGS['fail']}"
    return [(verdict, meaning) for verdict, meaning in meanings.items() if verdict in found]


def summary(document: Document) -> str:
    """Renders the opening, then the sections, which the style moves below the cases."""
    return opening(document) + sections(document)


def opening(document: Document) -> str:
    """Renders the run at a glance."""
    return render(run.opening(document), "summary")


def sections(document: Document) -> str:
    """Renders charts, task and probe blocks, and facts."""
    return render(run.sections(document), "sections")


def fold_log(log: str, lead: str = "") -> str:
    """Folds an escaped pytest log; ``lead`` stays visible."""
    shown = f'<p class="abalo-error">{lead}</p>' if lead else ""
    return f'{shown}<details class="{LOG}"><summary>Traceback and output of pytest</summary>{log}</details>'


def detail(result: Result, siblings: Sequence[Result], document: Document) -> str:
    """Renders a case; ``siblings`` are its results in other views."""
    return render(case.detail(result, siblings, document), "detail")


def render(
    blocks: Iterable[Block], part: str, later: Callable[[Fold], int] | None = None, level: Literal[2, 3] = 3
) -> str:
    """Renders an HTML fragment on one line.

    ``part`` is its class: "summary", "sections" or "detail" for pytest-html, else "part". ``later`` returns a number
    for each fold that a script draws on demand. ``level`` is that of titles of blocks: 2 below the title of a page.
    """
    template = environment().get_template("blocks.html")
    return template.render(blocks=list(blocks), part=part, later=later, level=level)


def styled(blocks: Iterable[Block]) -> str:
    """Renders an HTML fragment with the style that it needs, for a page of others, such as a notebook."""
    return f"<style>{asset('blocks.css')}</style>{render(blocks, 'summary')}"


@cache
def environment() -> Environment:
    """Returns the templates, which escape all values."""
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        finalize=_show,
        undefined=StrictUndefined,
    )
    environment.globals |= {
        "anchor": anchor,
        "around": lambda example: plain.around(example, plain.WHOLE),
        "count": words.count,
        "draw_tree": draw_tree,
        "figure": _figure,
        "heaviest": heaviest,
        "hidden_bars": lambda chart: sum(max(0, len(group.bars) - chart.most) for group in chart.groups),
        "in_cell": figures.in_cell,
        "kind_of": lambda value: type(value).__name__,
        "number": words.number,
        "scales_of": _scales,
        "sign": words.sign,
        "legend_of": _legend,
    }
    return environment


def _source(name: str) -> str:
    return re.sub(r"\n *", "", files("abalo.reporting.formats").joinpath("templates", name).read_text(encoding="utf-8"))


_INTERVAL = re.compile(r" \[(−?[\d.]+), (−?[\d.]+)\]")


def _show(value: object) -> object:
    """Makes text visible, and keeps each interval on one line with its number."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return _INTERVAL.sub("\u00a0[\\1,\u00a0\\2]", visible(value))


def _figure(chart: Chart) -> Markup:
    kept = tuple(replace(group, bars=heaviest(group.bars, chart.most)) for group in chart.groups)
    return _SHAPES[chart.shape](replace(chart, groups=kept))


_SHAPES: dict[str, Callable[[Chart], Markup]] = {**figures.SHAPES, "lanes": lanes}


def _scales(table: Table) -> list[tuple[float, float]]:
    cells = [[row.cells[k] for row in table.rows] for k in range(len(table.columns))]
    return [
        column.scale or figures.range_of(cell for cell in part if isinstance(cell, Bars))
        for column, part in zip(table.columns, cells, strict=True)
    ]
