"""CoNLL columns: a token and its tag per line."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from abalo.core.records import words
from abalo.corpora import conll2012
from abalo.corpora.corpus import Corpus, Notes
from abalo.corpora.drafts import Draft
from abalo.corpora.encodings import is_unicode
from abalo.corpora.findings import WHOLE, Findings, show_value
from abalo.corpora.schemes import looks_like_tag, stand_first
from abalo.corpora.token_cells import rows_of
from abalo.corpora.token_columns import (
    TAGS,
    TOKENS,
    Cells,
    TokenColumns,
    find_columns,
    header,
    is_header,
    stands_for_others,
)
from abalo.errors import AbaloError, visible
from abalo.files import write_bytes
from perturbations import Sentence

_BREAKS_COLUMNS = re.compile(r"[ \t\r\n]")
DOCUMENT_START = "-DOCSTART-"
_COUNTS_TOLD = 3
_COMMENTS = 100

_GLUED = frozenset(["NoSpaceAfter", "SpaceAfter=No"])
_ENDS = frozenset(["EndOfSentence", "PySBDSegment"])
"""Flags of HIPE and CoNLL-U Plus."""

NOTHING_ASKED: Mapping[str, str] = MappingProxyType({})

_DOCUMENT_MARKS = (["#begin", "document"], ["#end", "document"])


@dataclass(frozen=True, slots=True)
class ColumnFile:
    """Sentences and the column numbers read."""

    drafts: list[Draft]
    columns: Mapping[str, str] = field(default_factory=dict)


def parse_conll(text: str, findings: Findings, asked: Mapping[str, str] = NOTHING_ASKED) -> ColumnFile:
    r"""Parses a column file.

    Tokens come first and tags last, unless a header or ``asked`` says otherwise. Lines end in ``\n`` or ``\r\n`` only.
    Parts of speech may follow the words; flags such as ``SpaceAfter=No`` and ``EndOfSentence`` may come last.
    CoNLL-2012 has its own columns. ``-DOCSTART-`` opens a document.

    ``# key = value``, ``#begin document`` and ``#end document`` are comments unless the line has full width and ends in
    a tag: ``#hashtag`` can be a token.
    """
    lines = [line.rstrip(" \t") for line in text.replace("\r\n", "\n").split("\n")]
    refuse_carriage_returns(lines, findings)
    rows = rows_of(lines)
    if conll2012.is_written_in(rows):
        return ColumnFile(conll2012.drafts(rows, findings))
    width = _width(rows, findings)
    if not width:
        return ColumnFile([])
    names = header([cells for cells in rows if _tells_width(cells)], lines[:_COMMENTS])
    try:
        columns = find_columns(_sentences(rows, width, names), width, names, asked)
    except ValueError as error:
        findings.error(WHOLE, str(error))
        return ColumnFile([])
    if max(columns.tokens, columns.tags, columns.sentences or 0) >= width:
        many = f"the header names {len(names)} columns, but most lines have {width}"
        findings.error(WHOLE, f"{many}; expected as many; correct it")
        return ColumnFile([])
    drafts = list(_drafts(rows, width, columns, findings))
    if not (names or asked) and _tags_first(drafts):
        findings.error(
            WHOLE,
            "the tags are in the first column; expected the token first and its tag last; change their order, or name "
            f"the columns: FILE?tokens={width}&tags=1",
        )
        return ColumnFile([])
    if conll2012.are_in_brackets(drafts):
        drafts = conll2012.without_brackets(drafts, findings)
    told = {TOKENS: str(columns.tokens + 1), TAGS: str(columns.tags + 1)}
    if notice := columns.notice(width, visible(findings.source)):
        findings.notices.append(notice)
    return ColumnFile(drafts, told)


def _sentences(rows: Sequence[Cells], width: int, names: Sequence[str]) -> list[list[Cells]]:
    made: list[list[Cells]] = [[]]
    for cells in rows:
        if not cells or cells[0] == DOCUMENT_START:
            made.append([])
        elif len(cells) == width and _tells_width(cells) and not is_header(cells, names):
            made[-1].append(cells)
    return [each for each in made if each]


def _drafts(rows: Sequence[Cells], width: int, columns: TokenColumns, findings: Findings) -> Iterator[Draft]:
    kinds = columns.tokens + 1
    has_kinds = kinds < width and kinds != columns.tags
    flagged = columns.tags != width - 1 and any(
        (_GLUED | _ENDS).intersection(cells[-1].split("|")) for cells in rows if len(cells) == width
    )
    draft = _draft(has_kinds, flagged)
    sentence = ""
    for number, cells in enumerate(rows, start=1):
        told = columns.sentence_of(cells) if len(cells) == width and not is_header(cells, columns.names) else ""
        if told and told != sentence:
            sentence = told
            if draft.tokens:
                yield _end_draft(draft)
                draft = _draft(has_kinds, flagged)
        if not cells or cells[0] == DOCUMENT_START:
            if draft.tokens:
                yield _end_draft(draft)
                draft = _draft(has_kinds, flagged)
            draft.opens |= bool(cells)
        elif (cells[0][:1] == "#" and _is_comment(cells, width, columns)) or is_header(cells, columns.names):
            continue
        elif (len(cells) == width and cells[columns.tokens].strip()) or _can_be_mended(
            cells, width, columns, number, findings
        ):
            if len(cells) == width and stands_for_others(cells, columns):
                continue
            draft.tokens.append(cells[columns.tokens])
            draft.tags.append(cells[-1 if columns.tags == width - 1 else columns.tags])
            draft.places.append(number)
            if draft.kinds is not None:
                draft.kinds.append(cells[kinds] if kinds < len(cells) else "")
            if draft.spaces is not None:
                flags = cells[-1].split("|")
                draft.spaces.append("" if _GLUED.intersection(flags) else " ")
                if _ENDS.intersection(flags):
                    yield _end_draft(draft)
                    draft = _draft(has_kinds, flagged)
    if draft.tokens:
        yield _end_draft(draft)


def _end_draft(draft: Draft) -> Draft:
    return draft if draft.spaces is None else replace(draft, spaces=[*draft.spaces[:-1], ""])


def _draft(has_kinds: bool, flagged: bool) -> Draft:
    return Draft(kinds=[] if has_kinds else None, spaces=[] if flagged else None)


def _tags_first(drafts: Sequence[Draft]) -> bool:
    first, last = {cell for each in drafts for cell in each.tokens}, {tag for each in drafts for tag in each.tags}
    return stand_first(first, last)


@lru_cache(maxsize=4)
def tag_counts(text: str) -> tuple[Counter[str], Counter[str]]:
    """Frequencies of words and tags."""
    drafts = parse_conll(text, Findings("", lenient=True)).drafts
    words = Counter(word for each in drafts for word in each.tokens)
    return words, Counter(tag for each in drafts for tag in each.tags)


def refuse_carriage_returns(lines: Sequence[str], findings: Findings) -> None:
    """Reports lone carriage returns."""
    for number, line in enumerate(lines, start=1):
        if "\r" in line:
            findings.error(
                number, r"a lone carriage return; expected lines that end in \n or \r\n; convert the line ends"
            )


def _width(rows: Sequence[Cells], findings: Findings) -> int:
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
    return bool(cells) and cells[0] != DOCUMENT_START and (cells[0][:1] != "#" or looks_like_tag(cells[-1]))


def _first_line(rows: Sequence[Cells], width: int) -> int:
    return next(number for number, cells in enumerate(rows, start=1) if len(cells) == width and _tells_width(cells))


def _one_column(cell: str) -> str:
    remedy = "put a tab in place of '|'" if looks_like_tag(cell.rpartition("|")[2]) else "add the tags"
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
        "tag last; correct the file, or take just these two columns of each line with FILE?lenient"
    )


def _is_comment(cells: Cells, width: int, columns: TokenColumns) -> bool:
    if len(cells) == width and looks_like_tag(cells[columns.tags]):
        return False
    return cells[0][:2] == "# " or (cells[0] == "#" and len(cells) > 1) or cells[:2] in _DOCUMENT_MARKS


def _can_be_mended(cells: Cells, width: int, columns: TokenColumns, number: int, findings: Findings) -> bool:
    if len(cells) > columns.tokens and not cells[columns.tokens].strip():
        findings.mended(
            number,
            f"the token is {show_value(cells[columns.tokens])}, only white space; expected at least one visible "
            "character; remove the line, or have it dropped with FILE?lenient",
        )
        return False
    if len(cells) <= max(1, columns.tokens):
        note = "; a comment starts with '# '" if cells[0][:1] == "#" else ""
        findings.error(
            number, f"{show_value(cells[0])} has no tag; expected {width} columns, the tag last; add it{note}"
        )
        return False
    if columns.tags not in (width - 1, len(cells) - 1) and len(cells) <= columns.tags:
        findings.error(
            number, f"{len(cells)} columns, {show_value(' '.join(cells))}; expected {width}; correct the line"
        )
        return False
    token = "first column" if columns.tokens == 0 else f"column {columns.tokens + 1}"
    tag = "last" if columns.tags == width - 1 else f"column {columns.tags + 1}"
    findings.mended(
        number,
        f"{len(cells)} columns, {show_value(' '.join(cells))}; expected {width} as on most lines; correct the line, "
        f"or take its {token} for the token and its {tag} for the tag with FILE?lenient",
    )
    return True


def write_conll(corpus: Corpus, path: str | Path, notes: Notes = ()) -> None:
    """Writes tab-separated tokens, parts of speech (if any) and BIO tags.

    ``notes`` precede sentences as comments: ``# key = value``. Raises `AbaloError` for content that columns cannot
    hold: empty sentences, cells with a space or line break, ``-DOCSTART-``, unusual spacing.
    """
    path = Path(path)
    if not corpus.sentences:
        raise AbaloError(f"{path}: {corpus.name} has no sentences to write")
    kinds = corpus.parts_of_speech or [None] * len(corpus.sentences)
    sentences = zip(corpus.sentences, kinds, notes or [{}] * len(corpus.sentences), strict=True)
    blocks = [
        "\n".join([*map(comment, note.items()), *_lines(sentence, row, number, path)])
        for number, (sentence, row, note) in enumerate(sentences, start=1)
    ]
    text = "\n\n".join(blocks) + "\n"
    # A mark of its own in front keeps that of a first token: readers take one away.
    write_bytes(path, text.encode("utf-8-sig" if text.startswith("\ufeff") else "utf-8"))


def comment(note: tuple[str, object]) -> str:
    """A note as a comment."""
    key, value = note
    return f"# {key} = {value if isinstance(value, str) and _is_plain(value) else json.dumps(value)}"


def _is_plain(word: str) -> bool:
    """A tag-like word would turn the comment into a token."""
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
    if not sentence.tokens:
        return "has no tokens"
    if sentence.spaces != Sentence(sentence.tokens).spaces:
        return "has spacing other than one space between tokens"
    for cell in cells:
        if _BREAKS_COLUMNS.search(cell) or cell == DOCUMENT_START or not is_unicode(cell):
            return f"has {show_value(cell)}"
    return ""
