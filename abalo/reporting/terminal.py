"""The document as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from abalo.core import words
from abalo.core.blocks import Block, Examples, Item, Text, Verdict
from abalo.core.results import Json
from abalo.errors import visible_lines
from abalo.reporting import plain, run

_COLOURS = {"pass": "green", "fail": "red", "inconclusive": "yellow", "incomplete": "red"}


_INDENT = "    "

WIDTH = 120
"""Characters of a line about a case that passes, and of a sentence, unless all is asked for."""


def lines(document: Json, *, full: bool = False) -> Iterator[tuple[str, str | None]]:
    """Lines with their colours: notices, one line per case with what it found, cases that were not run, the verdict.

    ``full`` lines are as long as it takes; of sentences they show `words.QUOTED` characters around an edit.
    """
    width = None if full else WIDTH
    for block in run.brief(document, width):
        yield from rendered(block, width)


def rendered(block: Block, width: int | None = None) -> Iterator[tuple[str, str | None]]:
    """The lines of a block; tables and charts are for pages. Sentences longer than ``width`` are cut around an edit."""
    if isinstance(block, Examples):
        for example in (plain.around(each, words.QUOTED) for each in block.examples):
            caption = example.caption
            said = caption if isinstance(caption, str) else f"{caption.term} {caption.text}"
            sentences = plain.lines(example)
            at, column = plain.edited_at(sentences), max((7, *(len(which) for which, _ in sentences))) + 1
            room = None if width is None else width - len(_INDENT) - column
            found = [said, *(f"{which:<{column}}{plain.cut(text, room, at)}" for which, text in sentences)]
            yield from ((f"{_INDENT}{visible_lines(line)}", None) for line in found)
    elif isinstance(block, Text):
        for line in block.lines:
            decided = block.verdict or (line.verdict if isinstance(line, Item) else None)
            yield visible_lines(_line(line, decided, block)), _colour(decided, block)


def _line(line: str | Item, decided: Verdict | None, block: Text) -> str:
    if block.role == "verdict" and decided is not None:
        return f"{decided.word}: {plain.said(line)}"
    if isinstance(line, str):
        return line
    word = [] if decided is None else [decided.word.upper() + (f": {decided.note}" if decided.note else "")]
    return "  ".join([line.term, line.text, *word])


def _colour(decided: Verdict | None, block: Text) -> str | None:
    if decided is not None:
        return _COLOURS.get(decided.verdict or "")
    return "yellow" if block.role == "notice" else None
