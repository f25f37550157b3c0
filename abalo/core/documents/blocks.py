"""The blocks of a report. Their text is plain; renderers escape it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from abalo.core.documents.found import Interval
from abalo.core.records import words

# Cells of a table ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measured:
    """A number with an optional interval and a ``unit``."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str = ""

    @classmethod
    def of(cls, estimate: Interval | None, unit: str = "") -> Measured:
        """The number of an estimate or judgement; empty for None."""
        return cls(unit=unit) if estimate is None else cls(estimate.value, estimate.low, estimate.high, unit)

    def __str__(self) -> str:
        if self.value is None:
            return words.NOTHING
        return " ".join(part for part in (words.number(self.value, self._places), self.interval, self.unit) if part)

    @property
    def number(self) -> str:
        """The number; a dash if undefined."""
        return f"{words.number(self.value, self._places)} {self.unit if self.value is not None else ''}".rstrip()

    @property
    def interval(self) -> str:
        """The interval, such as ``[0.262, 0.358]``; "" if missing."""
        if self.low is None or self.high is None:
            return ""
        return f"[{words.number(self.low, self._places)}, {words.number(self.high, self._places)}]"

    @property
    def ends(self) -> tuple[float | None, ...]:
        """The value and both ends of the interval."""
        return self.value, self.low, self.high

    @property
    def _places(self) -> int:
        return 1 if self.unit else 3


@dataclass(frozen=True, slots=True)
class VerdictMark:
    """A verdict and its word."""

    verdict: str | None
    word: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Noted:
    """A text with a smaller note."""

    text: str
    note: str


@dataclass(frozen=True, slots=True)
class Code:
    """A name set as code."""

    text: str


@dataclass(frozen=True, slots=True)
class Shaded:
    """A text on a coloured ground; ``shade`` runs from -1, all gained, to 1, all lost."""

    text: str
    shade: float | None
    bold: bool
    hint: str


@dataclass(frozen=True, slots=True)
class Bars:
    """One or two numbers as bars."""

    numbers: tuple[Measured, ...]
    hint: str
    limit: float | None = None


Cell = str | Measured | VerdictMark | Noted | Code | Shaded | Bars


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    * ``meaning``: explains the heading.
    * ``wide``: keeps intervals in little space.
    * ``figure``: holds `Bars`; left out if they cannot be drawn.
    * ``scale``: first and last value of the bars; None fits them.
    * ``weight``: the heaviest columns stay if some are cut.
    """

    heading: str
    meaning: str = ""
    numeric: bool = False
    wide: bool = False
    figure: bool = False
    scale: tuple[float, float] | None = None
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, linked to a ``case`` id; the heaviest stay if rows are cut."""

    cells: tuple[Cell, ...]
    weight: float = 0.0
    case: str = ""


# Blocks --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Item:
    """A line of text about a ``term``, which ``code`` sets as code."""

    text: str
    term: str = ""
    code: bool = False
    verdict: VerdictMark | None = None


Line = str | Item

Role = Literal["heading", "notice", "verdict", "plain", "list", "remarks", "facts", "command"]


@dataclass(frozen=True, slots=True)
class Text:
    """Lines under a title.

    * ``most``: largest number of lines; None shows all.
    * ``open``: later lines may be folded.
    * ``noun``: one line in words.
    * ``case``: id of the case to link to.
    """

    lines: tuple[Line, ...]
    title: str = ""
    role: Role = "plain"
    verdict: VerdictMark | None = None
    noun: str = "line"
    most: int | None = None
    open: int | None = None
    case: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with notes below it.

    * ``keys``: number of leading columns that identify a row.
    * ``dense``: hides intervals in little space.
    * ``figure``: repeats other tables in colours.
    * ``noun`` and ``column_noun``: a row and a column in words.
    * ``most``: largest number of rows; None shows all.
    * ``legend``: explains bars or shades.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str = ""
    notes: tuple[Line, ...] = ()
    verdict: VerdictMark | None = None
    keys: int = 1
    dense: bool = False
    figure: bool = False
    noun: str = "row"
    column_noun: str = "column"
    most: int | None = None
    legend: tuple[ColourKey, ...] = ()
    cards: bool = False


