"""Losses, failed bounds and doubts, with the sentences that show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from abalo.comparison.document.loss_tests import loss_tests
from abalo.core.documents.blocks import Block, Table, Text
from abalo.core.documents.document import Document
from abalo.core.protocols.results import cases
from abalo.core.records import words
from abalo.reporting.content import review, run
from abalo.reporting.content.blocks import look, ordered_blocks
from abalo.reporting.content.sections import Section


def blocks(document: Document) -> Sequence[Block]:
    """Shows losses, failed cases and everything else that did not pass."""
    compared = [block for each in ordered_blocks() if each.leads for block in each.on_page(document)]
    heading = title(document)
    found = [
        replace(block, title="") if isinstance(block, Table) and block.title == heading else block
        for block in (*compared, *review.failed_sections(document), *review.to_look_into(document))
    ]
    return found or ([Text(("No bound failed, and none is undecided.",))] if document.results else [])


def title(document: Document) -> str:
    """Names the content, such as ``What failed``."""
    compared = document.comparison
    losses = loss_tests(compared)
    verdicts: list[str | None] = [result.verdict for result in cases(document)]
    verdicts += [line.verdict.verdict for line in run.clean(document) if line.verdict]
    regressed = any(test.outcome in ("failed", "fail, not blocking") for test in losses)
    undecided = not regressed and compared is not None and compared.state in ("can't tell", "not comparable")
    found = {
        "what got worse": regressed,
        "what failed": "fail" in verdicts or any(run.still_broken(document)),
        "what did not run": any(run.without_result(document)),
        "what costs most": look.is_look(document),
        "what is undecided": undecided or "inconclusive" in verdicts,
    }
    *parts, last = [name for name, there in found.items() if there] or [
        "nothing got worse" if losses else "nothing failed"
    ]
    return words.sentence_case(f"{', '.join(parts)} and {last}" if parts else last)


SECTION = Section("worse", title, blocks, order=-30, leads=True)
