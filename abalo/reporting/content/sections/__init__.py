"""The sections of the reviewer's page, discovered one per module."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from abalo.core.documents.blocks import Block, Text
from abalo.core.documents.document import Document
from abalo.core.protocols.probe import probes
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.results import by_probe, by_task
from abalo.core.protocols.task import Task


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of the reviewer's page.

    Rows, bars and titles that name their case link to it; the case filter hides rows and bars.

    Attributes:
        title: Text, or a function of the document.
        blocks: ``blocks(document)`` returns the content; an empty section is left out.
        order: Position on the page.
        leads: Whether it stands above the case filter.
    """

    name: str
    title: str | Callable[[Document], str]
    blocks: Callable[[Document], Sequence[Block]]
    order: int
    leads: bool = False

    def heading(self, document: Document) -> str:
        """Returns the title for this run."""
        return self.title if isinstance(self.title, str) else self.title(document)


sections: Registry[Section] = Registry("section", "abalo.reporting.content.sections", "SECTION", group="abalo.sections")
"""All sections by name."""


def ordered_sections() -> list[Section]:
    """Returns all sections in page order."""
    return sorted(sections().values(), key=lambda section: section.order)


def of_kind(document: Document, probe: str) -> Iterator[Block]:
    """Yields the blocks of a probe, task by task."""
    for task, results in by_task(document):
        for name, own in by_probe(results):
            if name == probe:
                yield from under_task(probes()[name].report.blocks(own, document), task, document)


def under_task(blocks: Sequence[Block], task: Task, document: Document) -> Iterator[Block]:
    """Yields the blocks below the name of their task, if the run has several."""
    if blocks and len(by_task(document)) > 1:
        yield Text((), task.title, role="heading")
    yield from blocks
