"""What targeted attacks break, whole entities and single words, and how sure the model still is of them."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.reporting import phrases
from abalo.reporting.attacks import (
    ATTACK_COLUMNS,
    ATTACKS_TITLE,
    DROPS_NOTE,
    AttackRow,
    MetricColumn,
    attack_rows,
)
from abalo.reporting.markup import Column, definitions, estimate, heading, section, table, text
from abalo.reporting.selection import Json


def render(document: Json) -> str:
    """A row per attack and span source, below the clean corpus; empty for a run without attacks."""
    rows = attack_rows(document)
    if not rows:
        return ""
    return section(ATTACKS_TITLE, attack_table(ATTACK_COLUMNS, rows) + _notes(document, rows))


def attack_table(columns: Sequence[MetricColumn], rows: Sequence[AttackRow]) -> str:
    """The rows with every interval; the meaning of a metric is in the tip of its heading."""
    heads = [Column("Attack"), Column("Spans")]
    heads += [Column(heading(column.heading, phrases.meaning(column.metric)), numeric=True) for column in columns]
    body = [[text(row.attack), text(row.source), *map(estimate, row.values)] for row in rows]
    return f'<div class="abalo-dense">{table(heads, body)}</div>'


def _notes(document: Json, rows: Sequence[AttackRow]) -> str:
    """What the span sources mean, and how confidence was taken."""
    used = {row.source for row in rows}
    sources = {name: meaning for name, meaning in phrases.SOURCE_MEANINGS.items() if name in used}
    fitted = phrases.in_sample(document)
    return definitions(sources, DROPS_NOTE, *([text(fitted)] if fitted else []))
