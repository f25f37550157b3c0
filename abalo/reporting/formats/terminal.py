"""The document as terminal lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from textwrap import wrap

from abalo.core.documents.blocks import Block, Examples, Item, Line, ShownExample, Text, VerdictMark, with_one_legend
from abalo.core.documents.document import Document
from abalo.core.records import words
from abalo.errors import visible_lines
from abalo.reporting.content import run
from abalo.reporting.drawing import plain

_COLOURS = {"pass": "green", "fail": "red", "inconclusive": "yellow", "incomplete": "red"}


_INDENT = "    "

WIDTH = 120
"""Most columns of a sentence or a passed case, unless ``full``."""


def lines(
    document: Document, *, full: bool = False, width: int = WIDTH, more: str = "report.html"
) -> Iterator[tuple[str, str | None]]:
    """Yields lines with colours; ``full`` leaves out no case and cuts no line.

    ``width`` is the number of columns, at most `WIDTH`, and ``more`` the place of the cases that are left out.
    """
    asked = None if full else min(width, WIDTH)
    for block in with_one_legend(run.brief(document, asked, more)):
        yield from render(block, asked, more)


def render(block: Block, width: int | None = None, more: str = "-v") -> Iterator[tuple[str, str | None]]:
    """Yields a block's lines, without tables and charts.

    With a ``width``, long sentences and lists are cut; a labelled text with edits throughout is wrapped instead.
    ``more`` is the place of the lines that are left out.
    """
    if isinstance(block, Examples):
        marks = visible_lines(plain.legend_text(block.legend))
        yield from ((f"{_INDENT}{line}", None) for line in wrap(marks, (width or WIDTH) - len(_INDENT)))
        for each in block.examples:
            column = max((7, *(len(sentence.which) for sentence in each.sentences))) + 1
            room = words.QUOTED if width is None else width - len(_INDENT) - column
            letters = min(words.QUOTED, _letters(each, room))
            wrapped = width is not None and plain.is_edited_beyond(each, letters)
            example = plain.around(each, words.QUOTED if wrapped else letters)
            caption = example.caption
            said = caption if isinstance(caption, str) else f"{caption.term} {caption.text}"
            sentences, cut = plain.lines(example), None if width is None else room
            at = plain.edit_position(sentences)
            found = [said]
            for which, text in sentences:
                rows = wrap(text, room) if wrapped else [plain.cut(text, cut, at)]
                found += [f"{name:<{column}}{row}" for name, row in zip_longest([which], rows, fillvalue="")]
            yield from ((f"{_INDENT}{visible_lines(line)}", None) for line in found)
    elif isinstance(block, Text):
        shown = block.lines if width is None else block.lines[: block.most]
        aligned = _aligned(shown, width)
        for line in aligned:
            decided = block.verdict or (line.verdict if isinstance(line, Item) else None)
            said = _line(line, decided, block)
            rows = [said] if width is None or aligned is shown else _narrow(said, width)
            yield from ((visible_lines(row), _colour(decided, block)) for row in rows)
        if left := len(block.lines) - len(shown):
            yield f"{words.count(left, f'more {block.noun}')}: {more}", None


def _letters(example: ShownExample, room: int) -> int:
    """The letters of its widest sentence that fit between ellipses into columns."""
    wide = max((plain.columns(text) / max(1, len(text)) for _, text in plain.lines(example)), default=1.0)
    return int(room / max(1.0, wide)) - plain.DOTS


_LONGEST, _LONGEST_NAME = 80, 44
"""Columns beyond which a text or a name stands out, rather than moving all others."""


def _aligned(lines: Sequence[Line], width: int | None) -> Sequence[Line]:
    decided = [line for line in lines if isinstance(line, Item) and line.verdict is not None]
    if len(decided) < 2:
        return lines
    term = max((each for line in decided if (each := plain.columns(line.term)) <= _LONGEST_NAME), default=0)
    text = max((each for line in decided if (each := plain.columns(line.text)) <= _LONGEST), default=0)
    word = max(plain.columns(line.verdict.word) for line in decided if line.verdict)
    text = 0 if width is not None and term + text + word + 4 > width else text
    return [
        replace(line, term=plain.pad(line.term, term), text=plain.pad(line.text, text)) if line in decided else line
        for line in lines
    ]


def _narrow(said: str, width: int) -> list[str]:
    """A line that fits, or its name and below it the rest."""
    if plain.columns(said) <= width:
        return [said]
    name, _, rest = said.partition("  ")
    return [name, *wrap(rest.strip(), width, initial_indent=_INDENT, subsequent_indent=_INDENT)]


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
