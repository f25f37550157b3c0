"""What a failed test shows: its numbers, two examples, and the command that shows more."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from abalo.core import words
from abalo.core.blocks import Block, Examples, Item, ShownExample, Text
from abalo.core.document import Document
from abalo.core.found import Result
from abalo.core.results import deciding, judgement, outcome, probe_of, task_of
from abalo.reporting.content import newly_broken
from abalo.reporting.documents.document import assemble
from abalo.reporting.documents.loss_tests import LossTest
from abalo.reporting.formats.terminal import WIDTH, render

_EXAMPLES = 2

_WIDTH = 2 * WIDTH


def failed_case(result: Result, reports: Path) -> str:
    """Returns the bounds that failed, the worst examples, and ``abalo show``, in lines.

    Without examples, such as those withheld by ``--abalo-no-text``, only the bounds.
    """
    said = [judgement(each, result) for each in deciding(result)]
    return _lines(said or [result.reason or outcome(result)], examples_of(result), _show(reports, result.id))


def failed_loss(test: LossTest, document: Document | None, reports: Path) -> str:
    """Returns what was lost, newly broken examples, and ``abalo show``, in lines."""
    found = [] if document is None else [*newly_broken.of_case(test.id, document)]
    if not found:
        return test.message
    blocks = [replace(each, examples=tuple(map(_newly, each.examples))) for each in found]
    return _lines(test.said, blocks, [*_show(reports, test.id), "--newly-broken"])


def _newly(example: ShownExample) -> ShownExample:
    caption = example.caption
    if isinstance(caption, str):
        return example
    return replace(example, caption=replace(caption, text=f"Newly broken ({caption.text})"))


def examples_of(result: Result) -> Sequence[Block]:
    """The blocks with the worst examples of a result; empty without any."""
    document = assemble({}, (), (), (), complete=True)
    return probe_of(result).report.findings(result) or task_of(result).report.sentences(result, document)


def first_examples(blocks: Iterable[Block], most: int) -> Iterator[Examples | Text]:
    """Yields the examples, or the items of a list, without title and legend; at most ``most`` in all."""
    for block in blocks:
        if isinstance(block, Examples) and block.examples[:most]:
            yield replace(block, examples=block.examples[:most], title="", legend=())
            most -= len(block.examples[:most])
        elif isinstance(block, Text) and block.role == "list":
            items = tuple(line for line in block.lines if isinstance(line, Item))[:most]
            yield Text(tuple(replace(each, term=f"    {each.term}") for each in items), role="list")
            most -= len(items)


def _lines(said: Sequence[str], blocks: Iterable[Block], command: Sequence[str]) -> str:
    shown = _printed(first_examples(blocks, _EXAMPLES))
    return "\n".join([*said, *shown, *([f"see more: {shlex.join(command)}"] if shown else [])])


def _printed(blocks: Iterable[Examples | Text]) -> list[str]:
    return [words.shorten(line, _WIDTH) for line, _ in chain.from_iterable(render(block, _WIDTH) for block in blocks)]


def _show(reports: Path, case: str) -> list[str]:
    here = Path.cwd()
    return ["abalo", "show", str(reports.relative_to(here) if reports.is_relative_to(here) else reports), case]
