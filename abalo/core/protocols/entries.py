"""Reads a probe's tables in thresholds.toml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from abalo.core.protocols.task import Task
from abalo.core.records.gate import AUTO
from abalo.core.records.settings import Entry
from abalo.core.statistics.plan import Parameters, Plan
from abalo.core.statistics.verdicts import Bound


@dataclass(frozen=True, eq=False)
class Entries:
    """Reads the entries of a probe; by default one ``table`` with only settings and bounds."""

    table: str = ""

    def tables(self, task: Task) -> Sequence[str]:
        """The names of the task's tables that the probe reads."""
        return (self.table,)

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        """The keys of an entry besides settings and bounds."""
        return ()

    def described(self, table: str, task: Task) -> Mapping[str, Mapping[str, object]]:
        """A JSON Schema of each key of `parameters` in a table; {} accepts any value.

        Keys that entries choose freely are described under "".
        """
        return {}

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        """Settings that an entry cannot have, each with the reason."""
        return {}

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        """The plans of an entry, one per case; empty if it adds problems.

        Settings and bounds are already removed from its values.
        """
        return (Parameters(dict(entry.values)),)

    def refused_bounds(self, bounds: Sequence[Bound], plan: Plan, task: Task) -> Iterator[tuple[str, str]]:
        """The bounds that a case cannot have, as keys and reasons."""
        yield from ()

    def usual_view(self, task: Task, plan: Plan) -> str:
        """The default view of the bounds."""
        return task.usual_view

    def skipped(self, plan: Plan, language: str) -> str | None:
        """Why a case does not apply to a language; None if it does.

        For `AUTO`, give only a reason that holds for every language.
        """
        return None

    def lacks_resource(self, plan: Plan, language: str) -> bool:
        """Whether a skipped case needs a resource, not another language."""
        return self.skipped(plan, AUTO) is not None
