"""Part of a probe: how it reads its tables in thresholds.toml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from abalo.core.plan import Parameters, Plan
from abalo.core.settings import Entry
from abalo.core.task import Task
from abalo.core.verdicts import Bound


@dataclass(frozen=True, eq=False)
class Entries:
    """Reads the entries of a probe: by default those of one ``table``, which have settings and bounds alone."""

    table: str = ""

    def tables(self, task: Task) -> Sequence[str]:
        """The names of the tables of a task that the probe reads."""
        return (self.table,)

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        """The keys that an entry can have besides settings and bounds."""
        return ()

    def described(self, table: str, task: Task) -> Mapping[str, Mapping[str, Any]]:
        """A JSON Schema of each key of `parameters` in a table, with its meaning; a key without takes any value.

        Further keys, which an entry can choose by itself, are described under ``""``.
        """
        return {}

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        """Settings that an entry cannot have, each with the reason."""
        return {}

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        """The plans that an entry asks for, one a case; none, and problems added, where it has any.

        Keys that are settings or bounds have been taken out of its values.
        """
        return (Parameters(dict(entry.values)),)

    def refused_bounds(self, bounds: Sequence[Bound], plan: Plan, task: Task) -> Iterator[tuple[str, str]]:
        """The bounds that this case cannot have, by the key in its entry, each with the reason.

        Bounds on metrics that say nothing in any case of the probe are refused already (`Probe.meaningless`).
        """
        yield from ()

    def usual_view(self, task: Task, plan: Plan) -> str:
        """The view that bounds are about unless they say otherwise."""
        return task.usual_view

    def skipped(self, plan: Plan, language: str) -> str | None:
        """Why a case says nothing about a corpus in the language; None where it does.

        For `AUTO`, which is not known yet, only what holds in every language is a reason.
        """
        return None
