"""Searches for edits that break the model, and targeted perturbations."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.blocks import Block, fold_block
from abalo.core.document import Document
from abalo.core.found import PerturbationFields
from abalo.core.results import by_task, of_corpus
from abalo.reporting.content.panels import Panel, of_kind


def blocks(document: Document) -> Sequence[Block]:
    """Shows searches and targeted perturbations, the first block of each open."""
    found = [*_first([*of_kind(document, "attack")])]
    for task, results in by_task(document):
        if any(PerturbationFields.of(each).span_source is not None for each in results):
            found += _first(task.report.blocks(of_corpus(results), document))
    return found


def _first(blocks: Sequence[Block]) -> list[Block]:
    return [block if number == 0 else fold_block(block) for number, block in enumerate(blocks)]


PANEL = Panel("attacks", "Attacks", blocks, order=20)
