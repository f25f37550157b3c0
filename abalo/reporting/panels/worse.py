"""Losses against the reference and bounds that failed, each with the sentences that show it most, and doubts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from abalo.core import words
from abalo.core.blocks import Block, Table, Text
from abalo.core.results import Json, cases
from abalo.reporting import review, run
from abalo.reporting.blocks import look, ordered
from abalo.reporting.loss_tests import loss_tests
from abalo.reporting.panels import Panel


def blocks(document: Json) -> Sequence[Block]:
    """The losses, then a section for each failed case, then a line for whatever else has no pass."""
    compared = [block for each in ordered() if each.leads for block in each.on_page(document)]
    heading = title(document)
    found = [
        replace(block, title="") if isinstance(block, Table) and block.title == heading else block
        for block in (*compared, *review.failed(document), *review.to_look_into(document))
    ]
    return found or ([Text(("No bound failed, and none is undecided.",))] if document["results"] else [])


def title(document: Json) -> str:
    """The title by what there is: losses, failures, cases without a result, doubts; such as ``What failed``."""
    compared = document.get("comparison")
    losses = loss_tests(compared)
    verdicts = [result["verdict"] for result in cases(document)]
    verdicts += [line.verdict.verdict for line in run.clean(document) if line.verdict]
    regressed = any(test.outcome in ("failed", "fail, not blocking") for test in losses)
    undecided = not regressed and compared is not None and compared["state"] in ("can't tell", "not comparable")
    found = {
        "what got worse": regressed,
        "what failed": "fail" in verdicts or any(run.still_broken(document)),
        "what did not run": any(run.without_result(document)),
        "what costs most": look.is_look(document),
        "what cannot be told": undecided or "inconclusive" in verdicts,
    }
    *parts, last = [name for name, there in found.items() if there] or [
        "nothing got worse" if losses else "nothing failed"
    ]
    return words.sentence_case(f"{', '.join(parts)} and {last}" if parts else last)


PANEL = Panel("worse", title, blocks, order=-30, leads=True)
