"""The problems of a corpus: collected while it is read, listed in one error."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass, field

from abalo.errors import AbaloError

SHOWN = 10
"""How many problems an error shows before it only counts the rest."""

WHOLE = -1
"""The place of a problem of the source as a whole."""

_SHORT = reprlib.Repr()
_SHORT.maxstring = 80


@dataclass(slots=True)
class Findings:
    """The problems of one source, each at a place: a line or record of a file from 1, a row of a data set from 0.

    ``source`` names the file or data set as the user did; ``joint`` stands between it and the place. ``repairs``
    counts what lenient reading mended, ``notices`` say what any reading took for granted. ``before`` is how many places
    of the source come before those that are read. Readers mend whatever they can and go on, strict or lenient, so that
    one error shows everything. Unless ``quoted``, it has no word of the source.
    """

    source: str
    lenient: bool
    joint: str = ":"
    repairs: int = 0
    quoted: bool = True
    before: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    @property
    def unit(self) -> str:
        """The word for a place: line, row or record."""
        return "line" if self.joint == ":" else self.joint.strip()

    def error(self, place: int, message: str) -> None:
        """A problem that nothing mends."""
        self.problems.append((place, message))

    def mended(self, place: int, message: str) -> None:
        """A problem that the reader has mended: a repair when lenient, an error when strict."""
        if self.lenient:
            self.repairs += 1
        else:
            self.problems.append((place, message))

    def raise_any(self) -> None:
        """Raises AbaloError with every problem in order of place, the first ten in words; returns if there is none."""
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
        return self.source if place == WHOLE else f"{self.source}{self.joint}{place + self.before}"


def shown(value: object) -> str:
    """``value`` as Python writes it, with dots for the middle of a long one."""
    return _SHORT.repr(value)
