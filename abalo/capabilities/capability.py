"""Capabilities: what a model must be able to do, as read from capabilities.toml."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le, MinLen

from abalo.bundled import bundled_path
from abalo.capabilities.expectations import Expectation, Stays, expectation_of
from abalo.capabilities.fillers import TO, Filler, FillerRow, ListedValues, ValueSource, filler_of, missing
from abalo.capabilities.templates import Template, TemplateText, base_of
from abalo.core.protocols.task import Task
from abalo.core.records.settings import LANGUAGE, TEXT, WAIVER_SETTINGS, Entry, Wanted, case_settings, check_setting
from abalo.core.records.values import AS_WHOLE
from abalo.core.statistics.plan import Plan, ascii_words
from perturbations.suggestions import did_you_mean

CapabilityKind = Literal["minimum functionality", "invariance", "directional"]
"""The test types of CheckList [Ribeiro et al., Beyond Accuracy, ACL 2020]."""

KINDS: tuple[CapabilityKind, ...] = ("minimum functionality", "invariance", "directional")

CORPUS = "corpus"

FAILURES = "failures:"
"""Prefix of a file of sentences that once broke a model."""

SUITES = "fixtures/capabilities"

SAMPLE = 200


def _text(meaning: str) -> Wanted:
    return Wanted(TEXT, "a text", meaning)


SETTINGS: Mapping[str, Wanted] = {
    "name": _text("Name of the test, part of its id. Required."),
    "capability": _text("Row of the matrix of capabilities in the report, such as negation (default: the name)."),
    "templates": Wanted(
        str | Annotated[Sequence[Any], MinLen(1)],
        f'a list of templates, "{CORPUS}", or "{FAILURES}FILE"',
        "Sentences with slots such as {name}; the sentences of the corpus; or a file of sentences that broke a model.",
    ),
    "sample": Wanted(
        Annotated[int, Ge(1), Le(100_000), AS_WHOLE],
        "a whole number from 1 to 100,000",
        "Fillings that are run at most, drawn at random.",
        SAMPLE,
    ),
    "change": _text("Slot whose value changes. Without it, predictions are compared with gold."),
    "expect": _text('Expected effect of `change`, such as "label becomes negative" (default: "nothing changes").'),
    LANGUAGE: _text("Language of the templates; the case is skipped for corpora in others."),
}

_OF_EVERY_CASE = frozenset([*case_settings(()), *WAIVER_SETTINGS, "span_source"])


def is_reserved(key: str) -> bool:
    """Returns True if the key cannot name a filler."""
    return key in SETTINGS or key in _OF_EVERY_CASE or key.startswith(("min_", "max_"))


@dataclass(frozen=True, slots=True, eq=False)
class Capability(Plan):
    """A capability as the user wrote it.

    Attributes:
        row: Row of the matrix.
        templates: Empty if the corpus or ``failures`` supplies the sentences.
        failures: File of sentences that once broke a model.
        change: Slot whose value changes; "" compares predictions with gold.
        sample: Most fillings to run.
        language: "" for the language of the corpus.
        folder: Base of relative paths.
    """

    name: str
    row: str
    templates: tuple[Template, ...] = ()
    fillers: Mapping[str, Filler] = field(default_factory=dict)
    failures: str = ""
    change: str = ""
    expectation: Expectation = field(default_factory=Stays)
    expect: str = ""
    sample: int = SAMPLE
    language: str = ""
    folder: Path = Path()

    @property
    def kind(self) -> CapabilityKind:
        """The CheckList test type."""
        if not self.change:
            return "minimum functionality"
        return "directional" if self.expect else "invariance"

    @property
    def ships(self) -> bool:
        """True for a bundled suite, which cannot know every model's labels."""
        return self.folder.resolve() == bundled_path(SUITES).resolve()

    @property
    def params(self) -> Mapping[str, Any]:
        said = {"name": self.name, "capability": self.row, "change": self.change, "expect": self.expect}
        return {key: value for key, value in said.items() if value} | {"sample": self.sample}

    @property
    def leading(self) -> Sequence[str]:
        slug = ascii_words(self.name)
        digest = hashlib.blake2b(self.name.encode("utf-8", "surrogatepass"), digest_size=3).hexdigest()
        return (slug,) if self.name.isascii() else (slug.strip("_") or "named", digest)

    @property
    def shown(self) -> Mapping[str, object]:
        return {}


