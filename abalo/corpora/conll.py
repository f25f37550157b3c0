"""CoNLL column files: a token and its tag on each line, an empty line between sentences."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from abalo.core import words
from abalo.corpora.corpus import Corpus, Notes
from abalo.corpora.drafts import Draft
from abalo.corpora.encodings import is_unicode
from abalo.corpora.findings import WHOLE, Findings, shown
from abalo.corpora.schemes import looks_like_tag, stand_first
from abalo.errors import AbaloError
from abalo.files import write_bytes
from perturbations import Sentence

_CELL = re.compile(r"[^ \t]+")
_BREAKS_COLUMNS = re.compile(r"[ \t\r\n]")
DOCUMENT_START = "-DOCSTART-"
_COUNTS_TOLD = 3
_DOCUMENT_MARKS = (["#begin", "document"], ["#end", "document"])

Cells = list[str]
"""The columns of a line; none for a line that separates sentences."""


def parse_conll(text: str, findings: Findings) -> list[Draft]:
    r"""The sentences of a column file: the token in the first column, the tag in the last.

    The second of three or more columns may be parts of speech.

    Lines end in ``\n`` or ``\r\n``, whatever else Unicode takes for a line end. Columns are separated by spaces and
    tabs; by tabs alone where most lines that have a tab have no space, so that a token there may hold a space.
    ``-DOCSTART-`` lines end a sentence; the next one opens a document.

    ``# key = value`` and CoNLL-2012's ``#begin document``, ``#end document`` are comments, unless the line has as
    many columns as the file and ends in a tag: ``#`` and ``#hashtag`` are tokens too. ``#word`` that fits neither
    is a ragged line, for it may be a hashtag whose tag is missing.
    """
    lines = [line.rstrip(" \t") for line in text.replace("\r\n", "\n").split("\n")]
    refuse_carriage_returns(lines, findings)
    rows = _rows(lines)
    width = _width(rows, findings)
    drafts = []
    draft = Draft(kinds=[] if width > 2 else None)
    for number, cells in enumerate(rows if width else (), start=1):
        if not cells or cells[0] == DOCUMENT_START:
            if draft.tokens:
                drafts.append(draft)
                draft = Draft(kinds=[] if width > 2 else None)
            draft.opens |= bool(cells)
        elif cells[0][:1] == "#" and _is_comment(cells, width):
            continue
        elif (len(cells) == width and cells[0].strip()) or _can_be_mended(cells, width, number, findings):
            draft.tokens.append(cells[0])
            draft.tags.append(cells[-1])
            draft.places.append(number)
            if draft.kinds is not None:
                draft.kinds.append(cells[1])
    drafts += [draft] if draft.tokens else []
    first, last = {cell for each in drafts for cell in each.tokens}, {tag for each in drafts for tag in each.tags}
    if stand_first(first, last):
        findings.error(
            WHOLE, "the tags are in the first column; expected the token first and its tag last; change their order"
        )
        return []
    return drafts


def refuse_carriage_returns(lines: Sequence[str], findings: Findings) -> None:
    """A problem for each line with a carriage return in it, which may be several lines to another program."""
    for number, line in enumerate(lines, start=1):
        if "\r" in line:
            findings.error(
                number, r"a lone carriage return; expected lines that end in \n or \r\n; convert the line ends"
            )


def _rows(lines: Sequence[str]) -> list[Cells]:
    with_tab = [line for line in lines if "\t" in line]
    if 2 * sum(" " in line for line in with_tab) < len(with_tab):
        return [
            [cell.strip(" ") for cell in line.split("\t")] if "\t" in line else _CELL.findall(line) for line in lines
        ]
    return [_CELL.findall(line) for line in lines]


def _width(rows: Sequence[Cells], findings: Findings) -> int:
    """The number of columns that most lines with two or more have; 0 where nothing can be read."""
    counts = Counter(map(len, filter(_tells_width, rows)))
    singles = counts.pop(1, 0)
    if not counts:
        if singles:
            line = _first_line(rows, 1)
            findings.error(line, _one_column(rows[line - 1][0]))
        return 0
    width, share = counts.most_common(1)[0]
    if 2 * share <= counts.total() and not findings.lenient:
        first = {count: _first_line(rows, count) for count in sorted(counts)}
        findings.error(min(first.values()), _unknown_count(counts, first))
        return 0
    return width


def _tells_width(cells: Cells) -> bool:
    """Whether the line tells how many columns the file has: it is neither empty nor, by all signs, a comment."""
    return bool(cells) and cells[0] != DOCUMENT_START and (cells[0][:1] != "#" or looks_like_tag(cells[-1]))


def _first_line(rows: Sequence[Cells], width: int) -> int:
    return next(number for number, cells in enumerate(rows, start=1) if len(cells) == width and _tells_width(cells))


def _one_column(cell: str) -> str:
    sign = next((sign for sign in (",", ";", "|") if looks_like_tag(cell.rpartition(sign)[2])), None)
    remedy = "add the tags" if sign is None else f"put a tab in place of {sign!r}"
    return (
        "one column here and on every line; expected two or more, separated by spaces or tabs, the token first and "
        f"its tag last; {remedy}"
    )


def _unknown_count(counts: Counter[int], first: Mapping[int, int]) -> str:
    told = [f"{width} columns on {counts[width]:,} (first on line {line})" for width, line in first.items()]
    others = len(told) - _COUNTS_TOLD
    spread = ", ".join([*told[:_COUNTS_TOLD], *([f"and {words.count(others, 'other count')}"] if others > 0 else [])])
    return (
        f"unknown column count: lines differ, {spread}; expected one count on most lines, the token first and the "
        "tag last; correct the file, or take just these two columns of each line with --abalo-lenient"
    )


def _is_comment(cells: Cells, width: int) -> bool:
    """Whether a line that starts with ``#`` is a comment, not a token."""
    if len(cells) == width and looks_like_tag(cells[-1]):
        return False
    return cells[0][:2] == "# " or (cells[0] == "#" and len(cells) > 1) or cells[:2] in _DOCUMENT_MARKS


