"""Parts of the corpus on which the model is worse than on the rest."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.blocks import Block
from abalo.core.results import Json
from abalo.reporting.panels import Panel, of_kind


def blocks(document: Json) -> Sequence[Block]:
    """The slices of each task."""
    return [*of_kind(document, "slice")]


PANEL = Panel("slices", "Slices", blocks, order=10)
