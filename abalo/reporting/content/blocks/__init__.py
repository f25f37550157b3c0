"""Report blocks that belong to no task or probe, discovered one per module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from abalo.core.documents.blocks import Block
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.registry import Registry


def nothing(*_given: Document | Result) -> Sequence[Block]:
    """Returns no blocks."""
    return ()


@dataclass(frozen=True, slots=True)
class ReportBlock:
    """A part of every report.

    Attributes:
        summary: ``summary(document)`` returns blocks about the run.
        detail: ``detail(result, document)`` returns blocks about a case.
        brief: ``brief(document)`` returns blocks for the terminal.
        page: ``page(document)`` returns blocks for the reviewer's page; None uses ``summary``.
        order: Position; negative numbers precede the blocks of tasks and probes.
        leads: Whether it stands directly below the verdict.
    """

    name: str
    summary: Callable[[Document], Sequence[Block]] = nothing
    detail: Callable[[Result, Document], Sequence[Block]] = nothing
    brief: Callable[[Document], Sequence[Block]] = nothing
    page: Callable[[Document], Sequence[Block]] | None = None
    order: int = 0
    leads: bool = False

    def on_page(self, document: Document) -> Sequence[Block]:
        """Returns its blocks for the reviewer's page."""
        return (self.page or self.summary)(document)


blocks: Registry[ReportBlock] = Registry(
    "report block", "abalo.reporting.content.blocks", "BLOCK", group="abalo.blocks"
)
"""All report blocks by name."""


def ordered_blocks() -> list[ReportBlock]:
    """Returns all report blocks in page order."""
    return sorted(blocks().values(), key=lambda block: block.order)
