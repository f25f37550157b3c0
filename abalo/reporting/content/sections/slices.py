"""Parts of the corpus on which the model performs worse."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.documents.blocks import Block
from abalo.core.documents.document import Document
from abalo.reporting.content.sections import Section, of_kind


def blocks(document: Document) -> Sequence[Block]:
    """Shows the slices of each task."""
    return [*of_kind(document, "slice")]


SECTION = Section("slices", "Slices", blocks, order=10)