def _can_be_mended(cells: Cells, width: int, number: int, findings: Findings) -> bool:
    """Whether a line without a visible token, or of another width, gives a token and a tag all the same."""
    if not cells[0].strip():
        findings.mended(
            number,
            f"the token is {shown(cells[0])}, only white space; expected at least one visible character; "
            "remove the line, or have it dropped with --abalo-lenient",
        )
        return False
    if len(cells) == 1:
        note = "; a comment starts with '# '" if cells[0][0] == "#" else ""
        findings.error(number, f"{shown(cells[0])} has no tag; expected {width} columns, the tag last; add it{note}")
        return False
    findings.mended(
        number,
        f"{len(cells)} columns, {shown(' '.join(cells))}; expected {width} as on most lines; correct the line, or take "
        "its first column for the token and its last for the tag with --abalo-lenient",
    )
    return True


def write_conll(corpus: Corpus, path: str | Path, notes: Notes = ()) -> None:
    """``corpus`` as a column file, tabs between tokens, parts of speech if any, and BIO tags; `load` reads it back.

    ``notes``, if any, stand above each sentence as comments like those of CoNLL-U: ``# key = value``, the value in JSON
    unless it is a plain word.

    The file is there whole or not at all. Raises AbaloError for a sentence that columns cannot hold: an empty one, a
    token or tag with white space of ASCII in it, a ``-DOCSTART-``, spacing other than one space; and where the file
    cannot be written.
    """
    path = Path(path)
    if not corpus.sentences:
        raise AbaloError(f"{path}: {corpus.name} has no sentences to write")
    kinds = corpus.parts_of_speech or [None] * len(corpus.sentences)
    sentences = zip(corpus.sentences, kinds, notes or [{}] * len(corpus.sentences), strict=True)
    blocks = [
        "\n".join([*map(_comment, note.items()), *_lines(sentence, row, number, path)])
        for number, (sentence, row, note) in enumerate(sentences, start=1)
    ]
    text = "\n\n".join(blocks) + "\n"
    # A mark of its own in front keeps that of a first token: readers take one away.
    write_bytes(path, text.encode("utf-8-sig" if text.startswith("\ufeff") else "utf-8"))


def _comment(note: tuple[str, object]) -> str:
    key, value = note
    return f"# {key} = {value if isinstance(value, str) and _is_plain(value) else json.dumps(value)}"


def _is_plain(word: str) -> bool:
    """Whether a comment may end in the word as it is: one that ends in a tag could be taken for a token."""
    return word.isascii() and word.isprintable() and " " not in word and not looks_like_tag(word)


def _lines(sentence: Sentence, kinds: Sequence[str] | None, number: int, path: Path) -> Iterable[str]:
    assert sentence.tags is not None
    hindrance = _hindrance(sentence, (*sentence.tokens, *sentence.tags))
    if hindrance:
        raise AbaloError(
            f"{path}: sentence {number} {hindrance}, which CoNLL columns cannot hold; write JSON lines: a .jsonl file"
        )
    columns = [sentence.tokens, *([] if kinds is None else [kinds]), sentence.tags]
    return map("\t".join, zip(*columns, strict=True))


def _hindrance(sentence: Sentence, cells: Iterable[str]) -> str:
    """Why the sentence cannot be written in columns; empty where it can."""
    if not sentence.tokens:
        return "has no tokens"
    if sentence.spaces != Sentence(sentence.tokens).spaces:
        return "has spacing other than one space between tokens"
    for cell in cells:
        if _BREAKS_COLUMNS.search(cell) or cell == DOCUMENT_START or not is_unicode(cell):
            return f"has {shown(cell)}"
    return ""
