"""Cases about something with settings, such as an attack, that a table is called after."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, ClassVar, Generic, TypeVar

from abalo.core import words
from abalo.core.configuring import Lists, Settable, described
from abalo.core.entries import Entries
from abalo.core.plan import Parameters, Plan
from abalo.core.probe import Case, Probe, RunContext, Taught
from abalo.core.probe_report import ProbeReport
from abalo.core.results import task_of
from abalo.core.settings import Entry, one_of
from abalo.core.task import Task
from abalo.probes.drawing import FIELD
from abalo.probes.parameters import check_parameters
from abalo.sources.resources import other_language
from perturbations.resources import REVIEWED

M = TypeVar("M", bound=Settable[Any])


class ConfiguredEntries(Entries, ABC, Generic[M]):
    """The entries of a probe with a table for each member of a catalogue, whose settings are the parameters.

    ``meanings`` are those of the settings, by name.
    """

    meanings: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def members(self, task: Task) -> Mapping[str, M]:
        """The members that fit the task, by name."""

    def lists(self, member: M) -> Lists:
        """The word lists of a member by language; none where it looks up no words."""
        return {}

    def tables(self, task: Task) -> Sequence[str]:
        """A table for each member."""
        return list(self.members(task))

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        """The settings of the member, and the field that changes where a case can choose one."""
        return [*self.members(task)[entry.name].parameters(), *([FIELD] if _fields(task) else [])]

    def described(self, table: str, task: Task) -> Mapping[str, Mapping[str, Any]]:
        """The types, defaults and meanings of the settings."""
        found = described(self.members(task)[table].settings, self.meanings)
        fields = {"enum": list(_fields(task)), "description": self.meanings.get(FIELD, "")}
        return found | ({FIELD: fields} if _fields(task) else {})

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        """The span source."""
        return {"span_source": f"{entry.name} is not aimed at spans; leave it out"}

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        """The one plan of an entry."""
        member = self.members(task)[entry.name]
        values = check_parameters(member, entry.values, entry.place, entry.problems, free=(FIELD,))
        if FIELD in values and values[FIELD] not in _fields(task):
            entry.problem(f"{values[FIELD]!r}; expected {one_of(tuple(_fields(task))).words}", FIELD)
            return ()
        return (Parameters({key: values[key] for key in (*member.parameters(), FIELD) if key in values}, member),)

    def skipped(self, plan: Plan, language: str) -> str | None:
        """It has no word lists for the language, and the case names none."""
        assert isinstance(plan, Parameters)
        known = self.lists(plan.of)
        own = {name for name, value in plan.params.items() if value != REVIEWED.name}
        named = {name for lists in known.values() for name in lists} & own
        return None if named else other_language(tuple(known), language)


class ConfiguredReport(ProbeReport):
    """The settings of a member in reports; ``entries`` know the catalogue."""

    def __init__(self, entries: ConfiguredEntries[Any]) -> None:
        self._entries = entries

    def title(self, result: Mapping[str, Any]) -> str:
        """The title of the member."""
        member = self._entries.members(task_of(result)).get(result["perturbation"])
        return super().title(result) if member is None else member.heading

    def settings(self, result: Mapping[str, Any]) -> Sequence[str]:
        """The settings that are not as usual; a list that ships for a language is."""
        member = self._entries.members(task_of(result)).get(result["perturbation"])
        if member is None:
            return words.parameters(result["params"])
        told = words.unusual(result["params"], asdict(member.configured()))
        shipped = {pair for lists in self._entries.lists(member).values() for pair in lists.items()}
        return words.parameters({name: value for name, value in told.items() if (name, value) not in shipped})


class ConfiguredProbe(Probe, Generic[M]):
    """A probe about the members of a catalogue; ``sized`` is the setting that says how many changes are made."""

    entries: ConfiguredEntries[M]
    teaches = True
    sized: ClassVar[str]

    def member(self, case: Case) -> M:
        """The member that a case is about."""
        assert isinstance(case.plan, Parameters)
        found: M = case.plan.of
        return found

    def configured(self, case: Case, language: str = "") -> Any:
        """The settings of a case, with the word lists of the language where it leaves them open."""
        params = self.spoken(case, language)
        return self.member(case).configured(**{key: value for key, value in params.items() if key != FIELD})

    def field(self, case: Case, task: Task) -> str:
        """The field of an example that a case changes; empty for the one that the targets of the task stand in."""
        named = self.spoken(case, "").get(FIELD)
        return "" if named is None else _fields(task)[named]

    def lessons(self, case: Case, session: RunContext, seed: int, most: int) -> Sequence[Taught]:
        """The changes to which the model of the session itself leads."""
        assert isinstance(case.plan, Parameters)
        plan = replace(case.plan, params={**case.params, self.sized: most})
        ran = self.run(replace(case, plan=plan, seeds=(seed,), limit=None), session)
        return [Taught(each.variant.example, each.example) for each in ran.outcomes if each.variant is not None][:most]

    def spoken(self, case: Case, language: str) -> dict[str, Any]:
        """The parameters of a case, with the word lists of the language where it leaves them open, or says "lists"."""
        given = {name: value for name, value in case.params.items() if value != REVIEWED.name}
        return {**self.entries.lists(self.member(case)).get(language, {}), **given}


def _fields(task: Task) -> Mapping[str, str]:
    """The fields that a case of the task can choose by itself, by the names that it can give them."""
    return {name: fields[0] for name, fields in task.fields.choices.items() if len(fields) == 1}
