"""CoNLL column files: a token and its tag on each line, an empty line between sentences."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from abalo.core import words
from abalo.corpora import conll2012
from abalo.corpora.corpus import Corpus, Notes
from abalo.corpora.drafts import Draft
from abalo.corpora.encodings import is_unicode
from abalo.corpora.findings import WHOLE, Findings, shown
from abalo.corpora.schemes import looks_like_tag, stand_first
from abalo.corpora.token_cells import rows_of
from abalo.corpora.token_columns import (
    TAGS,
    TOKENS,
    Cells,
    Columns,
    found,
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
"""Lines at the beginning of a file in which a comment may name the columns."""

_GLUED = frozenset(["NoSpaceAfter", "SpaceAfter=No"])
_ENDS = frozenset(["EndOfSentence", "PySBDSegment"])
"""Flags of the last column of HIPE and CoNLL-U Plus: nothing follows a word; a sentence ends with it."""

NOTHING_ASKED: Mapping[str, str] = MappingProxyType({})
"""No columns that the user named."""

_DOCUMENT_MARKS = (["#begin", "document"], ["#end", "document"])


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sentences of a column file; ``columns`` names the columns that were read, by number, as a user would."""

    drafts: list[Draft]
    columns: Mapping[str, str] = field(default_factory=dict)


def parse_conll(text: str, findings: Findings, asked: Mapping[str, str] = NOTHING_ASKED) -> Sheet:
    r"""The sentences of a column file: the token in the first column, the tag in the last, unless told or ``asked``.

    Columns are told by their names in the first line; ids in front of the words are no words, and columns behind the
    tags that are none are left out (`abalo.corpora.token_columns`). The column behind that of the words may be parts of
    speech. Flags such as ``SpaceAfter=No`` and ``EndOfSentence`` in the last column are obeyed. CoNLL-2012 has its own
    columns.

    Lines end in ``\n`` or ``\r\n``, whatever else Unicode takes for a line end. `abalo.corpora.token_cells` cuts them
    into cells. A column that says which sentence a word is in ends sentences, too.
    ``-DOCSTART-`` lines end a sentence; the next one opens a document.

    ``# key = value`` and CoNLL-2012's ``#begin document``, ``#end document`` are comments, unless the line has as
    many columns as the file and ends in a tag: ``#`` and ``#hashtag`` are tokens too. ``#word`` that fits neither
    is a ragged line, for it may be a hashtag whose tag is missing.
    """
    lines = [line.rstrip(" \t") for line in text.replace("\r\n", "\n").split("\n")]
    refuse_carriage_returns(lines, findings)
    rows = rows_of(lines)
    if conll2012.is_written_in(rows):
        return Sheet(conll2012.drafts(rows, findings))
    width = _width(rows, findings)
    if not width:
        return Sheet([])
    names = header([cells for cells in rows if _tells_width(cells)], lines[:_COMMENTS])
    try:
        columns = found(_sentences(rows, width, names), width, names, asked)
    except ValueError as error:
        findings.error(WHOLE, str(error))
        return Sheet([])
    drafts = list(_drafts(rows, width, columns, findings))
    if not (names or asked) and _tags_first(drafts):
        findings.error(
            WHOLE,
            "the tags are in the first column; expected the token first and its tag last; change their order, or name "
            f"the columns: FILE?tokens={width}&tags=1",
        )
        return Sheet([])
    if conll2012.are_in_brackets(drafts):
        drafts = conll2012.without_brackets(drafts, findings)
    told = {TOKENS: str(columns.tokens + 1), TAGS: str(columns.tags + 1)}
    if notice := columns.notice(width, visible(findings.source)):
        findings.notices.append(notice)
    return Sheet(drafts, told)


def _sentences(rows: Sequence[Cells], width: int, names: Sequence[str]) -> list[list[Cells]]:
    """The rows of full width, by sentences."""
    made: list[list[Cells]] = [[]]
    for cells in rows:
        if not cells or cells[0] == DOCUMENT_START:
            made.append([])
        elif len(cells) == width and _tells_width(cells) and not is_header(cells, names):
            made[-1].append(cells)
    return [each for each in made if each]


