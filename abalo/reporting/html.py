"""The HTML report's own parts: a summary of the run, and the detail of a case.

Both are fragments for a page of pytest-html, or any other; `STYLE` goes into the page once. Nothing in them comes from
elsewhere or runs: no script, no font, no link. In pytest-html the detail belongs in an html extra of the report
(``pytest_html.extras.html``): what is put in the log is shown in type-writer letters, and lines there that begin with
an E turn red.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.resources import files

from abalo.reporting.panels import (
    achieved,
    adaptive,
    attacks,
    attention,
    chart,
    command,
    contrast,
    counts,
    crosscheck,
    distances,
    examples,
    facts,
    headline,
    heat,
    judgements,
    levels,
    metrics,
    promises,
    questions,
    slices,
    structure,
    types,
    views,
)
from abalo.reporting.panels.case import Case
from abalo.reporting.selection import Json

SUMMARY_PANELS: tuple[Callable[[Json], str], ...] = (
    headline.render,
    attention.render,
    chart.render,
    levels.render,
    adaptive.render,
    promises.render,
    slices.render,
    questions.render,
    attacks.render,
    structure.render,
    heat.render,
    crosscheck.render,
    facts.render,
)
"""What the summary shows, in this order; each takes the document and is empty where it has nothing to say."""

DETAIL_PANELS: tuple[Callable[[Case], str], ...] = (
    judgements.render,
    achieved.render,
    promises.detail,
    questions.detail,
    examples.render,
    distances.render,
    contrast.render,
    types.render,
    metrics.render,
    views.render,
    counts.render,
    command.render,
)
"""What the detail of a case shows, in this order; empty where it has nothing to say."""

STYLE = f"<style>{files('abalo.reporting').joinpath('style.css').read_text(encoding='utf-8')}</style>"
"""The style sheet; every class in it starts with ``abalo-``."""


def summary(document: Json) -> str:
    """The run at a glance: verdict, what broke, the drops as a chart, the attacks, what the numbers are about."""
    panels = "".join(render(document) for render in SUMMARY_PANELS)
    return f'<div class="abalo-report abalo-summary">{panels}</div>'


def detail(result: Json, siblings: Sequence[Json], document: Json) -> str:
    """All about one case. ``siblings`` are the same case in the other views; of the document, its facts will do."""
    case = Case(result, tuple(siblings), document)
    panels = "".join(render(case) for render in DETAIL_PANELS)
    return f'<div class="abalo-report abalo-detail">{panels}</div>'
