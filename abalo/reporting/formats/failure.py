"""What a failed test shows: its numbers, two examples, and the command that shows more."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from abalo.comparison.blocks import newly_broken
from abalo.comparison.document.loss_tests import LossTest
from abalo.core.documents.blocks import Block, Examples, Item, ShownExample, Text
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.results import deciding, judgement, outcome, probe_of, task_of
from abalo.core.records import words
from abalo.reporting.documents.document import assemble
from abalo.reporting.formats.files import reference_folder
from abalo.reporting.formats.terminal import WIDTH, render

_EXAMPLES = 2

_WIDTH = 2 * WIDTH


def failed_case(result: Result, reports: Path) -> str:
    """Returns the bounds that failed, the worst examples, and ``abalo show``, in lines.

    Without examples, such as those withheld by ``--abalo-no-text``, only the bounds.
    """
    said = [judgement(each, result) for each in deciding(result)]
    return _lines(said or [result.reason or outcome(result)], examples_of(result), [*_show(reports), result.id])


def failed_loss(test: LossTest, document: Document | None, reports: Path) -> str:
    """Returns the loss, newly broken examples, and ``abalo show``, in lines."""
    found = [] if document is None else [*newly_broken.of_loss(test, document)]
    if not found:
        return test.message
    several = newly_broken.covers_cases(test)
    blocks = [_newly(each, several=several) for each in found]
    if several:
        blocks = [_numbered(each, number) for number, each in enumerate(blocks, start=1)]
    label = None if test.loss is None or not several else test.loss.type
    chosen = [test.id] if not several else [] if label is None else ["--type", label]
    compared = None if document is None else document.comparison
    folder = None if compared is None else reference_folder(compared)
    against = [] if folder is None else ["--against", folder.as_posix()]
    return _lines(test.said, blocks, [*_show(reports), *chosen, "--newly-broken", *against])


def _newly(block: Examples, *, several: bool) -> Examples:
    """The newly broken examples with captions; with ``several`` cases, one example and the name of its case."""
    where = f": {block.title.partition(':')[0]}" if several else ""
    shown = block.examples[:1] if several else block.examples
    return replace(block, examples=tuple(_captioned(each, f"Newly broken{where}") for each in shown))


def _captioned(example: ShownExample, said: str) -> ShownExample:
    caption = example.caption
    if isinstance(caption, str):
        return example
    return replace(example, caption=replace(caption, text=f"{said} ({caption.text})"))


def _numbered(block: Examples, number: int) -> Examples:
    captions = [each.caption for each in block.examples]
    told = [replace(each, term=f"{number}.") if isinstance(each, Item) else each for each in captions]
    examples = (replace(each, caption=caption) for each, caption in zip(block.examples, told, strict=True))
    return replace(block, examples=tuple(examples))


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


def _show(reports: Path) -> list[str]:
    here = Path.cwd()
    return ["abalo", "show", str(reports.relative_to(here) if reports.is_relative_to(here) else reports)]
