"""Blocks as terminal text; colours only repeat what words and signs say."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TextIO

from abalo.core.documents.blocks import (
    Block,
    Cell,
    Chart,
    Code,
    Column,
    Examples,
    Fold,
    Line,
    Mark,
    Measured,
    Noted,
    Piece,
    ShownExample,
    Table,
    Text,
    VerdictMark,
    heaviest,
)
from abalo.errors import inert, visible
from abalo.reporting.drawing import plain

_CODES = {"bold": 1, "dim": 2, "underlined": 4, "struck": 9, "red": 31, "green": 32, "yellow": 33, "magenta": 35}
"""SGR numbers of styles [ECMA-48, 8.3.117]."""

_VERDICTS: dict[str | None, tuple[str, ...]] = {"pass": ("green",), "fail": ("red",), "inconclusive": ("yellow",)}

_MARKS: dict[str, tuple[str, ...]] = {
    "found": ("green",),
    "lost": ("bold", "red"),
    "missed": ("red",),
    "predicted": ("magenta",),
    "edited": ("bold", "yellow"),
    "removed": ("struck", "dim"),
    "target": ("underlined",),
}

_INDENT = "  "


def in_colour(stream: TextIO) -> bool:
    """Returns True for a terminal with colours, unless NO_COLOR is set [no-color.org]."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def text(blocks: Iterable[Block], *, colour: bool = False) -> str:
    """Formats the blocks with open folds, and makes foreign control sequences visible."""
    parts = ("\n".join(_block(block, _Brush(colour))) for block in blocks)
    return inert("".join(f"{part}\n\n" for part in parts if part).removesuffix("\n"))


class _Brush:
    def __init__(self, on: bool) -> None:
        self._on = on

    def __call__(self, text: str, *styles: str) -> str:
        codes = ";".join(str(_CODES[style]) for style in dict.fromkeys(styles))
        return f"\x1b[{codes}m{text}\x1b[0m" if self._on and codes and text else text


def _block(block: Block, brush: _Brush) -> Iterator[str]:
    if isinstance(block, Text):
        yield from _text(block, brush)
    elif isinstance(block, Examples):
        yield from _examples(block, brush)
    elif isinstance(block, Fold):
        yield from _title(block.title, brush)
        for each in block.blocks:
            yield from _block(each, brush)
    elif isinstance(block, Chart):
        if block.table is not None:
            yield from _table(replace(block.table, title=block.title, notes=block.notes), brush)
    elif not block.figure:
        yield from _table(block, brush)


# Text ----------------------------------------------------------------------------------------------------------------


def _text(block: Text, brush: _Brush) -> Iterator[str]:
    lines = block.lines[: block.most]
    if block.role == "verdict" and block.verdict is not None:
        styles = _VERDICTS.get(block.verdict.verdict, ())
        yield from (f"{_word(block.verdict, brush)}: {brush(_line_text(line), *styles)}" for line in lines)
        return
    yield from _title(block.title, brush, block.verdict)
    indent = _INDENT if block.title else ""
    for line in lines:
        decided = "" if isinstance(line, str) or line.verdict is None else f"{_word(line.verdict, brush)}  "
        yield f"{indent}{decided}{brush(_line_text(line), *(['yellow'] if block.role == 'notice' else []))}"
    if len(lines) < len(block.lines):
        yield f"{indent}… and {len(block.lines) - len(lines):,} more"


def _title(title: str, brush: _Brush, verdict: VerdictMark | None = None) -> Iterator[str]:
    if title or verdict is not None:
        word = "" if verdict is None else _word(verdict, brush)
        yield "  ".join(part for part in (brush(visible(title), "bold"), word) if part)


def _line_text(line: Line) -> str:
    return visible(plain.line_text(line))


def _word(verdict: VerdictMark, brush: _Brush) -> str:
    word = brush(visible(verdict.word).upper(), "bold", *_VERDICTS.get(verdict.verdict, ()))
    return f"{word}: {visible(verdict.note)}" if verdict.note else word


