"""The blocks of a report. Tasks and probes decide their content, renderers their appearance.

Text in a block is plain: each renderer makes it visible and escapes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from abalo.core import words

# Cells of a table ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measured:
    """A number with the ends of its interval, None where there are none; ``unit`` follows it."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str = ""

    @classmethod
    def of(cls, estimate: Mapping[str, Any] | None, unit: str = "") -> Measured:
        """An estimate or a judgement of the document; without a value for None."""
        return cls(unit=unit) if estimate is None else cls(estimate["value"], estimate["low"], estimate["high"], unit)

    def __str__(self) -> str:
        """The number with its interval, such as ``0.310 [0.262, 0.358]``; a dash where it has no meaning."""
        if self.value is None:
            return words.NOTHING
        return " ".join(part for part in (words.number(self.value, self._places), self.interval, self.unit) if part)

    @property
    def number(self) -> str:
        """The number alone; a dash where it has no meaning."""
        return f"{words.number(self.value, self._places)} {self.unit if self.value is not None else ''}".rstrip()

    @property
    def interval(self) -> str:
        """The interval alone, such as ``[0.262, 0.358]``; empty where there is none."""
        if self.low is None or self.high is None:
            return ""
        return f"[{words.number(self.low, self._places)}, {words.number(self.high, self._places)}]"

    @property
    def ends(self) -> tuple[float | None, ...]:
        """The value and the ends of its interval."""
        return self.value, self.low, self.high

    @property
    def _places(self) -> int:
        return 1 if self.unit else 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict with the word for it; ``note`` is set beside it."""

    verdict: str | None
    word: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Noted:
    """A text with a smaller one that goes with it."""

    text: str
    note: str


@dataclass(frozen=True, slots=True)
class Code:
    """A name as it stands in code or files."""

    text: str


@dataclass(frozen=True, slots=True)
class Shaded:
    """A text on a ground: ``shade`` is -1, all gained, to 1, all lost, None without a number; ``hint`` explains it."""

    text: str
    shade: float | None
    bold: bool
    hint: str


@dataclass(frozen=True, slots=True)
class Bars:
    """One number, or two of different colour, as bars with intervals and a limit, on the scale of the column."""

    numbers: tuple[Measured, ...]
    hint: str
    limit: float | None = None


Cell = str | Measured | Verdict | Noted | Code | Shaded | Bars


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    ``meaning`` explains the heading. The interval of a number stands beside it in a ``wide`` column, even where there
    is little room. A ``figure`` column holds `Bars`: it is left out where nothing can be drawn; its scale runs from the
    one to the other value of ``scale``, or as far as its bars need. Where columns must be cut, those of the greatest
    ``weight`` stay.
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
    """A row of a table; where rows must be cut, those of the greatest ``weight`` stay.

    ``case`` is the id of the case that it is about, which pages can link to.
    """

    cells: tuple[Cell, ...]
    weight: float = 0.0
    case: str = ""


# Blocks --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Item:
    """A line of text; ``term`` is what it is about, a name in code where ``code`` says so, ``verdict`` leads it."""

    text: str
    term: str = ""
    code: bool = False
    verdict: Verdict | None = None


Line = str | Item

Role = Literal["heading", "notice", "verdict", "plain", "list", "remarks", "facts", "command"]
"""Which part a text has in the page: a heading above what follows, what must be known before anything else, the verdict
on the run, plain lines, a list, remarks on the numbers, facts by name, the command that runs a case again."""


@dataclass(frozen=True, slots=True)
class Text:
    """Lines under a title. At most ``most`` are shown, all for None; those after the first ``open`` may be folded.

    ``verdict`` belongs to the title. ``noun`` is a line in words, for saying how many are left out. ``case`` is the id
    of the case that the text is about, which pages can link to.
    """

    lines: tuple[Line, ...]
    title: str = ""
    role: Role = "plain"
    verdict: Verdict | None = None
    noun: str = "line"
    most: int | None = None
    open: int | None = None
    case: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table, its notes below it.

    The first ``keys`` columns say what a row is about. In a ``dense`` table numbers stand without their intervals
    where there is little room. A ``figure`` says by colour what other tables say in numbers, and is left out where
    there is none. ``noun`` and ``column_noun`` are a row and a column in words; at most ``most`` rows are shown, all
    for None. ``verdict`` belongs to the title. ``legend`` explains bars or shades.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str = ""
    notes: tuple[Line, ...] = ()
    verdict: Verdict | None = None
    keys: int = 1
    dense: bool = False
    figure: bool = False
    noun: str = "row"
    column_noun: str = "column"
    most: int | None = None
    legend: tuple[Key, ...] = ()
    cards: bool = False


@dataclass(frozen=True, slots=True)
class Key:
    """The meaning of a colour in a table."""

    swatch: Literal["first", "second", "loss", "gain", "bold", ""]
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A number in a chart with its limit and its verdict; where bars must be cut, the greatest ``weight`` stays.

    ``tick`` stands beside the axis, ``label`` where there is room for it. ``reference`` is the number of an accepted
    run, ``case`` the id of the case that it is about, which pages can link to.
    """

    label: str
    number: Measured
    limit: float | None = None
    verdict: Verdict | None = None
    weight: float = 0.0
    tick: str = ""
    reference: float | None = None
    case: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Bars that belong together."""

    name: str
    bars: tuple[Bar, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """Numbers as bars, in lanes that are as wide as the page, as columns on either side of something, or as a circle
    with a sector for each group.

    ``quantity`` is what the numbers measure, ``between`` what stands between two groups of columns. The ``scale`` runs
    from the one to the other value, or as far as the bars need. At most ``most`` bars of a group are shown. Where
    nothing can be drawn, ``table`` stands in for it; elsewhere it stands beside it.
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
    """Part of a sentence that is marked; ``label`` follows it, ``hint`` explains it, ``colour`` numbers its type.

    A part of something that is cut in two ``starts`` or ``stops`` it, or neither.
    """

    kind: Literal["found", "lost", "missed", "predicted", "edited", "removed", "target"]
    parts: tuple[Piece, ...]
    label: str = ""
    hint: str = ""
    colour: int | None = None
    starts: bool = True
    stops: bool = True


