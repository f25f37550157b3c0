"""Searches for edits that break the model, and perturbations that are aimed at chosen words."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.blocks import Block, folded
from abalo.core.results import Json, by_task, of_corpus
from abalo.reporting.panels import Panel, of_kind


def blocks(document: Json) -> Sequence[Block]:
    """The searches, then what each task that has aimed perturbations says of its results: the first part of each."""
    found = [*_first([*of_kind(document, "attack")])]
    for task, results in by_task(document):
        if any(each["span_source"] is not None for each in results):
            found += _first(task.report.blocks(of_corpus(results), document))
    return found


def _first(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, those after the first folded away."""
    return [block if number == 0 else folded(block) for number, block in enumerate(blocks)]


PANEL = Panel("attacks", "Attacks", blocks, order=20)