@dataclass(frozen=True, slots=True)
class ColourKey:
    """The meaning of a colour."""

    swatch: Literal["first", "second", "loss", "gain", "bold", ""]
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A number in a chart; ``reference`` is an accepted run's, and ``few`` bars do not stretch the scale."""

    label: str
    number: Measured
    limit: float | None = None
    verdict: VerdictMark | None = None
    weight: float = 0.0
    tick: str = ""
    reference: float | None = None
    case: str = ""
    few: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Bars that belong together."""

    name: str
    bars: tuple[Bar, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """Numbers as bars, full-width lanes, columns on two sides, or sectors of a circle.

    A ``scale`` of None fits the bars. ``table`` replaces a chart that cannot be drawn.
    """

    title: str
    groups: tuple[Group, ...]
    quantity: str
    shape: Literal["bars", "lanes", "circle", "columns"] = "bars"
    between: str = ""
    scale: tuple[float, float] | None = None
    notes: tuple[Line, ...] = ()
    most: int = 40
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked part of a sentence; of its pieces, the first ``starts`` it and the last ``stops`` it."""

    kind: Literal["found", "lost", "missed", "predicted", "edited", "removed", "target"]
    parts: tuple[Piece, ...]
    label: str = ""
    hint: str = ""
    colour: int | None = None
    starts: bool = True
    stops: bool = True


Piece = str | Mark


@dataclass(frozen=True, slots=True)
class TreeArc:
    """A labelled arc from ``head``, -1 for the root; ``right`` is the expected label, "" if equal."""

    word: int
    head: int
    label: str
    right: str = ""


@dataclass(frozen=True, slots=True)
class DrawnTree:
    """Words with arcs above them."""

    words: tuple[str, ...]
    arcs: tuple[TreeArc, ...]
    title: str


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence, with a ``tree`` below it."""

    which: str
    pieces: tuple[Piece, ...]
    tree: DrawnTree | None = None


@dataclass(frozen=True, slots=True)
class ShownExample:
    """Related sentences under a caption."""

    caption: Line
    sentences: tuple[Marked, ...]


@dataclass(frozen=True, slots=True)
class Examples:
    """Examples; only the first ``open`` stay unfolded."""

    examples: tuple[ShownExample, ...]
    title: str = ""
    legend: tuple[tuple[Mark, str], ...] = ()
    open: int = 3


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks folded under a title."""

    title: str
    blocks: tuple[Block, ...]


Block = Text | Table | Chart | Examples | Fold
"""A part of a report."""


def fold_block(block: Block) -> Block:
    """The block, folded if it has a title."""
    if isinstance(block, Fold) or not block.title:
        return block
    return Fold(block.title, (replace(block, title=""),))


def unfold_blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks, with folds replaced by their content."""
    for block in blocks:
        if isinstance(block, Fold):
            yield from unfold_blocks(block.blocks)
        else:
            yield block


def heads(titles: Sequence[str], *, numeric: bool = True, wide: bool = False) -> tuple[Column, ...]:
    """Columns with only a heading."""
    return tuple(Column(title, numeric=numeric, wide=wide) for title in titles)


def meanings(columns: Sequence[Column]) -> tuple[Item, ...]:
    """Notes that explain column headings."""
    return tuple(Item(column.meaning, column.heading) for column in columns if column.meaning)


def define_terms(terms: Mapping[str, str]) -> tuple[Item, ...]:
    """Notes that explain terms."""
    return tuple(Item(meaning, term) for term, meaning in terms.items())


Heavy = TypeVar("Heavy", Row, Column, Bar)


def heaviest(items: Sequence[Heavy], most: int | None) -> tuple[Heavy, ...]:
    """The ``most`` heaviest items, in order."""
    kept = {id(item) for item in sorted(items, key=lambda item: -item.weight)[:most]}
    return tuple(item for item in items if id(item) in kept)


def with_one_legend(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks, with each mark explained once, where it first appears."""
    seen: set[tuple[Mark, str]] = set()
    for block in blocks:
        if isinstance(block, Examples):
            shown = {each for example in block.examples for one in example.sentences for each in _signs_in(one.pieces)}
            new = tuple(each for each in block.legend if each not in seen and _sign(each[0]) in shown)
            yield replace(block, legend=new)
            seen.update(new)
        else:
            yield block


def _signs_in(pieces: Sequence[Piece]) -> Iterator[tuple[str, str]]:
    for mark in pieces:
        if isinstance(mark, Mark):
            yield _sign(mark)
            yield from _signs_in(mark.parts)


def _sign(mark: Mark) -> tuple[str, str]:
    """Kind and leading sign, such as ✗."""
    return mark.kind, "" if mark.label[:1].isalnum() else mark.label[:1]
