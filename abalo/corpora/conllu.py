"""CoNLL-U, CoNLL-X and two-column files.

CoNLL-X [Buchholz and Marsi 2006] has the same head columns, but no comments or multiword tokens. Many files leave out
its last two columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from abalo.corpora.conll import refuse_carriage_returns
from abalo.corpora.files import read_text
from abalo.corpora.findings import WHOLE, Findings, show_value
from abalo.corpora.token_columns import without_numbers
from abalo.corpora.unpacking import format_ending
from abalo.errors import visible
from perturbations.layers import ROOT, UNLABELLED

TagColumn = Literal["upos", "xpos"]
"""Universal or language-specific tags."""

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
"""[Universal Dependencies 2, "CoNLL-U Format"]."""

NEEDED = COLUMNS.index("DEPREL") + 1
"""Columns of a tree without PHEAD and PDEPREL of CoNLL-X."""

SUFFIXES = (".conllu", ".conll-u")
"""Always read as CoNLL-U."""

CLUSTERS_TOLD = "# global.Entity"
"""The beginning of the comment that says how clusters of mentions are written in the last column."""

_WORD = re.compile(r"[1-9][0-9]{0,8}")
_RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_EMPTY_NODE = re.compile(r"[0-9]+\.[1-9][0-9]*")
_NEW_DOCUMENT = re.compile(r"#\s*newdoc\b")
_HEAD = re.compile(r"0|[1-9][0-9]{0,8}")
_CELL = re.compile(r"[^ \t]+")
_DOCUMENT_START = "-DOCSTART-"
_NO_VALUE = "_"


@dataclass(frozen=True, slots=True)
class Tagged:
    """A sentence with a tag and trailing white space per word.

    ``opens`` marks a document's first sentence. ``heads`` and ``relations`` follow `perturbations.Arcs`; empty by
    default.
    """

    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    spaces: tuple[str, ...]
    opens: bool = False
    heads: tuple[int | None, ...] = ()
    relations: tuple[str, ...] = ()


def read(path: str | Path, *, column: TagColumn | None = "upos", trees: bool = False) -> tuple[Tagged, ...]:
    """Reads a CoNLL-U or two-column file; ``trees`` adds heads (CoNLL-U only)."""
    findings = Findings(str(path), lenient=False)
    text = read_text(Path(path), findings)
    sentences = parse(text, findings, column=column, suffix=format_ending(str(path)), trees=trees)
    findings.raise_any()
    return tuple(sentences)


def parse(
    text: str, findings: Findings, *, column: TagColumn | None = "upos", suffix: str = "", trees: bool = False
) -> list[Tagged]:
    """Parses a file; problems go to ``findings``.

    Ten columns or the ``suffix`` indicate CoNLL-U. ``column`` affects CoNLL-U only; None gives empty tags. ``trees``
    implies CoNLL-U and requires heads instead of tags.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    refuse_carriage_returns(lines, findings)
    if column is not None and any(line.startswith(CLUSTERS_TOLD) for line in lines):
        findings.notices.append("Clusters of mentions are in the file, too: --abalo-task coreference judges them.")
    if trees or suffix.lower() in SUFFIXES or _looks_like_conllu(lines):
        sentences = list(_Conllu(findings, column, trees).sentences(lines))
    else:
        sentences = list(_two_columns(lines, findings))
    if not sentences and not findings.problems:
        sought = "head" if trees else "tag"
        findings.error(
            WHOLE, f"no sentences; expected at least one word with its {sought}; is this the corpus you meant?"
        )
    return sentences


def _looks_like_conllu(lines: Sequence[str]) -> bool:
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return first.count("\t") == len(COLUMNS) - 1


