"""Cases about members of a catalogue, such as attacks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, ClassVar, Generic, TypeVar

from abalo.core.documents.found import Result
from abalo.core.protocols.entries import Entries
from abalo.core.protocols.probe import Case, Probe, RunContext, Taught
from abalo.core.protocols.probe_report import ProbeReport
from abalo.core.protocols.results import task_of
from abalo.core.protocols.task import Task
from abalo.core.records import words
from abalo.core.records.configuring import Lists, Settable, describe_settings
from abalo.core.records.settings import Entry, one_of
from abalo.core.statistics.plan import Parameters, Plan
from abalo.probes.drawing import FIELD
from abalo.probes.parameters import check_parameters
from abalo.sources.resources import other_language
from perturbations.resources import REVIEWED

M = TypeVar("M", bound=Settable[Any])


class ConfiguredEntries(Entries, ABC, Generic[M]):
    """Entries with a table for each member of a catalogue; ``meanings`` explains its settings."""

    meanings: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def members(self, task: Task) -> Mapping[str, M]:
        """The members that fit the task, by name."""

    def lists(self, member: M) -> Lists:
        """Word lists of a member, by language."""
        return {}

    def tables(self, task: Task) -> Sequence[str]:
        return list(self.members(task))

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        return [*self.members(task)[entry.name].parameters(), *([FIELD] if _fields(task) else [])]

    def described(self, table: str, task: Task) -> Mapping[str, Mapping[str, object]]:
        found = describe_settings(self.members(task)[table].settings, self.meanings)
        fields = {"enum": list(_fields(task)), "description": self.meanings.get(FIELD, "")}
        return found | ({FIELD: fields} if _fields(task) else {})

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        return {"span_source": f"{entry.name} is not aimed at spans; leave it out"}

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        member = self.members(task)[entry.name]
        values = check_parameters(member, entry.values, entry.place, entry.problems, free=(FIELD,))
        if FIELD in values and values[FIELD] not in _fields(task):
            entry.problem(f"{values[FIELD]!r}; expected {one_of(tuple(_fields(task))).words}", FIELD)
            return ()
        return (Parameters({key: values[key] for key in (*member.parameters(), FIELD) if key in values}, member),)

    def skipped(self, plan: Plan, language: str) -> str | None:
        assert isinstance(plan, Parameters)
        known = self.lists(plan.of)
        own = {name for name, value in plan.params.items() if value != REVIEWED.name}
        named = {name for lists in known.values() for name in lists} & own
        return None if named else other_language(tuple(known), language)


class ConfiguredReport(ProbeReport):
    """Settings of a member in reports; ``sized`` is left out unless the id of the case has its value."""

    sized: ClassVar[str] = ""

    def __init__(self, entries: ConfiguredEntries[Any]) -> None:
        self._entries = entries

    def title(self, result: Result) -> str:
        member = self._entries.members(task_of(result)).get(result.name)
        return super().title(result) if member is None else member.heading

    def settings(self, result: Result) -> Sequence[str]:
        member = self._entries.members(task_of(result)).get(result.name)
        if member is None:
            return words.parameters(result.params)
        told = words.unusual(result.params, asdict(member.configured()))
        if f"{self.sized}-{told.get(self.sized)}" not in result.id:  # a quick look takes fewer
            told.pop(self.sized, None)
        shipped = [pair for lists in self._entries.lists(member).values() for pair in lists.items()]
        return words.parameters({name: value for name, value in told.items() if (name, value) not in shipped})


class ConfiguredProbe(Probe, Generic[M]):
    """A probe about members of a catalogue; the setting ``sized`` limits the number of changes."""

    entries: ConfiguredEntries[M]
    sized: ClassVar[str]

    def member(self, case: Case) -> M:
        assert isinstance(case.plan, Parameters)
        found: M = case.plan.of
        return found

    def configured(self, case: Case, language: str = "") -> Any:
        """Settings of a case; the language's word lists fill open ones."""
        params = self.spoken(case, language)
        return self.member(case).configured(**{key: value for key, value in params.items() if key != FIELD})

    def field(self, case: Case, task: Task) -> str:
        """The field to change; "" for the field of the task's targets."""
        named = self.spoken(case, "").get(FIELD)
        return "" if named is None else _fields(task)[named]

    def lessons(self, case: Case, engine: RunContext, seed: int, most: int) -> Sequence[Taught]:
        assert isinstance(case.plan, Parameters)
        plan = replace(case.plan, params={**case.params, self.sized: most})
        ran = self.run(replace(case, plan=plan, seeds=(seed,), limit=None), engine)
        return [Taught(each.variant.example, each.example) for each in ran.outcomes if each.variant is not None][:most]

    def spoken(self, case: Case, language: str) -> dict[str, Any]:
        """Parameters of a case; the language's word lists fill open ones."""
        given = {name: value for name, value in case.params.items() if value != REVIEWED.name}
        return {**self.entries.lists(self.member(case)).get(language, {}), **given}


def _fields(task: Task) -> Mapping[str, str]:
    return {name: fields[0] for name, fields in task.fields.choices.items() if len(fields) == 1}