def _drafts(rows: Sequence[Cells], width: int, columns: Columns, findings: Findings) -> Iterator[Draft]:
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
                yield _ended(draft)
                draft = _draft(has_kinds, flagged)
        if not cells or cells[0] == DOCUMENT_START:
            if draft.tokens:
                yield _ended(draft)
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
                    yield _ended(draft)
                    draft = _draft(has_kinds, flagged)
    if draft.tokens:
        yield _ended(draft)


def _ended(draft: Draft) -> Draft:
    """The draft, with nothing after its last word."""
    return draft if draft.spaces is None else replace(draft, spaces=[*draft.spaces[:-1], ""])


def _draft(has_kinds: bool, flagged: bool) -> Draft:
    return Draft(kinds=[] if has_kinds else None, spaces=[] if flagged else None)


def _tags_first(drafts: Sequence[Draft]) -> bool:
    first, last = {cell for each in drafts for cell in each.tokens}, {tag for each in drafts for tag in each.tags}
    return stand_first(first, last)


def tag_counts(text: str) -> tuple[Counter[str], Counter[str]]:
    """How often each word and each tag occurs in the beginning of a column file; nothing where it cannot be read."""
    drafts = parse_conll(text, Findings("", lenient=True)).drafts
    words = Counter(word for each in drafts for word in each.tokens)
    return words, Counter(tag for each in drafts for tag in each.tags)


def refuse_carriage_returns(lines: Sequence[str], findings: Findings) -> None:
    """A problem for each line with a carriage return in it, which may be several lines to another program."""
    for number, line in enumerate(lines, start=1):
        if "\r" in line:
            findings.error(
                number, r"a lone carriage return; expected lines that end in \n or \r\n; convert the line ends"
            )


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
        "tag last; correct the file, or take just these two columns of each line with --abalo-lenient"
    )


def _is_comment(cells: Cells, width: int, columns: Columns) -> bool:
    """Whether a line that starts with ``#`` is a comment, not a token."""
    if len(cells) == width and looks_like_tag(cells[columns.tags]):
        return False
    return cells[0][:2] == "# " or (cells[0] == "#" and len(cells) > 1) or cells[:2] in _DOCUMENT_MARKS


def _can_be_mended(cells: Cells, width: int, columns: Columns, number: int, findings: Findings) -> bool:
    """Whether a line without a visible token, or of another width, gives a token and a tag all the same."""
    if len(cells) > columns.tokens and not cells[columns.tokens].strip():
        findings.mended(
            number,
            f"the token is {shown(cells[columns.tokens])}, only white space; expected at least one visible character; "
            "remove the line, or have it dropped with --abalo-lenient",
        )
        return False
    if len(cells) <= max(1, columns.tokens):
        note = "; a comment starts with '# '" if cells[0][:1] == "#" else ""
        findings.error(number, f"{shown(cells[0])} has no tag; expected {width} columns, the tag last; add it{note}")
        return False
    if columns.tags not in (width - 1, len(cells) - 1) and len(cells) <= columns.tags:
        findings.error(number, f"{len(cells)} columns, {shown(' '.join(cells))}; expected {width}; correct the line")
        return False
    token = "first column" if columns.tokens == 0 else f"column {columns.tokens + 1}"
    tag = "last" if columns.tags == width - 1 else f"column {columns.tags + 1}"
    findings.mended(
        number,
        f"{len(cells)} columns, {shown(' '.join(cells))}; expected {width} as on most lines; correct the line, or take "
        f"its {token} for the token and its {tag} for the tag with --abalo-lenient",
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
        "\n".join([*map(comment, note.items()), *_lines(sentence, row, number, path)])
        for number, (sentence, row, note) in enumerate(sentences, start=1)
    ]
    text = "\n\n".join(blocks) + "\n"
    # A mark of its own in front keeps that of a first token: readers take one away.
    write_bytes(path, text.encode("utf-8-sig" if text.startswith("\ufeff") else "utf-8"))


def comment(note: tuple[str, object]) -> str:
    """A note as a comment, the value in JSON unless it is a plain word."""
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
