"""Collects a corpus's problems for one error."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass, field

from abalo.core.protocols.corpus_spec import switch
from abalo.core.records.tally import Tally
from abalo.errors import AbaloError

SHOWN = 10

LENIENT = switch("lenient", "whether to repair what can be repaired; the report counts the repairs")

WHOLE = -1
"""Place for the whole source."""

_SHORT = reprlib.Repr()
_SHORT.maxstring = 80


@dataclass(slots=True)
class Findings:
    """The problems of one source; readers continue after each to report all.

    Attributes:
        source: what the user called the source.
        joint: text between source and place.
        notices: assumptions made while reading.
        before: places before the part read.
        problems: place and message; lines and records count from 1, data set rows from 0.
        quoted: whether errors may quote the source.
        tally: numbers of what is read and lost.
        places: names of places, if a reader made the records.
    """

    source: str
    lenient: bool
    joint: str = ":"
    repairs: int = 0
    quoted: bool = True
    before: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    places: list[str] = field(default_factory=list)

    @property
    def told(self) -> tuple[str, ...]:
        """All notices; the last says what is lost."""
        return (*self.notices, *self.tally.lines())

    @property
    def unit(self) -> str:
        """What a place counts: line, row or record."""
        return "line" if self.joint == ":" else self.joint.strip()

    def error(self, place: int, message: str) -> None:
        """Adds an irreparable problem."""
        self.problems.append((place, message))

    def mended(self, place: int, message: str) -> None:
        """Adds a repair if lenient, else a problem."""
        if self.lenient:
            self.repairs += 1
        else:
            self.problems.append((place, message))

    def raise_any(self) -> None:
        """Raises `AbaloError` with all problems, if any."""
        if not self.problems:
            return
        ordered = sorted(self.problems, key=lambda problem: problem[0])
        if not self.quoted and ordered[-1][0] != WHOLE:
            many = f"{len(ordered):,} problems, the first here" if len(ordered) > 1 else "1 problem, here"
            raise AbaloError(
                f"{self._place(ordered[0][0])}: no corpus: {many}; expected CoNLL columns or JSON lines; give the file "
                "with --abalo-corpus to read more"
            )
        described = [f"{self._place(place)}: {message}" for place, message in ordered[:SHOWN]]
        if len(ordered) == 1:
            raise AbaloError(described[0])
        rest = len(ordered) - len(described)
        more = [f"and {rest:,} more"] if rest else []
        raise AbaloError("\n  ".join([f"{self.source}: {len(ordered):,} problems", *described, *more]))

    def _place(self, place: int) -> str:
        if self.places and place != WHOLE:
            return f"{self.source}, {self.places[place - 1]}"
        return self.source if place == WHOLE else f"{self.source}{self.joint}{place + self.before}"


def is_lenient(spec: str) -> bool:
    """Whether a corpus is to be repaired."""
    return bool(LENIENT.within(spec))


def show_value(value: object) -> str:
    """The repr, shortened in the middle."""
    return _SHORT.repr(value)
