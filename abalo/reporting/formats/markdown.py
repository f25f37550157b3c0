"""robustness.md: the run on one page, for pull requests and job summaries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, partial

from abalo.core.documents.blocks import (
    Block,
    Cell,
    Chart,
    Code,
    Column,
    Examples,
    Fold,
    Line,
    Measured,
    Noted,
    Table,
    Text,
    VerdictMark,
    heaviest,
)
from abalo.core.documents.document import Document
from abalo.core.records import words
from abalo.errors import visible
from abalo.reporting.content import review
from abalo.reporting.drawing import plain
from abalo.reporting.formats.report_format import MARKDOWN_NAME, ReportFormat

SIZE_LIMIT = 60_000
"""Bytes; GitHub rejects comments above 65,536 characters."""

_ROWS = (400, 200, 100, 60, 40, 25, 15, 8, 4, 1)

_COLUMNS = 20
_NAME = 80
_SENTENCE = 400
_LINE = 4000
_COMMAND = 1000


def markdown(document: Document) -> str:
    """Returns GitHub Markdown of at most `SIZE_LIMIT` bytes, and counts omitted rows."""
    built = cache(partial(review.page, document))
    pages = (render(built(min(rows, review.IN_SHORT)), rows) for rows in _ROWS)
    return next(page for page in pages if len(page.encode("utf-8")) <= SIZE_LIMIT)


def render(blocks: Iterable[Block], rows: int) -> str:
    """Renders the blocks, with at most ``rows`` rows or lines each."""
    return "\n\n".join(part for block in blocks for part in _block(block, rows) if part) + "\n"


def _block(block: Block, rows: int) -> list[str]:
    if isinstance(block, Text):
        return _text(block, rows)
    if isinstance(block, Examples):
        return _examples(block, rows)
    if isinstance(block, Fold):
        inside = (part for each in block.blocks for part in _block(each, rows) if part)
        return _details(block.title, inside)
    if isinstance(block, Chart):
        return [] if block.table is None else _table(replace(block.table, title=block.title, notes=block.notes), rows)
    return [] if block.figure else _table(block, rows)


# Text ----------------------------------------------------------------------------------------------------------------


def _text(block: Text, rows: int) -> list[str]:
    match block.role:
        case "heading":
            return [f"# {_inline(block.title)}"]
        case "notice":
            return [f"> **{_inline(plain.line_text(line))}**" for line in block.lines]
        case "verdict":
            decided = block.verdict or VerdictMark(None, "")
            sign = f"{words.sign(decided.verdict)} " if decided.verdict else ""
            return [f"# {sign}{_inline(decided.word)}: {_inline(plain.line_text(block.lines[0]))}"]
        case "command":
            return [_title(block.title), *_commands(block, rows)]
        case "plain":
            return [_title(block.title), *(_item(line) for line in block.lines)]
        case _:
            shown = block.lines[: min(rows, block.most or rows)]
            open_to = len(shown) if block.open is None else block.open
            standing, folded = shown[:open_to], shown[open_to:]
            lines = [_bullets([_item(line) for line in standing], len(standing), "")]
            if folded:
                more = words.count(len(folded), f"more {block.noun}")
                lines += [*_details(more, ["\n".join(f"- {_item(line)}" for line in folded)])]
            left_out = _left_out_note(len(block.lines) - len(shown), block.noun).strip()
            return [_title(block.title, block.verdict), *lines, left_out]


def _caption(line: Line) -> str:
    return _inline(line) if isinstance(line, str) else f"**{_inline(line.term)}** {_inline(line.text)}"


def _details(title: str, inside: Iterable[str]) -> list[str]:
    return [f"<details><summary>{_inline(title)}</summary>", *inside, "</details>"]


def _examples(block: Examples, rows: int) -> list[str]:
    shown = [plain.around(each, words.QUOTED) for each in block.examples[: min(rows, block.open)]]
    items = [
        "<br>".join([_caption(each.caption), *(f"*{_inline(which)}:* {_sentence(text)}" for which, text in said)])
        for each in shown
        for said in [plain.lines(each)]
    ]
    marks = plain.legend_text(block.legend)
    legend = f"Marks: {_sentence(marks)}" if marks and items else ""
    return [_title(block.title), legend, "\n".join(f"- {item}" for item in items)]


def _title(title: str, verdict: VerdictMark | None = None) -> str:
    if verdict is None or not title:
        return f"## {_inline(title)}" if title else ""
    more = "" if verdict.word == verdict.verdict else f": {_inline(verdict.word)}"
    return f"## {words.sign(verdict.verdict)} {_inline(title)}{more}"


def _item(line: Line) -> str:
    if isinstance(line, str):
        return _NUMBER.sub(r"\1\\\2", _inline(line))
    badge = f"{_verdict(line.verdict)} " if line.verdict else ""
    term = code(line.term) if line.code else f"**{escape(line.term, _NAME)}**" if line.term else ""
    return _NUMBER.sub(r"\1\\\2", badge + ": ".join(part for part in (term, escape(line.text, _LINE)) if part))


def _commands(block: Text, rows: int) -> list[str]:
    """GitHub gives each block a copy button."""
    shown = block.lines[: min(rows, block.most or rows)]
    parts = []
    for line in shown:
        command, name = (line, "") if isinstance(line, str) else (line.text, f"**{escape(line.term, _NAME)}**")
        parts += [name, _fence(command)]
    return [*parts, _left_out_note(len(block.lines) - len(shown), block.noun).strip()]


def _bullets(lines: Sequence[str], total: int, noun: str) -> str:
    return "\n".join(f"- {line}" for line in lines) + _left_out_note(total - len(lines), noun)


def _left_out_note(number: int, noun: str) -> str:
    if not number:
        return ""
    more = words.count(number, f"more {noun}")
    return f"\n\n*{more} left out here; robustness.json has {'it' if number == 1 else 'them'}.*"


# Tables --------------------------------------------------------------------------------------------------------------


def _table(block: Table, rows: int) -> list[str]:
    kept = heaviest(block.rows, min(rows, block.most or rows))
    shown = [column for column in block.columns if not column.figure]
    named = {id(column) for column in (*block.columns[: block.keys], *heaviest(shown[block.keys :], _COLUMNS))}
    places = [k for k, column in enumerate(block.columns) if id(column) in named and not column.figure]
    columns = [block.columns[k] for k in places]
    lines = [
        [escape(column.heading, _NAME) for column in columns],
        ["--:" if column.numeric else "---" for column in columns],
        *([_cell(row.cells[k], block.columns[k], block.dense) for k in places] for row in kept),
    ]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    table += _left_out_note(len(block.rows) - len(kept), block.noun)
    table += _left_out_note(len(shown) - len(columns), block.column_noun)
    notes = [_inline(plain.line_text(note)) for note in block.notes]
    return [_title(block.title), table, _bullets(notes, len(notes), "")]


def _cell(cell: Cell, column: Column, dense: bool) -> str:
    match cell:
        case Measured():
            return str(cell) if column.wide or not dense else cell.number
        case VerdictMark():
            return " ".join([_verdict(cell), _inline(cell.note)]).rstrip()
        case Noted():
            return escape(f"{cell.text}, {cell.note}", _NAME)
        case Code():
            return code(cell.text)
        case str():
            return _inline(cell)
        case _:
            return ""


def _verdict(found: VerdictMark) -> str:
    word = escape(found.word, _NAME)
    return f"{words.sign(found.verdict)} {f'**{word}**' if found.verdict == 'fail' else word}"


def table(*rows: str) -> str:
    """Makes a table of rows with `` | `` between cells; the second sets alignment."""
    return "\n".join(f"| {row} |" for row in rows)


# Escaping ------------------------------------------------------------------------------------------------------------


def _fence(command: str) -> str:
    line = visible(command)
    if len(line) > _COMMAND:
        return "The command is too long for this page; robustness.json has it."
    fence = "`" * max(3, _longest_run_of_backticks(line) + 1)
    return f"{fence}sh\n{line}\n{fence}"


def code(text: str) -> str:
    """Formats text as inline code, cut to a name's length."""
    line = visible(words.shorten(text, 2 * _NAME))
    ticks = "`" * (_longest_run_of_backticks(line) + 1)
    padding = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{padding}{line}{padding}{ticks}"


