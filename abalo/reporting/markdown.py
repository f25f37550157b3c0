"""robustness.md: the run on one page, for a pull request or a job summary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from abalo.core import words
from abalo.core.blocks import (
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
    Verdict,
    heaviest,
)
from abalo.core.results import Json
from abalo.errors import visible
from abalo.reporting import plain, review

SIZE_LIMIT = 60_000
"""Bytes. GitHub refuses comments above 65,536 characters; what is left is room for the comment around the page."""

_ROWS = (400, 200, 100, 60, 40, 25, 15, 8, 4, 1)
"""How many rows a table or a list may have: the first that keeps the page within its limit is used."""

_COLUMNS = 20
_NAME = 80
_SENTENCE = 400
_LINE = 4000
_COMMAND = 1000


def markdown(document: Json) -> str:
    """The page in GitHub Markdown, at most `SIZE_LIMIT` bytes of UTF-8; where rows were left out, it says how many."""
    pages = (rendered(review.page(document, rows), rows) for rows in _ROWS)
    return next(page for page in pages if len(page.encode("utf-8")) <= SIZE_LIMIT)


def rendered(blocks: Iterable[Block], rows: int) -> str:
    """The blocks, with at most so many rows in each table and lines in each list."""
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
            return [f"> **{_inline(plain.said(line))}**" for line in block.lines]
        case "verdict":
            decided = block.verdict or Verdict(None, "")
            return [f"# {words.sign(decided.verdict)} {_inline(decided.word)}: {_inline(plain.said(block.lines[0]))}"]
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
            left_out = _left_out(len(block.lines) - len(shown), block.noun).strip()
            return [_title(block.title, block.verdict), *lines, left_out]


def _caption(line: Line) -> str:
    return _inline(line) if isinstance(line, str) else f"**{_inline(line.term)}** {_inline(line.text)}"


def _details(title: str, inside: Iterable[str]) -> list[str]:
    """Parts that GitHub folds away."""
    return [f"<details><summary>{_inline(title)}</summary>", *inside, "</details>"]


def _examples(block: Examples, rows: int) -> list[str]:
    """A numbered item for each example that is open, with a line for each of its sentences."""
    shown = [plain.around(each, words.QUOTED) for each in block.examples[: min(rows, block.open)]]
    items = [
        "<br>".join([_caption(each.caption), *(f"*{_inline(which)}:* {_sentence(text)}" for which, text in said)])
        for each in shown
        for said in [plain.lines(each)]
    ]
    return [_title(block.title), "\n".join(f"- {item}" for item in items)]


def _title(title: str, verdict: Verdict | None = None) -> str:
    """The title with the sign of its verdict, and with the word where that says more."""
    if verdict is None or not title:
        return f"## {_inline(title)}" if title else ""
    more = "" if verdict.word == verdict.verdict else f": {_inline(verdict.word)}"
    return f"## {words.sign(verdict.verdict)} {_inline(title)}{more}"


def _item(line: Line) -> str:
    if isinstance(line, str):
        return _NUMBER.sub(r"\1\\\2", _inline(line))
    badge = f"{_verdict(line.verdict)} " if line.verdict else ""
    term = code(line.term) if line.code else f"**{escaped(line.term, _NAME)}**" if line.term else ""
    return _NUMBER.sub(r"\1\\\2", badge + ": ".join(part for part in (term, escaped(line.text, _LINE)) if part))


def _commands(block: Text, rows: int) -> list[str]:
    """Each command in a block of its own, which GitHub gives a copy button."""
    shown = block.lines[: min(rows, block.most or rows)]
    parts = []
    for line in shown:
        command, name = (line, "") if isinstance(line, str) else (line.text, f"**{escaped(line.term, _NAME)}**")
        parts += [name, _fenced(command)]
    return [*parts, _left_out(len(block.lines) - len(shown), block.noun).strip()]


def _bullets(lines: Sequence[str], total: int, noun: str) -> str:
    """The ``lines`` that are shown of ``total``."""
    return "\n".join(f"- {line}" for line in lines) + _left_out(total - len(lines), noun)


def _left_out(number: int, noun: str) -> str:
    if not number:
        return ""
    more = words.count(number, f"more {noun}")
    return f"\n\n*{more} left out here; robustness.json has {'it' if number == 1 else 'them'}.*"


# Tables --------------------------------------------------------------------------------------------------------------


def _table(block: Table, rows: int) -> list[str]:
    """Heading, table and notes; what was left out is counted below the table."""
    kept = heaviest(block.rows, min(rows, block.most or rows))
    shown = [column for column in block.columns if not column.figure]
    named = {id(column) for column in (*block.columns[: block.keys], *heaviest(shown[block.keys :], _COLUMNS))}
    places = [k for k, column in enumerate(block.columns) if id(column) in named and not column.figure]
    columns = [block.columns[k] for k in places]
    lines = [
        [escaped(column.heading, _NAME) for column in columns],
        ["--:" if column.numeric else "---" for column in columns],
        *([_cell(row.cells[k], block.columns[k], block.dense) for k in places] for row in kept),
    ]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    table += _left_out(len(block.rows) - len(kept), block.noun)
    table += _left_out(len(shown) - len(columns), block.column_noun)
    notes = [_inline(plain.said(note)) for note in block.notes]
    return [_title(block.title), table, _bullets(notes, len(notes), "")]


def _cell(cell: Cell, column: Column, dense: bool) -> str:
    match cell:
        case Measured():
            return str(cell) if column.wide or not dense else cell.number
        case Verdict():
            return " ".join([_verdict(cell), _inline(cell.note)]).rstrip()
        case Noted():
            return escaped(f"{cell.text}, {cell.note}", _NAME)
        case Code():
            return code(cell.text)
        case str():
            return _inline(cell)
        case _:
            return ""


def _verdict(found: Verdict) -> str:
    word = escaped(found.word, _NAME)
    return f"{words.sign(found.verdict)} {f'**{word}**' if found.verdict == 'fail' else word}"


def table(*rows: str) -> str:
    """Rows with `` | `` between their cells as a table; the second says how columns are aligned."""
    return "\n".join(f"| {row} |" for row in rows)


# Escaping ------------------------------------------------------------------------------------------------------------


def _fenced(command: str) -> str:
    line = visible(command)
    if len(line) > _COMMAND:
        return "The command is too long for this page; robustness.json has it."
    fence = "`" * max(3, _longest_run_of_backticks(line) + 1)
    return f"{fence}sh\n{line}\n{fence}"


def code(text: str) -> str:
    """The text, cut to a name's length, as inline code."""
    line = visible(words.shortened(text, 2 * _NAME))
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
"""The number that would begin a list in a line."""

_AS_ENTITY = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_BREAK = "\u2060"
"""Word joiner, unseen: between ``@`` and a name it keeps GitHub from notifying a stranger."""


def escaped(text: object, length: int) -> str:
    """The first ``length`` characters on one line, meaning nothing but themselves in GitHub Markdown and its tables."""
    return _ACTIVE.sub(_inert, visible(words.shortened(str(text), length)))


def _inline(text: str) -> str:
    return escaped(text, _SENTENCE)


def _sentence(text: str) -> str:
    return escaped(text, 2 * _SENTENCE)


def _inert(found: re.Match[str]) -> str:
    return _AS_ENTITY.get(found[0], f"\\{found[0]}" if found[0] else _BREAK)
