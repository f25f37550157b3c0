"""A benchmark's table on the terminal and its figures as JSON; a figure with its interval."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from abalo.core.statistics.estimates import Estimate

FOLDER = Path(__file__).parent / "results"
_kept = True


def keep(*, figures: bool) -> None:
    """Whether `show` writes the figures of this process from now on."""
    global _kept  # noqa: PLW0603 - one command, one process
    _kept = figures


@dataclass(frozen=True, slots=True)
class Aim:
    """The least value of a column that is wanted, with ``at_most`` the largest. Rows without a number do not count.

    ``least`` limits it to rows with at least such a value in another column.
    """

    column: str
    value: float
    at_most: bool = False
    least: tuple[str, float] | None = None

    def __str__(self) -> str:
        wanted = f"{self.column} {'at most' if self.at_most else 'at least'} {self.value:g}"
        return wanted if self.least is None else f"{wanted} where {self.least[0]} is at least {self.least[1]:g}"

    def missed_by(self, rows: Sequence[Mapping[str, object]]) -> list[str]:
        """The rows beyond it, each by its first column, with its value."""
        if self.least is not None:
            column, least = self.least
            rows = [row for row in rows if isinstance(value := row[column], int | float) and value >= least]
        found = [(str(next(iter(row.values()))), row[self.column]) for row in rows]
        numbers = [(name, value) for name, value in found if isinstance(value, int | float)]
        return [
            f"{name} ({value:g})"
            for name, value in numbers
            if (value > self.value if self.at_most else value < self.value)
        ]


def show(name: str, rows: Sequence[Mapping[str, object]], aims: Sequence[Aim] = ()) -> None:
    """Prints the rows as a Markdown table, then what was aimed at and what missed it.

    Writes all of it, with the machine it came from, to results/``name``.json, unless `keep` was told not to.
    """
    columns = list(rows[0])
    print("| " + " | ".join(columns) + " |")
    print("|" + " --- |" * len(columns))
    for row in rows:
        print("| " + " | ".join(str(row[column]) for column in columns) + " |")
    said = [f"aim: {aim}: {_reached(aim.missed_by(rows))}" for aim in aims]
    print("".join(f"\n{line}" for line in said))
    if not _kept:
        return
    FOLDER.mkdir(exist_ok=True)
    machine = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
    text = json.dumps({"benchmark": name, **machine, "rows": list(rows), "aims": said}, indent=1, ensure_ascii=False)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def _reached(missed: Sequence[str]) -> str:
    return f"missed by {', '.join(missed)}" if missed else "reached"


def with_interval(estimate: Estimate) -> str:
    """A figure with its interval, a dash where it has no meaning."""
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]" if estimate.n else "–"
