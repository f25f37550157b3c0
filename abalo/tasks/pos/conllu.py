"""CoNLL-U and two-column files: words with their parts of speech, an empty line between sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from abalo.corpora.conll import refuse_carriage_returns
from abalo.corpora.files import read_text
from abalo.corpora.findings import WHOLE, Findings, shown
from abalo.corpora.token_columns import without_numbers
from abalo.corpora.unpacking import format_ending
from abalo.errors import visible

Column = Literal["upos", "xpos"]
"""The column of CoNLL-U that tags are taken from: universal tags, or those of the language."""

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
"""The columns of a CoNLL-U line [Universal Dependencies 2, "CoNLL-U Format"]."""

SUFFIXES = (".conllu", ".conll-u")
"""File names with these endings are read as CoNLL-U, whatever is in them."""

_WORD = re.compile(r"[1-9][0-9]{0,8}")
_RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_EMPTY_NODE = re.compile(r"[0-9]+\.[1-9][0-9]*")
_NEW_DOCUMENT = re.compile(r"#\s*newdoc\b")
_CELL = re.compile(r"[^ \t]+")
_DOCUMENT_START = "-DOCSTART-"
_NO_VALUE = "_"


@dataclass(frozen=True, slots=True)
class Tagged:
    """The words of a sentence, equally many tags, and the white space after each word, none after the last.

    ``opens`` says that a document begins with this sentence.
    """

    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    spaces: tuple[str, ...]
    opens: bool = False


def read(path: str | Path, *, column: Column = "upos", lenient: bool = False) -> tuple[Tagged, ...]:
    """The sentences of a CoNLL-U or two-column file, in its order.

    Raises AbaloError with all problems of the file; with ``lenient`` those that can be mended are.
    """
    findings = Findings(str(path), lenient)
    sentences = parse(read_text(Path(path), findings), findings, column=column, suffix=format_ending(str(path)))
    findings.raise_any()
    return tuple(sentences)


def parse(text: str, findings: Findings, *, column: Column = "upos", suffix: str = "") -> list[Tagged]:
    """The sentences of a file with this content and ending of its name; its problems go to ``findings``.

    It is read as CoNLL-U if the name ends as such files do or if its first line that is no comment has ten columns.
    ``column`` is about CoNLL-U alone.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    refuse_carriage_returns(lines, findings)
    if suffix.lower() in SUFFIXES or _looks_like_conllu(lines):
        sentences = list(_Conllu(findings, column).sentences(lines))
    else:
        sentences = list(_two_columns(lines, findings))
    if not sentences and not findings.problems:
        findings.error(WHOLE, "no sentences; expected at least one word with its tag; is this the corpus you meant?")
    return sentences


def _looks_like_conllu(lines: Sequence[str]) -> bool:
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return first.count("\t") == len(COLUMNS) - 1


@dataclass(slots=True)
class _Draft:
    """A sentence being read; ``id`` and ``line`` are those of its last word, 0 before the first.

    ``end`` is the last word of the multiword token that was read last, ``glued`` whether nothing follows that token.
    """

    opens: bool = False
    tokens: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    spaces: list[str] = field(default_factory=list)
    id: int = 0
    line: int = 0
    end: int = 0
    glued: bool = False

    def add(self, token: str, tag: str, space: str) -> None:
        self.tokens.append(token)
        self.tags.append(tag)
        self.spaces.append(space)

    def finished(self) -> Tagged:
        return Tagged(tuple(self.tokens), tuple(self.tags), (*self.spaces[:-1], ""), self.opens)


