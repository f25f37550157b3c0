r"""robustness.tex: the tables of the run, to ``\input`` in a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from abalo.core.documents.blocks import (
    Block,
    Cell,
    Chart,
    Code,
    Column,
    Measured,
    Noted,
    Table,
    Text,
    VerdictMark,
    unfold_blocks,
)
from abalo.core.documents.document import Document
from abalo.errors import visible
from abalo.reporting.content import run
from abalo.reporting.drawing import plain

MADE_BY = "% Made by Abalo"
"""First line of Abalo's files."""

PREAMBLE = r"\usepackage[T1]{fontenc}\usepackage{booktabs}\usepackage{longtable}"

_PAGE = 11.6
"""Text width of an A4 article in centimetres."""

_GAP = 0.22
"""Centimetres."""

_NARROW, _SHORT, _WIDE = 1.8, 1.6, 3.4
"""Centimetres: narrowest text column, widest on one line, widest for a long word."""

_LINE = 7


@dataclass(frozen=True, slots=True)
class _Set:
    side: Literal["l", "r", "p"]
    width: float
    most: float
    heading: str
    cells: tuple[str, ...]


def latex(document: Document) -> str:
    """Returns longtables of the run, below verdict and notices, without text of the corpus.

    Works with pdfLaTeX, XeLaTeX and LuaLaTeX. Characters that T1 lacks become code points, ``[U+4E2D]``.
    """
    return render(run.tables(document))


def render(blocks: Iterable[Block]) -> str:
    """Renders verdict, notices, facts and tables; omits lists."""
    blocks = [*unfold_blocks(blocks)]
    texts = [block for block in blocks if isinstance(block, Text)]
    facts = [part for block in texts if block.role == "facts" for part in _facts(block)]
    parts = [f"{MADE_BY}; needs {PREAMBLE}"]
    for block in blocks:
        if isinstance(block, Text):
            parts += _text(block)
            continue
        parts, facts = [*parts, *facts], []
        if isinstance(block, Chart) and block.table is not None:
            parts += _tables(replace(block.table, title=block.title, notes=block.notes))
        elif isinstance(block, Table) and not block.figure:
            parts += _tables(block)
    parts += facts
    return "\n\n".join(parts) + "\n"


def _text(block: Text) -> Iterator[str]:
    if block.role == "notice":
        yield from (rf"\noindent\textbf{{{escape(plain.line_text(line))}}}" for line in block.lines)
    elif block.role == "verdict" and block.verdict is not None:
        yield rf"\noindent\textbf{{{escape(block.verdict.word)}}}: {escape(plain.line_text(block.lines[0]))}."
    elif block.role == "heading":
        yield rf"\subsection*{{{escape(block.title)}}}"


def _facts(block: Text) -> Iterator[str]:
    yield _small(f"{escape(plain.line_text(line))}." for line in block.lines)


def _small(lines: Iterable[str]) -> str:
    return "\n".join([r"\noindent{\footnotesize", *lines, r"\par}"])


# Tables --------------------------------------------------------------------------------------------------------------


def _tables(block: Table) -> Iterator[str]:
    every = [_column(k, block) for k, column in enumerate(block.columns) if not column.figure]
    keys, rest = every[: block.keys], every[block.keys :]
    name = "-".join(re.findall("[a-z0-9]+", block.title.lower()))
    for number, part in enumerate(_parts(keys, rest), start=1):
        label, more = (name, "") if number == 1 else (f"{name}-{number}", ", continued")
        yield _longtable(label, f"{block.title}{more}.", _widen([*keys, *part]), len(block.rows))
    if block.notes:
        yield _small(f"{escape(plain.line_text(note)).rstrip('.')}." for note in block.notes)


def _parts(keys: Sequence[_Set], columns: Sequence[_Set]) -> list[list[_Set]]:
    room = _PAGE - sum(key.width + _GAP for key in keys)
    fewest = len(_fill_lines(columns, room))
    narrower = (_fill_lines(columns, room * tenths / 20) for tenths in range(1, 21))
    return next(groups for groups in narrower if len(groups) == fewest)


def _fill_lines(columns: Sequence[_Set], room: float) -> list[list[_Set]]:
    groups: list[list[_Set]] = [[]]
    for column in columns:
        if groups[-1] and sum(each.width + _GAP for each in (*groups[-1], column)) > room:
            groups.append([])
        groups[-1].append(column)
    return groups


def _widen(columns: Sequence[_Set]) -> list[_Set]:
    left = _PAGE - sum(column.width + _GAP for column in columns)
    wanted = sum(column.most - column.width for column in columns if column.side == "p")
    share = min(1.0, max(0.0, left / wanted)) if wanted else 0.0
    return [
        replace(column, width=column.width + share * max(0.0, column.most - column.width))
        if column.side == "p"
        else column
        for column in columns
    ]


