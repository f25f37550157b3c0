"""What becomes of entities in the attacked sentence itself, where an attack has moved words."""

from __future__ import annotations

from abalo.reporting.attacks import STRUCTURE_COLUMNS, STRUCTURE_NOTES, STRUCTURE_TITLE, structure_rows
from abalo.reporting.markup import definitions, section
from abalo.reporting.panels.attacks import attack_table
from abalo.reporting.selection import Json


def render(document: Json) -> str:
    """A row per attack that moves words and span source, below the clean corpus; empty without such an attack."""
    rows = structure_rows(document)
    if not rows:
        return ""
    return section(STRUCTURE_TITLE, attack_table(STRUCTURE_COLUMNS, rows) + definitions(STRUCTURE_NOTES))
