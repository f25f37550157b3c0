"""Parts of a report that belong to no task and no kind of case: one module each, found by themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from abalo.core.blocks import Block
from abalo.core.registry import Registry
from abalo.core.results import Json


def nothing(*_given: Json) -> Sequence[Block]:
    """No blocks."""
    return ()


@dataclass(frozen=True, slots=True)
class ReportBlock:
    """A part of every report: what ``summary(document)`` says of the run, and ``detail(result, document)`` of a case.

    ``page(document)`` is its part of the page for reviewers, the summary where it is None. ``brief(document)`` are its
    lines for the terminal. ``order`` places it: below 0 before what tasks and kinds of case
    say, else after it; a block that ``leads`` stands right below the verdict.
    """

    name: str
    summary: Callable[[Json], Sequence[Block]] = nothing
    detail: Callable[[Json, Json], Sequence[Block]] = nothing
    brief: Callable[[Json], Sequence[Block]] = nothing
    page: Callable[[Json], Sequence[Block]] | None = None
    order: int = 0
    leads: bool = False

    def on_page(self, document: Json) -> Sequence[Block]:
        """Its part of the page for reviewers."""
        return (self.page or self.summary)(document)


blocks: Registry[ReportBlock] = Registry("report block", "abalo.reporting.blocks", "BLOCK", group="abalo.blocks")
"""Every such part by name."""


def ordered() -> list[ReportBlock]:
    """All parts in the order of the page."""
    return sorted(blocks().values(), key=lambda block: block.order)
