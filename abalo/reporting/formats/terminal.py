"""The document as terminal lines."""

from __future__ import annotations

from collections.abc import Iterator

from abalo.core import words
from abalo.core.blocks import Block, Examples, Item, Text, VerdictMark
from abalo.core.document import Document
from abalo.errors import visible_lines
from abalo.reporting.content import run
from abalo.reporting.drawing import plain

_COLOURS = {"pass": "green", "fail": "red", "inconclusive": "yellow", "incomplete": "red"}


_INDENT = "    "

WIDTH = 120
"""Most characters of a sentence or a passed case, unless ``full``."""


def lines(document: Document, *, full: bool = False) -> Iterator[tuple[str, str | None]]:
    """Yields lines with colours; ``full`` lines are not cut."""
    width = None if full else WIDTH
    for block in run.brief(document, width):
        yield from render(block, width)


def render(block: Block, width: int | None = None) -> Iterator[tuple[str, str | None]]:
    """Yields a block's lines, without tables and charts; long sentences are cut."""
    if isinstance(block, Examples):
        for example in (plain.around(each, words.QUOTED) for each in block.examples):
            caption = example.caption
            said = caption if isinstance(caption, str) else f"{caption.term} {caption.text}"
            sentences = plain.lines(example)
            at, column = plain.edit_position(sentences), max((7, *(len(which) for which, _ in sentences))) + 1
            room = None if width is None else width - len(_INDENT) - column
            found = [said, *(f"{which:<{column}}{plain.cut(text, room, at)}" for which, text in sentences)]
            yield from ((f"{_INDENT}{visible_lines(line)}", None) for line in found)
    elif isinstance(block, Text):
        for line in block.lines:
            decided = block.verdict or (line.verdict if isinstance(line, Item) else None)
            yield visible_lines(_line(line, decided, block)), _colour(decided, block)


def _line(line: str | Item, decided: VerdictMark | None, block: Text) -> str:
    if block.role == "verdict" and decided is not None:
        return f"{decided.word}: {plain.line_text(line)}"
    if isinstance(line, str):
        return line
    word = [] if decided is None else [decided.word.upper() + (f": {decided.note}" if decided.note else "")]
    return "  ".join([line.term, line.text, *word])


def _colour(decided: VerdictMark | None, block: Text) -> str | None:
    if decided is not None:
        return _COLOURS.get(decided.verdict or "")
    return "yellow" if block.role == "notice" else None