def _longest_run_of_backticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


_ACTIVE = re.compile(
    r"[\\`*|~$]|<(?=[\w/!?])|&(?=[\w#])|\](?=[(\[:])|^[\[\-+=#>]"  # markup, HTML, links, what opens a block
    r"|(?<![^\W_])_|_(?![^\W_])"  # emphasis, but not the underscore inside a name
    r"|(?<=[@#])(?=\w)|(?<=://)|(?<=www)(?=\.)"  # mentions, issues, addresses
)
_NUMBER = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")

_AS_ENTITY = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_BREAK = "\u2060"
"""Word joiner; after ``@`` it keeps GitHub from notifying a stranger."""


def escape(text: object, length: int) -> str:
    """Escapes and shortens text for GitHub Markdown and its tables."""
    return _ACTIVE.sub(_inert, visible(words.shorten(str(text), length)))


def _inline(text: str) -> str:
    return escape(text, _SENTENCE)


def _sentence(text: str) -> str:
    return escape(text, 2 * _SENTENCE)


def _inert(found: re.Match[str]) -> str:
    return _AS_ENTITY.get(found[0], f"\\{found[0]}" if found[0] else _BREAK)


REPORT_FORMAT = ReportFormat("markdown", MARKDOWN_NAME, lambda document, _: markdown(document))
