"""What becomes of entities in the attacked sentence itself, where an attack has moved words."""

from __future__ import annotations

from abalo.reporting.attacks import STRUCTURE_COLUMNS, structure_rows
from abalo.reporting.markup import bullets, section
from abalo.reporting.panels.attacks import attack_table
from abalo.reporting.selection import Json

_NOTES = (
    "<b>retention</b>: of the entities found on the clean sentence, those still found",
    "<b>recovery</b>: of all gold entities, those found",
    "<b>unshifted</b>: looked for at their old places, where other words may stand now: what the ruler costs",
)


def render(document: Json) -> str:
    """A row per attack that moves words and span source, below the clean corpus; empty without such an attack."""
    rows = structure_rows(document)
    if not rows:
        return ""
    title = "Attacks that move words, in the structural view"
    return section(title, attack_table(STRUCTURE_COLUMNS, rows) + bullets(_NOTES, "abalo-notes"))
