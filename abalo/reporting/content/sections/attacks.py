"""Searches for edits that break the model, and targeted perturbations."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.documents.blocks import Block, Text, fold_block
from abalo.core.documents.document import Document
from abalo.core.documents.found import PerturbationFields
from abalo.core.protocols.results import by_task, of_corpus
from abalo.reporting.content.sections import Section, of_kind, under_task


def blocks(document: Document) -> Sequence[Block]:
    """Shows searches and targeted perturbations, the first block of each open."""
    found = [*_first([*of_kind(document, "attack")])]
    for task, results in by_task(document):
        if any(PerturbationFields.of(each).span_source is not None for each in results):
            found += _first([*under_task(task.report.blocks(of_corpus(results), document), task, document)])
    return found


def _first(blocks: Sequence[Block]) -> list[Block]:
    first = next((block for block in blocks if not _is_heading(block)), None)
    return [block if block is first or _is_heading(block) else fold_block(block) for block in blocks]


def _is_heading(block: Block) -> bool:
    return isinstance(block, Text) and block.role == "heading"


SECTION = Section("attacks", "Attacks", blocks, order=20)