@dataclass(slots=True)
class _Draft:
    opens: bool = False
    tokens: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    spaces: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=lambda: {0: ROOT})
    heads: list[int | None] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    id: int = 0
    line: int = 0
    end: int = 0
    glued: bool = False

    def add(self, token: str, tag: str, space: str) -> None:
        self.tokens.append(token)
        self.tags.append(tag)
        self.spaces.append(space)

    def finished(self) -> Tagged:
        heads = tuple(None if head is None else self.places.get(head) for head in self.heads)
        relations = tuple(
            UNLABELLED if head is None else relation for head, relation in zip(heads, self.relations, strict=True)
        )
        return Tagged(tuple(self.tokens), tuple(self.tags), (*self.spaces[:-1], ""), self.opens, heads, relations)


@dataclass(slots=True)
class _Conllu:
    findings: Findings
    column: TagColumn | None
    trees: bool = False
    words: int = 0
    headed: int = 0
    untagged: dict[int, str] = field(default_factory=dict)

    def sentences(self, lines: Sequence[str]) -> Iterator[Tagged]:
        """Words of a multiword token get a space: *da* is *de* + *a*."""
        draft = _Draft()
        for number, line in enumerate([*lines, ""], start=1):
            if not line.strip():
                if draft.end > draft.id:
                    self.findings.error(draft.line, _cut_short(draft))
                if draft.tokens:
                    self._check_heads(draft)
                    made = draft.finished()
                    if self.trees:
                        headless = made.heads.count(None)
                        self.findings.tally.left_out("word", "without a head, which no score counts", headless)
                        self.findings.tally.read("word", len(made.tokens) - headless)
                    yield made
                draft = _Draft(draft.opens and not draft.tokens)
            elif line.startswith("#"):
                draft.opens |= _NEW_DOCUMENT.match(line) is not None
            else:
                self._read(line.split("\t"), number, draft)
        if not self.trees:
            self._check_tags()
        elif self.words and not self.headed:
            self.findings.error(WHOLE, "no word has a head in column HEAD; expected the ID of its head, 0 for the root")

    def _read(self, cells: Sequence[str], number: int, draft: _Draft) -> None:
        if self.trees and len(cells) == NEEDED:
            cells = [*cells, _NO_VALUE, _NO_VALUE]
        if len(cells) != len(COLUMNS):
            self.findings.error(number, _wrong_width(cells, trees=self.trees))
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
                f"the ID is {show_value(place)}; expected a whole number from 1, a range such as 3-4 or an empty node "
                f"such "
                "as 3.1; correct it",
            )

    def _add_word(self, cells: Sequence[str], number: int, draft: _Draft, *, glued: bool) -> None:
        place, form = int(cells[0]), cells[1].strip()
        tag = "" if self.column is None else cells[COLUMNS.index(self.column.upper())].strip()
        if place != draft.id + 1:
            self.findings.mended(number, _wrong_id(place, draft))
        draft.id, draft.line = place, number
        if not form:
            self.findings.mended(
                number,
                f"the FORM is {show_value(cells[1])}; expected at least one visible character; "
                "remove the line, or have it dropped with FILE?lenient",
            )
            return
        self.words += 1
        if self.column is not None and tag in ("", _NO_VALUE):
            self.untagged[number] = form
            tag = UNLABELLED if self.trees else tag
        if self.trees:
            self._add_head(cells, number, draft)
        _check_seen(form, tag, number, self.findings)
        if place <= draft.end:
            glued = draft.glued and place == draft.end
        draft.add(form, tag, "" if glued else " ")

    def _add_head(self, cells: Sequence[str], number: int, draft: _Draft) -> None:
        head, relation = (cells[COLUMNS.index(name)].strip() for name in ("HEAD", "DEPREL"))
        if draft.id in draft.places:
            self.findings.error(number, f"the ID {draft.id} stands twice, so heads are ambiguous; correct it")
        draft.places[draft.id] = len(draft.tokens)
        draft.lines.append(number)
        draft.relations.append(UNLABELLED if relation == _NO_VALUE else relation)
        _check_seen(cells[COLUMNS.index("FORM")], relation, number, self.findings, "relation")
        draft.heads.append(int(head) if _HEAD.fullmatch(head) else None)
        self.headed += head != _NO_VALUE
        if head != _NO_VALUE and not _HEAD.fullmatch(head):
            self.findings.error(number, f"the HEAD is {show_value(head)}; expected the ID of another word, or 0")
        elif head != _NO_VALUE and relation in ("", _NO_VALUE):
            self.findings.error(number, "the word has a HEAD and no DEPREL; expected its relation; add it")

    def _check_heads(self, draft: _Draft) -> None:
        if len(draft.places) <= len(draft.heads):  # an ID stands twice
            return
        ids = {place: number for number, place in draft.places.items()}
        for place, (head, number) in enumerate(zip(draft.heads, draft.lines, strict=True)):
            if head is not None and (head not in draft.places or head == ids[place]):
                self.findings.error(
                    number, f"the HEAD is {head}; expected another word, up to {draft.id}, or 0; correct it"
                )
                return
        above = {ids[place]: head for place, head in enumerate(draft.heads) if head}
        rooted = set[int]()
        for place, number in enumerate(draft.lines):
            passed, word = set[int](), ids[place]
            while word in above and word not in passed and word not in rooted:
                passed.add(word)
                word = above[word]
            if word in passed:
                self.findings.error(number, f"the heads from word {ids[place]} on lead in a circle; correct one")
                return
            rooted |= passed

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
        name = (self.column or "").upper()
        remedy = "add it" if self.column == "upos" else "add it, or take the UPOS column"
        if self.untagged and len(self.untagged) == self.words:
            message = f"no word has a tag in column {name}; expected the part of speech of each; {remedy}"
            self.findings.error(WHOLE, message)
            return
        for number, form in self.untagged.items():
            self.findings.error(number, f"{show_value(form)} has no {name}; expected its part of speech; {remedy}")


