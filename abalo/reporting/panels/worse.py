"""Losses against the reference and bounds that failed, each with the sentences that show it most."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.blocks import Block, Text
from abalo.core.results import Json
from abalo.reporting import review
from abalo.reporting.blocks import ordered
from abalo.reporting.panels import Panel


def blocks(document: Json) -> Sequence[Block]:
    """The losses, then a section for each failed case, then a line for whatever else has no pass."""
    compared = [block for each in ordered() if each.leads for block in each.on_page(document)]
    found = [*compared, *review.failed(document), *review.to_look_into(document)]
    return found or ([Text(("No bound failed, and none is undecided.",))] if document["results"] else [])


PANEL = Panel("worse", "What got worse", blocks, order=-30, leads=True)
