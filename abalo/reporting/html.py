"""The HTML report's own parts: the opening of the page, panels of numbers, and the detail of a case.

All are fragments for a page of pytest-html, or any other; `STYLE` goes into the page once. Nothing in them comes from
elsewhere or runs: no script, no font, no link. In pytest-html the detail belongs in an html extra of the report
(``pytest_html.extras.html``): the log is set in type-writer letters, and its lines that begin with an E turn red.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from abalo.core import words
from abalo.core.blocks import Bar, Bars, Block, Chart, Fold, Table, heaviest
from abalo.core.results import Json
from abalo.errors import visible
from abalo.reporting import case, figures, plain, run
from abalo.reporting.assets import asset
from abalo.reporting.lanes import anchor, lanes
from abalo.reporting.standing import REGRESSED

PHONES = '<meta name="viewport" content="width=device-width, initial-scale=1">'
"""Has phones lay the page out as wide as they are; it works wherever it stands in a page."""

STYLE = f"{PHONES}<style>{asset('blocks.css')}{asset('pytest_html.css')}</style>"
"""The style sheet; every class in it starts with ``abalo-``."""

LOG = "abalo-log"
"""The class of what is folded away around a traceback."""

_VERDICT_MEANINGS = {
    "pass": "within its bound",
    "fail": "beyond its bound",
    "inconclusive": "undecided: the interval holds the bound, or the correction leaves a doubt",
    None: "without a bound",
}
"""The legend of charts, by verdict."""

_QUOTED = 1000
"""How many characters of a sentence are shown around its first edit, at most."""

_LOST = "regressed against the reference"


def _legend(bars: Sequence[Bar]) -> list[tuple[str | None, str]]:
    """The verdicts that the bars have with their meanings, in one order; a red bar can have two."""
    found = {bar.verdict.verdict for bar in bars if bar.verdict is not None}
    reds = [bar.verdict.word.startswith(REGRESSED) for bar in bars if bar.verdict and bar.verdict.verdict == "fail"]
    meanings = dict(_VERDICT_MEANINGS)
    if any(reds):
        meanings["fail"] = _LOST if all(reds) else f"{_LOST}, or {_VERDICT_MEANINGS['fail']}"
    return [(verdict, meaning) for verdict, meaning in meanings.items() if verdict in found]


def summary(document: Json) -> str:
    """The opening of the page, then its panels, which the style puts below the table of cases."""
    return opening(document) + panels(document)


def opening(document: Json) -> str:
    """The run at a glance: verdict, model and corpus, what broke, what to read before trusting the numbers."""
    return rendered(run.opening(document), "summary")


def panels(document: Json) -> str:
    """Charts, what each task and kind of case adds, what was measured on."""
    return rendered(run.panels(document), "panels")


def folded(log: str, lead: str = "") -> str:
    """A log of pytest, already escaped, behind a line to click on; ``lead`` stays in sight."""
    shown = f'<p class="abalo-error">{lead}</p>' if lead else ""
    return f'{shown}<details class="{LOG}"><summary>Traceback and output of pytest</summary>{log}</details>'


def detail(result: Json, siblings: Sequence[Json], document: Json) -> str:
    """All about one case. ``siblings`` are the same case in the other views; of the document, its facts will do."""
    return rendered(case.detail(result, siblings, document), "detail")


def rendered(blocks: Iterable[Block], part: str, later: Callable[[Fold], int] | None = None) -> str:
    """The blocks as a fragment of HTML on one line; ``part`` names its class.

    It is the "summary", the "panels" or the "detail" of a page of pytest-html, or a "part" of another. ``later`` takes
    the folds that a script is to draw when they are opened, and gives each the number that the fragment has for it.
    """
    return environment().get_template("blocks.html").render(blocks=list(blocks), part=part, later=later)


@cache
def environment() -> Environment:
    """The templates, which escape whatever they are given and make it visible."""
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        finalize=_seen,
        undefined=StrictUndefined,
    )
    environment.globals |= {
        "anchor": anchor,
        "around": lambda example: plain.around(example, _QUOTED),
        "count": words.count,
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
    """A template without its line breaks and what is indented after them, so that pages are single lines."""
    return re.sub(r"\n *", "", files("abalo.reporting").joinpath("templates", name).read_text(encoding="utf-8"))


def _seen(value: object) -> object:
    """A value as the page shows it: text on one line, with whatever cannot be seen written out."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _figure(chart: Chart) -> Markup:
    kept = tuple(replace(group, bars=heaviest(group.bars, chart.most)) for group in chart.groups)
    return _SHAPES[chart.shape](replace(chart, groups=kept))


_SHAPES: dict[str, Callable[[Chart], Markup]] = {**figures.SHAPES, "lanes": lanes}


def _scales(table: Table) -> list[tuple[float, float]]:
    """For each column the scale of its bars; any for a column without."""
    cells = [[row.cells[k] for row in table.rows] for k in range(len(table.columns))]
    return [
        column.scale or figures.range_of(cell for cell in part if isinstance(cell, Bars))
        for column, part in zip(table.columns, cells, strict=True)
    ]