@dataclass(slots=True)
class _Conllu:
    """A reader of CoNLL-U lines. ``untagged`` are the words without a tag, by their line; ``words`` counts all."""

    findings: Findings
    column: Column
    words: int = 0
    untagged: dict[int, str] = field(default_factory=dict)

    def sentences(self, lines: Sequence[str]) -> Iterator[Tagged]:
        """The sentences: words are the lines whose ID is a whole number.

        Multiword tokens (``3-4``) and empty nodes (``3.1``) are no words. ``SpaceAfter=No`` in MISC says that nothing
        follows a word, else one space does. The words of a multiword token are not how it is written (*da* is *de* +
        *a*), so that one space stands between them, and what follows the multiword token follows the last of them.
        """
        draft = _Draft()
        for number, line in enumerate([*lines, ""], start=1):
            if not line.strip():
                if draft.end > draft.id:
                    self.findings.error(draft.line, _cut_short(draft))
                if draft.tokens:
                    yield draft.finished()
                draft = _Draft(draft.opens and not draft.tokens)
            elif line.startswith("#"):
                draft.opens |= _NEW_DOCUMENT.match(line) is not None
            else:
                self._read(line.split("\t"), number, draft)
        self._check_tags()

    def _read(self, cells: Sequence[str], number: int, draft: _Draft) -> None:
        """Adds what a line says to the draft of its sentence."""
        if len(cells) != len(COLUMNS):
            self.findings.error(number, _wrong_width(cells))
            draft.id += 1 if _WORD.fullmatch(cells[0]) else 0
            return
        place, glued = cells[0], "SpaceAfter=No" in cells[-1].strip().split("|")
        ends = _RANGE.fullmatch(place)
        if ends:
            self._open_range(int(ends[1]), int(ends[2]), number, draft)
            draft.glued = glued
        elif _WORD.fullmatch(place):
            self._add_word(cells, number, draft, glued=glued)
        elif not _EMPTY_NODE.fullmatch(place):
            self.findings.error(
                number,
                f"the ID is {shown(place)}; expected a whole number from 1, a range such as 3-4 or an empty node such "
                "as 3.1; correct it",
            )

    def _add_word(self, cells: Sequence[str], number: int, draft: _Draft, *, glued: bool) -> None:
        place, form, tag = int(cells[0]), cells[1].strip(), cells[COLUMNS.index(self.column.upper())].strip()
        if place != draft.id + 1:
            self.findings.mended(number, _wrong_id(place, draft))
        draft.id, draft.line = place, number
        if not form:
            self.findings.mended(
                number,
                f"the FORM is {shown(cells[1])}; expected at least one visible character; "
                "remove the line, or have it dropped with --abalo-lenient",
            )
            return
        self.words += 1
        if tag in ("", _NO_VALUE):
            self.untagged[number] = form
        _check_seen(form, tag, number, self.findings)
        if place <= draft.end:
            glued = draft.glued and place == draft.end
        draft.add(form, tag, "" if glued else " ")

    def _open_range(self, first: int, last: int, number: int, draft: _Draft) -> None:
        if first != draft.id + 1 or last <= first or draft.end > draft.id:
            self.findings.error(
                number,
                f"the range is {first}-{last} after word {draft.id}; expected one that begins with {draft.id + 1}, "
                "ends later and overlaps no other; correct it",
            )
            return
        draft.end, draft.line = last, number

    def _check_tags(self) -> None:
        """One problem for each word without a tag, or one for the file where no word has one."""
        name = self.column.upper()
        remedy = "add it" if self.column == "upos" else "add it, or take the UPOS column"
        if self.untagged and len(self.untagged) == self.words:
            message = f"no word has a tag in column {name}; expected the part of speech of each; {remedy}"
            self.findings.error(WHOLE, message)
            return
        for number, form in self.untagged.items():
            self.findings.error(number, f"{shown(form)} has no {name}; expected its part of speech; {remedy}")


def _wrong_width(cells: Sequence[str]) -> str:
    return f"{_counted(cells)}, {shown(' '.join(cells))}; expected {len(COLUMNS)}, separated by tabs; correct the line"


def _wrong_id(place: int, draft: _Draft) -> str:
    note = ", or an empty line before the first word of the next sentence" if place == 1 else ""
    return (
        f"the ID is {place} after {draft.id}; expected {draft.id + 1}{note}; "
        "correct it, or have the word taken all the same with --abalo-lenient"
    )


def _cut_short(draft: _Draft) -> str:
    return (
        f"the sentence ends with word {draft.id}; expected words up to {draft.end}, as the range before says; "
        "add them or correct the range"
    )


def _two_columns(lines: Sequence[str], findings: Findings) -> Iterator[Tagged]:
    """The sentences of lines with a word and its tag, one space between the words.

    Running numbers in front of the words are left out, with a notice.

    A tab separates them or, in a line without one, spaces. ``-DOCSTART-`` lines and ``# newdoc`` open a document. Other
    lines that begin with ``#`` are comments unless they have two columns, the second of which is a tag elsewhere too.
    """
    rows = [_cells(line) for line in lines]
    if (shorter := without_numbers(rows)) is not None:
        findings.notices.append(
            f"{visible(findings.source)}: the numbers in column 1 are left out; column 2 has the words"
        )
        rows = shorter
    tags = {cells[1] for cells in rows if len(cells) == 2 and cells[0][:1] != "#"}
    draft = _Draft()
    for number, cells in enumerate([*rows, []], start=1):
        if not cells or cells[0] == _DOCUMENT_START:
            if draft.tokens:
                yield draft.finished()
                draft = _Draft()
            draft.opens |= bool(cells)
        elif cells[0][0] == "#" and not (len(cells) == 2 and cells[1] in tags):
            draft.opens |= _NEW_DOCUMENT.match(" ".join(cells)) is not None
        elif len(cells) == 1:
            findings.error(number, f"{shown(cells[0])} has no tag; expected two columns, the tag last; add it")
        elif len(cells) == 2:
            _check_seen(cells[0], cells[1], number, findings)
            draft.add(cells[0], cells[1], " ")
        else:
            findings.mended(
                number,
                f"{_counted(cells)}, {shown(' '.join(cells))}; expected 2, the word first and its tag last; correct "
                "the line, or take its first and its last column with --abalo-lenient",
            )
            draft.add(cells[0], cells[-1], " ")


def _check_seen(word: str, tag: str, number: int, findings: Findings) -> None:
    """A problem where two tags could look like one."""
    if not tag.isprintable():
        findings.error(
            number,
            f"{shown(word)} has the tag {shown(tag)}, with characters that cannot be seen; expected a tag without any; "
            "remove them",
        )


def _cells(line: str) -> list[str]:
    line = line.strip(" \t")
    cells = [cell.strip() for cell in line.split("\t")] if "\t" in line else _CELL.findall(line)
    return [cell for cell in cells if cell]


def _counted(cells: Sequence[str]) -> str:
    return f"{len(cells)} column{'s' if len(cells) > 1 else ''}"
