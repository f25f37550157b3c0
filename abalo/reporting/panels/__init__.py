"""The panels of the page that a reviewer reads from the top: one module each, found by themselves.

A panel says what it shows in blocks, as everything in reports does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from abalo.core.blocks import Block
from abalo.core.probe import probes
from abalo.core.registry import Registry
from abalo.core.results import Json, by_probe, by_task


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the page under a ``title``: what ``blocks(document)`` says; without any it is left out.

    A title that depends on the run is a function of the document. ``order`` places the panel. One that ``leads`` stands
    above the filter of cases. Rows, bars and titles that name their case link to it, and rows and bars are hidden with
    it.
    """

    name: str
    title: str | Callable[[Json], str]
    blocks: Callable[[Json], Sequence[Block]]
    order: int
    leads: bool = False

    def heading(self, document: Json) -> str:
        """Its title in the page of this run."""
        return self.title if isinstance(self.title, str) else self.title(document)


panels: Registry[Panel] = Registry("panel", "abalo.reporting.panels", "PANEL", group="abalo.panels")
"""Every panel by name."""


def ordered() -> list[Panel]:
    """All panels in the order of the page."""
    return sorted(panels().values(), key=lambda panel: panel.order)


def of_kind(document: Json, probe: str) -> Iterator[Block]:
    """The blocks of a kind of case, task by task."""
    for _, results in by_task(document):
        for name, own in by_probe(results):
            if name == probe:
                yield from probes()[name].report.blocks(own, document)
