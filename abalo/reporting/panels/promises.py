"""Promises that one small edit changes no entity: how often they are broken, and the smallest edit found."""

from __future__ import annotations

from abalo.reporting import phrases
from abalo.reporting.markup import Column, badge, definitions, heading, section, table, text
from abalo.reporting.panels.case import Case
from abalo.reporting.promises import NOTES, TITLE, marks, promises, searched, shown
from abalo.reporting.selection import Json, is_promise


def render(document: Json) -> str:
    """A row per promise, and its counterexample below; empty for a run without one."""
    results = promises(document)
    if not results:
        return ""
    columns = [
        Column("Promise"),
        Column(heading("Broken, in a thousand", NOTES["broken"]), numeric=True),
        Column("Bound", numeric=True),
        Column("Sentences", numeric=True),
        Column(heading("Searched", NOTES["searched"]), numeric=True),
        Column("Verdict"),
    ]
    rows = [
        [
            text(result["promise"]["text"]),
            text(phrases.outcome(result)),
            text(phrases.bounds(result)),
            f"{result['promise']['sentences']:,}",
            text(searched(result)),
            badge(result["verdict"], phrases.verdict(result)),
        ]
        for result in results
    ]
    found = "".join(counterexample(result) for result in results)
    return section(TITLE, table(columns, rows) + found + definitions(NOTES))


def detail(case: Case) -> str:
    """The smallest edit that breaks the promise of a case; empty for any other case."""
    return section("Smallest counterexample", counterexample(case.result)) if is_promise(case.result) else ""


def counterexample(result: Json) -> str:
    """The smallest edit that breaks the promise; empty where none was found or text is withheld."""
    record = result["promise"]["counterexample"]
    if record is None:
        return ""
    before, after, loss = map(text, shown(record))
    opens, closes = marks(record)
    lines = [each.replace(opens, '<mark class="abalo-edited">').replace(closes, "</mark>") for each in (before, after)]
    return (
        f'<div class="abalo-example"><p class="abalo-caption"><b>{text(result["promise"]["text"])}</b> {loss}</p>'
        f'<p class="abalo-sentence"><b class="abalo-which">before</b>{lines[0]}</p>'
        f'<p class="abalo-sentence"><b class="abalo-which">after</b>{lines[1]}</p></div>'
    )
