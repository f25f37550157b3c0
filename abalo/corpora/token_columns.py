"""Finds word and tag columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from abalo.corpora.findings import show_value
from abalo.corpora.forms import form_of
from abalo.corpora.parts_of_speech import universal_of
from abalo.corpora.schemes import looks_like_tag

Cells = list[str]

TOKENS, TAGS = "tokens", "tags"
"""As in ``FILE?tokens=2&tags=3``."""

_TOKEN_NAMES = ("token", "tokens", "word", "words", "form")
_TAG_NAMES = (
    "ne-coarse-lit",
    *("ner_tags", "ner_tag", "ner", "ne", "named_entity", "entity", "entities"),
    *("iob", "bio", "tags", "tag", "labels", "label"),
)
"""In order of precedence."""

_SENTENCE_NAMES = ("sentence", "sentenceid", "sentenceidx", "sentidx", "sentid", "sentencenumber")

_CHUNKS = frozenset(("NP", "VP", "PP", "ADVP", "ADJP", "SBAR", "PRT", "CONJP", "INTJ", "LST", "UCP"))
"""[CoNLL-2000]."""

_ID = re.compile(r"[^\W\d]*+[#_.:/-]*+\d+(?:[-.:_]\d+)*")
_RANGE = re.compile(r"\d+[-.]\d+")
_WHOLE = re.compile(r"\d+")
_TOLD = re.compile(r"# ?global\.columns ?= ?(.+)")
_ROWS = 20_000

_SHARE = 0.9

_NUMBERED = 3

_NONE = ("_", "-", "")


@dataclass(frozen=True, slots=True)
class TokenColumns:
    """Column places, from 0.

    Attributes:
        counts: running numbers, or None.
        entities: all columns with entity tags.
        names: the header, if any.
        asked: whether the user named both columns.
        sentences: sentence ids, or None; empty cells repeat.
    """

    tokens: int
    tags: int
    counts: int | None = None
    entities: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    asked: bool = False
    sentences: int | None = None

    def sentence_of(self, cells: Cells) -> str:
        return "" if self.sentences is None else cells[self.sentences]

    def notice(self, width: int, source: str) -> str:
        """A notice about unusual columns, or ""."""
        others = [place for place in self.entities if place != self.tags]
        if self.asked or (self.tokens == 0 and self.tags == width - 1 and not others):
            return ""
        further = f"; {_list_names([self._called(place) for place in others])} hold tags too" if others else ""
        if len(others) == 1:
            further = f"; {self._called(others[0])} holds tags too"
        ids = "".join(
            f"; {self._called(place)} {self._holds(place)}"
            for place in range(self.tokens)
            if place != self.tags and place not in others and (not self.names or place in (self.counts, self.sentences))
        )
        return (
            f"{source}: words were read from {self._called(self.tokens)} and tags from {self._called(self.tags)} of "
            f"{width}{ids}{further}. To read others, name them by number or header, as in "
            f"FILE?tokens={self.tokens + 1}&tags={self.tags + 1}."
        )

    def _holds(self, place: int) -> str:
        if place == self.sentences:
            return "says where sentences begin"
        return "holds running numbers" if place == self.counts else "holds no words"

    def _called(self, place: int) -> str:
        name = self.names[place] if place < len(self.names) else ""
        return f"column {place + 1}" + (f" ({name})" if name else "")


def find_columns(
    sentences: Sequence[Sequence[Cells]], width: int, names: Sequence[str], asked: Mapping[str, str]
) -> TokenColumns:
    """Finds the columns; raises ValueError if one is missing."""
    given = {field: _place(column, width, names) for field, column in asked.items()}
    sentences = [[cells for cells in each if not _RANGE.fullmatch(cells[0])] for each in sentences]
    grouped = next((place for place, name in enumerate(names) if _plain(name) in _SENTENCE_NAMES), None)
    rows = [cells for sentence in sentences for cells in sentence][:_ROWS]
    table = _FirstRows(
        [each for each in sentences if each], [Counter(cells[place] for cells in rows) for place in range(width)]
    )
    named = [name.strip().casefold() for name in names]
    tags = given.get(TAGS, _named_column(named, _TAG_NAMES))
    tokens = given.get(TOKENS, _named_column(named, _TOKEN_NAMES))
    if tokens is None:
        tokens = table.words(tags)
    entities = table.entities(tokens)
    if tags is None:
        tags = table.tags(tokens, entities)
    several = tuple(sorted({*entities, *table.outside(tokens)}))
    if grouped in (tokens, tags):
        grouped = None
    if grouped is None and not names and len(sentences) == 1:
        grouped = table.grouping(tokens)
    counts = None if grouped == 0 else table.counting(tokens)
    asked_both = len(given) == len((TOKENS, TAGS))
    return TokenColumns(tokens, tags, counts, several, tuple(names), asked_both, grouped)


def names_tokens(cells: Cells) -> bool:
    """Whether the cells name word and tag columns."""
    folded = [cell.strip().casefold() for cell in cells]
    return _named_column(folded, _TOKEN_NAMES) is not None and _named_column(folded, _TAG_NAMES) is not None


def header(rows: Sequence[Cells], comments: Sequence[str]) -> tuple[str, ...]:
    """Column names from a CoNLL-U Plus comment or a first row.

    A header row names the words, has no tag, and does not recur.
    """
    told = next((match[1].split() for line in comments if (match := _TOLD.match(line))), [])
    if not rows or told:
        return tuple(told)
    first, others = rows[0], rows[1:_ROWS]
    if any(map(looks_like_tag, first)) or not any(cell.casefold() in _TOKEN_NAMES for cell in first):
        return ()
    again = any(cell == row[place] for row in others for place, cell in enumerate(first[: len(row)]) if _tells(cell))
    return () if again else tuple(first)


def is_header(cells: Cells, names: Sequence[str]) -> bool:
    """Whether a row repeats the header."""
    return bool(names) and tuple(cells) == tuple(names)


def stands_for_others(cells: Cells, columns: TokenColumns) -> bool:
    """Whether a row is a multiword token or an empty node."""
    return columns.counts is not None and _RANGE.fullmatch(cells[columns.counts]) is not None


def without_numbers(rows: Sequence[Cells]) -> list[Cells] | None:
    """Rows of number, word and tag without the number."""
    told = [cells for cells in rows if cells and cells[0][:1] not in ("#", "-")]
    numbered = [cells for cells in told if len(cells) == _NUMBERED and _WHOLE.fullmatch(cells[0])]
    words = sum(not _WHOLE.fullmatch(cells[1]) for cells in numbered)
    if not numbered or len(numbered) < _SHARE * len(told) or 2 * words < len(numbered):
        return None
    return [cells[1:] if len(cells) == _NUMBERED and _WHOLE.fullmatch(cells[0]) else cells for cells in rows]


def _tells(cell: str) -> bool:
    return cell not in _NONE and cell.casefold() not in _TOKEN_NAMES


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())


def _named_column(named: Sequence[str], known: Sequence[str]) -> int | None:
    return next((named.index(name) for name in known if name in named), None)


def _place(column: str, width: int, names: Sequence[str]) -> int:
    if column in names:
        return list(names).index(column)
    folded = [name.casefold() for name in names]
    if column.casefold() in folded:
        return folded.index(column.casefold())
    if _WHOLE.fullmatch(column) and 1 <= int(column) <= width:
        return int(column) - 1
    there = f" or one of {', '.join(map(show_value, names))}" if names else "; no header names the columns"
    raise ValueError(f"no column {show_value(column)}; expected a number from 1 to {width}{there}")


@dataclass(frozen=True, slots=True)
class _FirstRows:
    sentences: Sequence[Sequence[Cells]]
    counts: Sequence[Counter[str]]

    @property
    def width(self) -> int:
        return len(self.counts)

    def words(self, tags: int | None) -> int:
        others = [place for place in range(self.width) if place != tags]
        if self.width <= 2 or not self._is_id(others[0]):
            return others[0]
        wordy = (place for place in others if not (self._is_tags(place) or self._is_id(place)))
        last = self.width - 1
        return next((place for place in wordy if place != last and not self._are_parts_of_speech(place)), others[0])

    def tags(self, tokens: int, entities: Sequence[int]) -> int:
        if entities:
            return next(place for place in entities if self._go_together(place, entities[-1]))
        others = [place for place in range(self.width) if place != tokens]
        forms = {place: form_of(self.counts[place]) for place in others}
        written = [place for place, form in forms.items() if form is not None and not form.is_bare]
        bare = [place for place, form in forms.items() if form is not None and form.is_bare]
        outside = [place for place in others if self._is_outside(place)]
        if written or bare:
            return (written or bare)[-1]
        return others[-1] if not outside or outside[-1] == others[-1] else outside[0]

    def _go_together(self, first: int, last: int) -> bool:
        if self._sorts(first) & self._sorts(last):
            return True
        pairs = Counter((cells[first], cells[last]) for sentence in self.sentences for cells in sentence)
        inside = all(inner == "O" for outer, inner in pairs if outer == "O")
        return inside and 2 * self.counts[first]["O"] >= self.counts[first].total()

    def entities(self, tokens: int) -> list[int]:
        places = (place for place in range(self.width) if place != tokens)
        return [place for place in places if self._is_tags(place) and self._sorts(place)]

    def outside(self, tokens: int) -> list[int]:
        return [place for place in range(self.width) if place != tokens and self._is_outside(place)]

    def counting(self, tokens: int) -> int | None:
        return next((place for place in range(tokens) if self._runs(place)), None)

    def grouping(self, tokens: int) -> int | None:
        for place in range(tokens):
            column = [cells[place] for sentence in self.sentences for cells in sentence]
            changes = sum(before != after for before, after in pairwise(column))
            is_number = all(map(_WHOLE.fullmatch, column))
            if is_number and 0 < changes < len(column) - 1 and changes + 1 == len(set(column)):
                return place
        return None

    def _is_outside(self, place: int) -> bool:
        return set(self.counts[place]) == {"O"}

    def _is_tags(self, place: int) -> bool:
        counts = self.counts[place]
        tags = sum(count for tag, count in counts.items() if looks_like_tag(tag))
        return bool(counts) and tags >= _SHARE * counts.total()

    def _sorts(self, place: int) -> set[str]:
        types = {tag[2:] for tag in self.counts[place] if looks_like_tag(tag) and tag != "O"}
        return {re.split(r"[._]", name, maxsplit=1)[0].casefold() for name in types - _CHUNKS}

    def _are_parts_of_speech(self, place: int) -> bool:
        counts = self.counts[place]
        known = sum(count for tag, count in counts.items() if universal_of(tag) is not None)
        return known >= _SHARE * counts.total()

    def _is_id(self, place: int) -> bool:
        if all(_ID.fullmatch(cell) for cell in self.counts[place]):
            return True
        again = sum(len(sentence) - 1 for sentence in self.sentences)
        return again > 1 and all(len({cells[place] for cells in each}) == 1 for each in self.sentences)

    def _runs(self, place: int) -> bool:
        for sentence in self.sentences:
            numbers = [cells[place] for cells in sentence if not _RANGE.fullmatch(cells[place])]
            if not all(map(_WHOLE.fullmatch, numbers)) or any(int(b) != int(a) + 1 for a, b in pairwise(numbers)):
                return False
        return True


def _list_names(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else "".join(names)
