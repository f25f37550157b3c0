"""HTML from strings: everything that is not our own wording goes through `text`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from abalo.errors import visible
from abalo.reporting import phrases
from abalo.reporting.selection import Json


def text(value: object) -> str:
    """The value on one line, meaning nothing but itself in HTML, in attributes too."""
    return escape(visible(value))


def badge(verdict: str | None, word: str) -> str:
    """A verdict as a sign and a word on its colour."""
    sign = phrases.SIGNS.get(verdict, "!")
    return f'<span class="abalo-badge abalo-{verdict or "unjudged"}">{sign} {text(word)}</span>'


def estimate(measured: Json | None) -> str:
    """A measured number for a crowded table: its interval stands small below it; a dash where it has no meaning."""
    if measured is None or measured["value"] is None:
        return phrases.NOTHING
    interval = phrases.interval(measured)
    return phrases.number(measured["value"]) + (f'<small class="abalo-range">{interval}</small>' if interval else "")


def heading(words: str, meaning: str) -> str:
    """The heading of a column, what it means in its tip."""
    return f'<span title="{text(meaning)}">{text(words)}</span>'


def definitions(meanings: Mapping[str, str], *more: str) -> str:
    """Small notes: every term in bold with what it means, then the lines that follow."""
    return bullets([*(f"<b>{text(term)}</b>: {text(said)}" for term, said in meanings.items()), *more], "abalo-notes")


def bullets(items: Iterable[str], kind: str = "abalo-list") -> str:
    """A list of HTML items; empty when there are none."""
    lines = "".join(f"<li>{item}</li>" for item in items)
    return f'<ul class="{kind}">{lines}</ul>' if lines else ""


def section(title: str, content: str) -> str:
    """A titled part of the page; empty when its content is."""
    return f'<div class="abalo-section"><h3>{title}</h3>{content}</div>' if content else ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its heading, as HTML, and whether it holds numbers, which stand on the right."""

    heading: str
    numeric: bool = False


def table(columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> str:
    """A table with one HTML string per cell; the first cell of a row is its heading."""
    kinds = [' class="abalo-number"' if column.numeric else "" for column in columns]
    head = "".join(f'<th scope="col"{kind}>{column.heading}</th>' for column, kind in zip(columns, kinds, strict=True))
    body = "".join(f"<tr>{_cells(row, kinds)}</tr>" for row in rows)
    return f'<div class="abalo-scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cells(row: Sequence[str], kinds: Sequence[str]) -> str:
    first, *rest = (f"{kind}>{cell}" for cell, kind in zip(row, kinds, strict=True))
    return f'<th scope="row"{first}</th>' + "".join(f"<td{cell}</td>" for cell in rest)