# Tables --------------------------------------------------------------------------------------------------------------


def _table(block: Table, brush: _Brush) -> Iterator[str]:
    yield from _title(block.title, brush, block.verdict)
    columns = [k for k, column in enumerate(block.columns) if not column.figure]
    rows = heaviest(block.rows, block.most)
    heads = [visible(block.columns[k].heading) for k in columns]
    cells = [[_cell(row.cells[k]) for k in columns] for row in rows]
    widths = [max(map(plain.columns, column)) for column in zip(heads, *cells, strict=True)]
    asked = [block.columns[k] for k in columns]
    if any(heads):
        yield _row([brush(_pad(*each), "bold") for each in zip(heads, widths, asked, strict=True)])
    for row, line in zip(rows, cells, strict=True):
        padded = [_pad(*each) for each in zip(line, widths, asked, strict=True)]
        styles = [_style(row.cells[k]) for k in columns]
        yield _row([brush(part, *style) for part, style in zip(padded, styles, strict=True)])
    if len(rows) < len(block.rows):
        yield f"… and {len(block.rows) - len(rows):,} more"
    yield from (_line_text(note) for note in block.notes)


def _cell(cell: Cell) -> str:
    match cell:
        case VerdictMark():
            return visible(" ".join(part for part in (cell.word.upper(), cell.note) if part))
        case Noted():
            return visible(f"{cell.text}, {cell.note}")
        case Code():
            return visible(cell.text)
        case Measured() | str():
            return visible(cell)
        case _:
            return visible(getattr(cell, "text", ""))


def _style(cell: Cell) -> Sequence[str]:
    return _VERDICTS.get(cell.verdict, ()) if isinstance(cell, VerdictMark) else ()


def _pad(cell: str, width: int, column: Column) -> str:
    space = " " * (width - plain.columns(cell))
    return f"{space}{cell}" if column.numeric else f"{cell}{space}"


def _row(cells: Sequence[str]) -> str:
    return _INDENT.join(cells).rstrip()


# Examples ------------------------------------------------------------------------------------------------------------


def _examples(block: Examples, brush: _Brush) -> Iterator[str]:
    yield from _title(block.title, brush)
    if block.legend:
        marks = (
            f"{_piece(mark, (), plain.SIGNS, plain.OUTER, brush)} {visible(meaning)}" for mark, meaning in block.legend
        )
        yield _INDENT + "; ".join(marks)
    for example in block.examples:
        yield from _example(plain.around(example, plain.WHOLE), brush)


def _example(example: ShownExample, brush: _Brush) -> Iterator[str]:
    signs, caption = plain.signs(example), example.caption
    yield _INDENT + brush(visible(caption if isinstance(caption, str) else f"{caption.term} {caption.text}"), "bold")
    width = max(len(sentence.which) for sentence in example.sentences)
    for sentence in example.sentences:
        pieces = " ".join(_piece(piece, (), signs, plain.OUTER, brush) for piece in sentence.pieces)
        yield f"{_INDENT * 2}{visible(sentence.which):<{width}}  {pieces}"


def _piece(piece: Piece, styles: tuple[str, ...], signs: tuple[str, str], brackets: str, brush: _Brush) -> str:
    if not isinstance(piece, Mark):
        return brush(visible(piece), *styles)
    own = (*styles, *_MARKS[piece.kind])
    inner = plain.INNER if piece.label else brackets
    inside = " ".join(_piece(part, own, signs, inner, brush) for part in piece.parts)
    if piece.kind == "edited":
        return f"{brush(signs[0], *own)}{inside}{brush(signs[1], *own)}"
    if piece.label:
        return f"{brush(brackets[0], *own)}{inside} {brush(visible(piece.label) + brackets[1], *own)}"
    return inside