def _column(place: int, block: Table) -> _Set:
    column = block.columns[place]
    said = [_cell_text(row.cells[place], column, block.dense) for row in block.rows]
    widest = max(map(_width, said), default=0.0)
    cells = [_emphasise(row.cells[place], escape(text)) for row, text in zip(block.rows, said, strict=True)]
    if column.numeric and (widest <= _SHORT or not any(" " in text for text in said)):
        lines = _stack_heading(column.heading)
        stacked = r" \\ ".join(map(escape, lines))
        return _Set("r", max(widest, *map(_width, lines)), 0.0, rf"\shortstack[r]{{{stacked}}}", tuple(cells))
    headed = max((_width(word) for word in column.heading.split()), default=0.0)
    if widest <= _SHORT:
        return _Set("l", max(widest, _width(column.heading)), 0.0, escape(column.heading), tuple(cells))
    longest = max(_width(word) for text in said for word in re.split(r"(?<!,)\s|[/:_-]", text))
    width = min(_WIDE, max(headed, longest, min(_NARROW, widest)))
    cells = [rf"\raggedright {_break_lines(cell)}" for cell in cells]
    return _Set("p", width, max(width, widest), rf"\raggedright {escape(column.heading)}", tuple(cells))


def _emphasise(cell: Cell, content: str) -> str:
    return rf"\textbf{{{content}}}" if isinstance(cell, VerdictMark) and cell.verdict == "fail" else content


def _cell_text(cell: Cell, column: Column, dense: bool) -> str:
    match cell:
        case Measured():
            return str(cell) if column.wide or not dense else cell.number
        case VerdictMark():
            return f"{cell.word} {cell.note}".rstrip()
        case Noted():
            return f"{cell.text}, {cell.note}"
        case Code():
            return cell.text
        case str():
            return cell
        case _:
            return ""


def _break_lines(cell: str) -> str:
    joined = re.sub(r"\[(\S+), (\S+)\]", r"[\1,~\2]", cell.replace("$ ", "$~"))
    return re.sub(r"(?<=\w)(/|:|\\_)(?=\w)", r"\1\\allowbreak{}", joined)


def _width(text: str) -> float:
    narrow, wide = set("., []:;|!'ilj"), set("mw%→−≤≥±‰")
    return sum(0.09 if sign in narrow else 0.21 if sign.isupper() or sign in wide else 0.155 for sign in text)


def _stack_heading(heading: str) -> list[str]:
    lines: list[str] = []
    for word in heading.split():
        if lines and len(lines[-1]) + len(word) < _LINE:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]


def _longtable(name: str, caption: str, columns: Sequence[_Set], rows: int) -> str:
    r"""``\raggedright`` also keeps ``[`` and ``*`` from the end of a row."""
    heads = " & ".join(column.heading for column in columns)
    lines = [" & ".join(column.cells[row] for column in columns) + r" \tabularnewline" for row in range(rows)]
    return "\n".join(
        [
            r"{\footnotesize\setlength{\tabcolsep}{3pt}\renewcommand{\arraystretch}{1.15}",
            rf"\begin{{longtable}}{{{''.join(map(_spec, columns))}}}",
            rf"\caption{{{escape(caption)}}}\label{{tab:abalo-{name}}}\\",
            rf"\toprule {heads} \tabularnewline \midrule\endfirsthead",
            rf"\toprule {heads} \tabularnewline \midrule\endhead",
            r"\bottomrule\endfoot\bottomrule\endlastfoot",  # without a last foot, longtable may break without heads
            *lines,
            r"\end{longtable}}",
        ]
    )


def _spec(column: _Set) -> str:
    return f"p{{{column.width + 0.05:.1f}cm}}" if column.side == "p" else column.side


# Escaping ------------------------------------------------------------------------------------------------------------

_SIGNS = {
    **{sign: rf"\{sign}" for sign in "{}$&#%_"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "`": r"{\char96}",
    "−": "$-$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "→": r"$\to$",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "‰": r"\textperthousand{}",
    "ª": r"\textordfeminine{}",
    "º": r"\textordmasculine{}",
    "°": r"\textdegree{}",
    "§": r"\S{}",
    "«": r"\guillemotleft{}",
    "»": r"\guillemotright{}",
    "‘": r"\textquoteleft{}",
    "’": r"\textquoteright{}",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "\u00a0": "~",
}

_LATIN = frozenset(map(chr, range(0xC0, 0x17F))) - frozenset("×÷ĦħĸĿŀŉŦŧ")
"""Letters of the T1 encoding."""

_JOINED = frozenset("-',!?<>")
"""Signs that TeX may join into ligatures."""


def escape(text: object) -> str:
    """Escapes text for LaTeX, on one line."""
    line = visible(text)
    return "".join(
        _sign(char) + ("{}" if char in _JOINED and after in _JOINED | {"`"} else "")
        for char, after in pairwise(f"{line} ")
    )


def _sign(char: str) -> str:
    if char in _SIGNS:
        return _SIGNS[char]
    return char if (char.isascii() and char.isprintable()) or char in _LATIN else f"[U+{ord(char):04X}]"
