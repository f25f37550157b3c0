"""What attacks that search achieve, entity by entity, and what they took."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.reporting import phrases
from abalo.reporting.adaptive import NOTES, TITLE, AdaptiveColumn, Said, columns, searches, sources
from abalo.reporting.markup import Column, definitions, estimate, heading, section, table, text
from abalo.reporting.selection import Json


def render(document: Json) -> str:
    """A row per attack that searches; empty for a run without one."""
    results = searches(document)
    if not results:
        return ""
    shown = columns(results)
    heads = [Column("Attack")]
    heads += [Column(heading(column.heading, column.meaning), numeric=True) for column in shown]
    rows = f'<div class="abalo-dense">{table(heads, [_row(result, shown) for result in results])}</div>'
    return section(TITLE, rows + definitions(NOTES) + definitions(sources(results)))


def _row(result: Json, shown: Sequence[AdaptiveColumn]) -> list[str]:
    return [text(phrases.scenario(result)), *(_cell(column.cell(result)) for column in shown)]


def _cell(found: Json | Said | None) -> str:
    if isinstance(found, Said):
        return text(found.main) + (f'<small class="abalo-range">{text(found.more)}</small>' if found.more else "")
    return estimate(found)