Piece = str | Mark
"""Words of a sentence, or marked ones; pieces have a space between them."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence, and which one it is."""

    which: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """Sentences that belong together under a caption."""

    caption: Line
    sentences: tuple[Marked, ...]


@dataclass(frozen=True, slots=True)
class Examples:
    """Examples with their title; those after the first ``open`` may be folded. ``legend`` pairs marks and meanings."""

    examples: tuple[Example, ...]
    title: str = ""
    legend: tuple[tuple[Mark, str], ...] = ()
    open: int = 3


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks that are not needed at once: folded away under their title where a reader can open it."""

    title: str
    blocks: tuple[Block, ...]


Block = Text | Table | Chart | Examples | Fold
"""A part of a report, which every renderer shows."""


def folded(block: Block) -> Block:
    """The block folded away under its title; as it is where it is a fold, or has no title."""
    if isinstance(block, Fold) or not block.title:
        return block
    return Fold(block.title, (replace(block, title=""),))


def unfolded(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks, those in folds in the place of the folds."""
    for block in blocks:
        if isinstance(block, Fold):
            yield from unfolded(block.blocks)
        else:
            yield block


def heads(titles: Sequence[str], *, numeric: bool = True, wide: bool = False) -> tuple[Column, ...]:
    """Columns with a heading and no other text."""
    return tuple(Column(title, numeric=numeric, wide=wide) for title in titles)


def meanings(columns: Sequence[Column]) -> tuple[Item, ...]:
    """Notes that explain the headings of columns, for pages without tooltips."""
    return tuple(Item(column.meaning, column.heading) for column in columns if column.meaning)


def defined(terms: Mapping[str, str]) -> tuple[Item, ...]:
    """Notes that explain terms."""
    return tuple(Item(meaning, term) for term, meaning in terms.items())


Heavy = TypeVar("Heavy", Row, Column, Bar)


def heaviest(items: Sequence[Heavy], most: int | None) -> tuple[Heavy, ...]:
    """At most so many items, all for None: those of the greatest weight, in their order."""
    kept = {id(item) for item in sorted(items, key=lambda item: -item.weight)[:most]}
    return tuple(item for item in items if id(item) in kept)