def _wrong_width(cells: Sequence[str], *, trees: bool) -> str:
    columns, expected = _count_columns(cells), f"{len(COLUMNS)} or {NEEDED}" if trees else str(len(COLUMNS))
    return f"{columns}, {show_value(' '.join(cells))}; expected {expected}, separated by tabs; correct the line"


def _wrong_id(place: int, draft: _Draft) -> str:
    note = ", or an empty line before the first word of the next sentence" if place == 1 else ""
    return (
        f"the ID is {place} after {draft.id}; expected {draft.id + 1}{note}; "
        "correct it, or have the word taken all the same with FILE?lenient"
    )


def _cut_short(draft: _Draft) -> str:
    return (
        f"the sentence ends with word {draft.id}; expected words up to {draft.end}, as the range before says; "
        "add them or correct the range"
    )


def _two_columns(lines: Sequence[str], findings: Findings) -> Iterator[Tagged]:
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
            findings.error(number, f"{show_value(cells[0])} has no tag; expected two columns, the tag last; add it")
        elif len(cells) == 2:
            _check_seen(cells[0], cells[1], number, findings)
            draft.add(cells[0], cells[1], " ")
        else:
            findings.mended(
                number,
                f"{_count_columns(cells)}, {show_value(' '.join(cells))}; expected 2, the word first and its tag "
                "last; correct the line, or take its first and its last column with FILE?lenient",
            )
            draft.add(cells[0], cells[-1], " ")


def _check_seen(word: str, label: str, number: int, findings: Findings, kind: str = "tag") -> None:
    if not label.isprintable():
        findings.error(
            number,
            f"{show_value(word)} has the {kind} {show_value(label)}, with characters that cannot be seen; expected a "
            f"{kind} without any; remove them",
        )


def _cells(line: str) -> list[str]:
    line = line.strip(" \t")
    cells = [cell.strip() for cell in line.split("\t")] if "\t" in line else _CELL.findall(line)
    return [cell for cell in cells if cell]


def _count_columns(cells: Sequence[str]) -> str:
    return f"{len(cells)} column{'s' if len(cells) > 1 else ''}"