def slots_in(values: Mapping[str, object]) -> list[str]:
    """Returns the keys in braces in templates or the expected label."""
    keys = {key for _, template in _templates_of(values, "") for key in template.keys}
    changing = values.get("change")
    if isinstance(changing, str):
        keys.add(changing)
    keys |= set(_in_label(values.get("expect")))
    bases = {base_of(each, values) for each in keys}
    return [key for key in values if key in bases and not is_reserved(key)]


def _in_label(expect: object) -> list[str]:
    try:
        return (
            [each.key for each in TemplateText(expectation_of(expect).label).references]
            if isinstance(expect, str)
            else []
        )
    except ValueError:
        return []


def _templates_of(values: Mapping[str, object], first: str) -> Iterator[tuple[int, Template]]:
    given = values.get("templates")
    for number, each in enumerate(given if isinstance(given, list | tuple) else (), start=1):
        try:
            yield number, _template(each, first)
        except (TypeError, ValueError):
            continue


def _template(given: object, first: str) -> Template:
    if isinstance(given, str):
        return Template.of({first: given})
    if isinstance(given, Mapping) and given:
        for key, value in given.items():
            several = isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)
            if not isinstance(value, str) and not several:
                raise ValueError(f"{key} is {value!r}; expected a text, or a list of texts")
        return Template.of(given)
    raise ValueError(f"{given!r}; expected a text, or a table of texts")


@dataclass
class CapabilityReader:
    """Reads a capability entry; adds problems to the entry instead of raising."""

    entry: Entry
    task: Task
    values: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._known = len(self.entry.problems.found)

    @property
    def _sound(self) -> bool:
        return len(self.entry.problems.found) == self._known

    def read(self) -> Capability | None:
        """Returns the capability; None if the entry has problems."""
        given = self.entry.values
        for key in SETTINGS:
            if key in given:
                place = f"{self.entry.place} {key}"
                self.values |= check_setting(SETTINGS[key], key, given[key], place, self.entry.problems)
        for key in ("name", "templates"):
            if key not in given:
                self.entry.problem(f"a capability needs {key}, {SETTINGS[key].words}; add it")
        fillers = self._fillers()
        templates = self._templates()
        found = self._capability(templates, fillers) if self._sound else None
        if found is not None:
            self._check(found)
        return found if self._sound else None

    def _fillers(self) -> dict[str, Filler]:
        made: dict[str, Filler] = {}
        for key, value in self.entry.values.items():
            if key not in SETTINGS:
                try:
                    made[key] = found = filler_of(key, value)
                    if isinstance(found, ValueSource) and (problem := self._missing(found)):
                        self.entry.problem(problem, key)
                except ValueError as error:
                    self.entry.problem(str(error), key)
        return made

    def _missing(self, source: ValueSource) -> str | None:
        return missing(source, self.entry.problems.path.parent, self.values.get(LANGUAGE, ""))

    def _templates(self) -> tuple[Template, ...]:
        given = self.values.get("templates", ())
        if isinstance(given, str):
            named = given.startswith(FAILURES) and given.removeprefix(FAILURES).strip()
            if given != CORPUS and not named:
                self.entry.problem(f"{given!r}; expected {SETTINGS['templates'].words}", "templates")
            return ()
        made = []
        fields = list(self.task.templates.fields)
        for number, each in enumerate(given, start=1):
            place = f"template {number}"
            try:
                template = _template(each, fields[0])
            except ValueError as error:
                self.entry.problem(str(error), place)
                continue
            unknown = next((name for name in template.fields if name not in fields), None)
            if unknown is not None:
                known = ", ".join(f"{name} ({holds})" for name, holds in self.task.templates.fields.items())
                near = did_you_mean(unknown, fields)
                self.entry.problem(f"{unknown!r} is no field of it{near}; there are {known}", place)
            made.append(template)
        return tuple(made)

    def _capability(self, templates: tuple[Template, ...], fillers: Mapping[str, Filler]) -> Capability | None:
        values = self.values
        given = values["templates"]
        expect = values.get("expect", "")
        try:
            expectation = expectation_of(expect) if expect else Stays()
        except ValueError as error:
            self.entry.problem(str(error), "expect")
            return None
        change = values.get("change", "")
        if expect and not change:
            self.entry.problem("says how something changes; add change = KEY, the slot whose value does", "expect")
        if given == CORPUS and not change:
            self.entry.problem("sentences of the corpus are judged by all other cases; add change = KEY", "templates")
        if isinstance(given, str) and given != CORPUS and change:
            self.entry.problem("sentences that once broke a model are compared with gold; leave it out", "change")
        return Capability(
            values["name"],
            values.get("capability", values["name"]),
            templates,
            fillers,
            given.removeprefix(FAILURES) if isinstance(given, str) and given != CORPUS else "",
            change,
            expectation,
            expect,
            values.get("sample", SAMPLE),
            values.get(LANGUAGE, ""),
            self.entry.problems.path.parent,
        )

    def _check(self, found: Capability) -> None:
        keys = list(dict.fromkeys(key for template in found.templates for key in template.keys))
        for key in keys:
            if is_reserved(key):
                self.entry.problem(
                    f"{{{key}}} is the name of a setting, not of a filler; call it otherwise", "templates"
                )
            elif base_of(key, found.fillers) not in found.fillers:
                near = did_you_mean(key, list(found.fillers))
                self.entry.problem(f"no filler for {{{key}}}{near}; add {key} = [ … ] or a source", "templates")
        if found.change and found.change not in found.fillers:
            near = did_you_mean(found.change, list(found.fillers))
            self.entry.problem(f"{found.change!r} is no filler{near}; add {found.change} = [ … ]", "change")
        elif found.change:
            for number, template in enumerate(found.templates, start=1):
                if found.change not in template.keys:
                    self.entry.problem(f"has no {{{found.change}}}, whose value should change", f"template {number}")
        if found.expectation.keys and self.task.labelled == "whole":
            self.entry.problem(
                f"no slot has a label of its own where each {self.task.noun} has one; name no slot", "expect"
            )
        known = keys if found.templates else [found.change]
        labelled = [each.key for each in TemplateText(found.expectation.label).references]
        for key in (*found.expectation.keys, *labelled):
            if key not in known:
                self.entry.problem(f"no template has {{{key}}}{did_you_mean(key, known)}", "expect")
        numbered = [key for key in keys if key not in found.fillers and base_of(key, found.fillers) == found.change]
        if numbered and found.change:
            self.entry.problem(f"{{{numbered[0]}}} takes another value of what changes; give it a filler", "templates")
        self._check_change(found)
        if self._sound:
            for number, template in enumerate(found.templates, start=1):
                self._check_template(found, template, f"template {number}")

    def _check_change(self, found: Capability) -> None:
        filler = found.fillers.get(found.change)
        for key, each in found.fillers.items():
            rows = each.rows if isinstance(each, ListedValues) else ()
            pointed = [row for row in rows if row.to is not None]
            if pointed and key != found.change:
                self.entry.problem(f'has "{TO}", which only the filler that changes can have: change = "{key}"', key)
            elif 0 < len(pointed) < len(rows):
                self.entry.problem(f'some values have "{TO}" and some have not; give it to all or none', key)
        if isinstance(filler, ListedValues) and len(filler.rows) < 2 and filler.rows[0].to is None:
            self.entry.problem(f'has one value, which changes to no other; add one, or "{TO}"', found.change)

    def _check_template(self, found: Capability, template: Template, place: str) -> None:
        gold = self.task.templates.gold
        if gold and gold not in template.fields and not found.change:
            holds = self.task.templates.fields[gold]
            self.entry.problem(f"{template.written!r}: has no {gold}: {holds}; add it, or change = KEY", place)
        groups: dict[str, list[str]] = {}
        for key in template.keys:
            groups.setdefault(base_of(key, found.fillers), []).append(key)
        rows = {base: _list_rows(base, found.fillers[base], len(keys)) for base, keys in groups.items()}
        for base, keys in groups.items():
            if len(rows[base]) < len(keys):
                few = f"{len(keys)} slots take different values of {base}, which has {len(rows[base])}; add some"
                self.entry.problem(f"{template.written!r}: {few}", place)
                return
        firsts = {base: dict(zip(keys, rows[base], strict=False)) for base, keys in groups.items()}
        turns = [firsts] + [
            firsts | {base: {key: own[(turn + k) % len(own)] for k, key in enumerate(groups[base])}}
            for base, own in rows.items()
            for turn in range(1, len(own))
        ]
        for turn in turns:
            values = {key: row for own in turn.values() for key, row in own.items()}
            try:
                self.task.templates.written(template.filled(values, lambda word, _: word), None)
            except ValueError as error:
                said = ", ".join(f"{key} = {row.value!r}" for key, row in values.items())
                self.entry.problem(f"{template.written!r}{f' with {said}' if said else ''}: {error}", place)
                return


def _list_rows(key: str, filler: Filler, slots: int) -> list[FillerRow]:
    if not isinstance(filler, ListedValues):
        return [FillerRow(f"{key}{number}") for number in range(1, slots + 1)]
    return [each for row in filler.rows for each in (row, row.to) if each is not None]


def read(entry: Entry, task: Task) -> Capability | None:
    """Returns the capability; None if the entry has problems."""
    return CapabilityReader(entry, task).read()
