"""thresholds.toml: every case of a run, its parameters and bounds.

Errors list all problems with place, value, expected values and nearest match.
"""

from __future__ import annotations

import hashlib
import json
import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, get_args

from annotated_types import Ge, Le

from abalo.bundled import CASES, OWN_GATE, bundled_path
from abalo.capabilities.capability import SUITES as FOLDER_OF_SUITES
from abalo.comparison.test.turned import can_turn
from abalo.config.run_table import RUN, RunTable, run_of
from abalo.config.shipped import is_tried
from abalo.core.protocols.probe import Case, Probe, baseline_of, metrics_of, probes_of
from abalo.core.protocols.task import Task, tasks
from abalo.core.records.gate import Gate
from abalo.core.records.settings import (
    CLEAN_SETTINGS,
    GATE_SETTINGS,
    WAIVER_SETTINGS,
    Entry,
    Problems,
    case_settings,
    check_setting,
    loss_key,
    loss_settings,
)
from abalo.core.records.values import fits
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.passing import CAPABILITY
from abalo.core.statistics.plan import BASELINE, Waiver
from abalo.core.statistics.verdicts import Bound, Side
from abalo.errors import AbaloError, written
from abalo.files import read_text
from abalo.scores.rules import SECTION, ScoreRule, rule_of
from perturbations import UnknownPerturbation, find
from perturbations.suggestions import did_you_mean

CAPABILITIES = "capabilities.toml"

SUITES = "suites"

SHIPPED = "bundled:"

THRESHOLDS = "thresholds.toml"

DEFAULT = "default"

OVERALL = "overall"

_TableName = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """A parsed thresholds file.

    * ``languages``: by task, for known corpora.
    * ``sha256``: digest of the content with extended files, without ``run`` and spacing.
    * ``sets_seeds``: the file sets seeds.
    * ``idle``: tasks without a corpus, with remedies.
    * ``scores``: rules for scores of `abalo gate`, by metric.
    """

    path: Path
    gate: Gate
    cases: tuple[Case, ...]
    languages: Mapping[str, str] = field(default_factory=dict)
    sha256: str = field(default="", compare=False)
    run: RunTable = field(default_factory=RunTable, compare=False)
    sets_seeds: bool = False
    idle: Mapping[str, str] = field(default_factory=dict, compare=False)
    scores: Mapping[str, ScoreRule] = field(default_factory=dict)
    _families: dict[bool, Counter[tuple[str, bool]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def seeds_against(self, seeds: tuple[int, ...] | None, against: object) -> tuple[int, ...] | None:
        """One seed if a reference is given and nobody chose seeds.

        One seed instead of three raises the standard error of a mean loss by 7 to 9 %, for 42 % of the inputs (``python
        -m benchmarks.budget``).
        """
        compares = against is not None or self.gate.against
        return self.gate.seeds[:1] if seeds is None and compares and not self.sets_seeds else seeds

    def spoken(self, languages: Mapping[str, str]) -> Thresholds:
        """The same file for corpora in these languages, by task."""
        return replace(self, languages={**self.languages, **languages})

    def skipped(self, case: Case) -> str | None:
        """Why a case does not apply to its task's corpus; None if it does."""
        if case.task in self.idle:
            return self.idle[case.task]
        return case.probe.entries.skipped(case.plan, self.language_of(case.task))

    def language_of(self, task: str) -> str:
        return self.languages.get(task, self.gate.language)

    def left_out(self, task: str, *, deep: bool) -> list[tuple[Case, str]]:
        """The cases that do not apply to a task's corpus, with reasons."""
        found = ((case, self.skipped(case)) for case in self.cases if case.task == task and (deep or not case.deep))
        return [(case, reason) for case, reason in found if reason is not None]

    def blocking(self, *, deep: bool) -> list[Case]:
        """All cases that can block a release, selected or not."""
        return [case for case in self.cases if case.blocking and (deep or not case.deep) and self.skipped(case) is None]

    def bounds_beside(self, case: Case, *, deep: bool) -> int:
        """The size of the bound's family, at least 1."""
        if deep not in self._families:
            sizes = self._families[deep] = Counter()
            for each in self.blocking(deep=deep):
                sizes[each.task, each.name == BASELINE] += len(each.bounds)
        return max(1, self._families[deep][case.task, case.name == BASELINE])

    def beyond(self, task: str) -> list[str]:
        """The default cases of a task whose tables the file lacks, without deep ones and those that do not apply."""
        known = {case.name for case in self.cases if case.task == task}
        default = _load(bundled_path(CASES), {}, None, only=task).cases
        found = [case for case in default if case.task == task and not case.deep and case.name not in known]
        return [case.id for case in found if self.skipped(case) is None]

    def clean(self, task: Task) -> Case:
        """A task's clean-corpus case."""
        case = baseline_of(task)
        return next((each for each in self.cases if each.id == case.id), case)


def load(path: Path, language: str | None = None, least: float | None = None) -> Thresholds:
    """Reads gate and cases, merged with the extended file.

    A table replaces the base's; an empty one removes it. ``[gate]`` and ``[run]`` merge by key. ``language`` and
    ``least`` override the file. Raises `AbaloError` listing every problem.
    """
    found = _load(path, {}, language)
    if least is None:
        return found
    gate, cases = replace(found.gate, least=least), (replace(case, least=None) for case in found.cases)
    return replace(found, gate=gate, cases=tuple(cases))


_Chain = Mapping[Path, Path]

_LONGEST = 100


def _load(path: Path, extending: _Chain, language: str | None, only: str | None = None) -> Thresholds:
    document = _read(path, extending)
    if only is not None:
        document = {name: section for name, section in document.items() if name in (only, "gate")}
    options = document.pop(RUN, {})
    try:
        said = json.dumps(document, default=str, sort_keys=True)
    except ValueError as error:
        raise AbaloError(f"{path}: a number has too many digits") from error
    base = _base(document.pop("extends", None), path, extending, language)
    problems = Problems(path, tried=is_tried(path))
    table = document.pop("gate", {})
    sets_seeds = base.sets_seeds or (isinstance(table, dict) and "seeds" in table)
    gate = _gate(table, base.gate, problems)
    gate = gate if language is None else replace(gate, language=language)
    run = run_of(options, base.run, problems)
    scores = {**base.scores, **_score_rules(document.pop(SECTION, {}), problems)}
    own = _tables(document, gate, problems)
    beside = path.parent / CAPABILITIES
    suites = [] if beside.resolve() in {**extending, path.resolve(): path} else [*_suites(beside, gate, {}, set())]
    _join_suites(own, suites, problems)
    inherited = _by_table(base.cases)
    cases = tuple(case for table in (inherited | own).values() for case in table)
    digest = hashlib.sha256(f"{said}{base.sha256}".encode()).hexdigest()
    return Thresholds(path, gate, cases, sha256=digest, run=run, sets_seeds=sets_seeds, scores=scores)


def _score_rules(section: object, problems: Problems) -> dict[str, ScoreRule]:
    if not isinstance(section, dict):
        problems.add(f"[{SECTION}]", f"{section!r} is not a table; write [[{SECTION}.NAME]]")
        return {}
    found = {}
    for name, entries in section.items():
        place = f"[[{SECTION}.{name}]]"
        if not isinstance(entries, list) or len(entries) != 1 or not isinstance(entries[0], dict):
            problems.add(place, f"{entries!r:.80}; expected one table; write {place} once")
        else:
            found[name] = rule_of(entries[0], place, problems)
    return found


def load_suite(path: Path, gate: Gate) -> list[Case]:
    """Reads capabilities and their suites; raises `AbaloError` listing every problem."""
    own: dict[_TableName, list[Case]] = {}
    _join_suites(own, [*_suites(path, gate, {}, set())], Problems(path))
    return [case for table in own.values() for case in table]


def is_suite(path: Path) -> bool:
    """True if a file holds only capabilities; raises `AbaloError`."""
    sections = _read(path, {}).items()
    others = [name for name, section in sections if name != SUITES and not (isinstance(section, dict) and section)]
    tables = {table for name, section in sections if isinstance(section, dict) for table in section}
    return not others and tables <= {CAPABILITY}


_Suite = tuple[Problems, dict[_TableName, list[Case]]]


def _suites(path: Path, gate: Gate, naming: _Chain, known: set[Path]) -> Iterator[_Suite]:
    if not naming and not path.exists():
        return
    chain = {**naming, path.resolve(): path}
    known.add(path.resolve())
    document, problems = _read(path, naming), Problems(path)
    named = document.pop(SUITES, [])
    others = named if isinstance(named, list) and all(isinstance(each, str) for each in named) else []
    if others != named:
        problems.add(SUITES, f'{named!r}; expected a list of files, or of suites that ship, such as "bundled:ner-en"')
    for task, section in document.items():
        strange = [name for name in section if name != CAPABILITY] if isinstance(section, dict) else []
        if strange:
            problems.add(f"[[{task}.{strange[0]}]]", f"is no capability; write it in {THRESHOLDS}")
    yield problems, {} if problems.found else _tables(document, gate, problems)
    for name in others:
        found = suite_path(name, path)
        if found is None:
            problems.add(SUITES, f"{name!r}: no such suite ships{did_you_mean(name, shipped_suites())}")
        elif found.resolve() in known or len(chain) == _LONGEST:
            reason = "leads back to itself" if found.resolve() in chain else "is named for the second time"
            longest = f"is number {_LONGEST + 1} of files that name each other; expected at most {_LONGEST}"
            problems.add(SUITES, f"{name!r} {reason if found.resolve() in known else longest}; leave it out")
        else:
            yield from _suites(found, gate, chain, known)


def suite_path(name: str, naming: Path) -> Path | None:
    """A suite's file, relative to the naming file; None if unknown."""
    if not name.startswith(SHIPPED):
        return naming.parent / name
    own = name.removeprefix(SHIPPED)
    return bundled_path(FOLDER_OF_SUITES) / f"{own}.toml" if name in shipped_suites() else None


def shipped_suites() -> list[str]:
    """Names of the shipped suites, sorted."""
    return sorted(f"{SHIPPED}{path.stem}" for path in bundled_path(FOLDER_OF_SUITES).glob("*.toml"))


def _join_suites(own: dict[_TableName, list[Case]], suites: Sequence[_Suite], problems: Problems) -> None:
    for found, tables in suites:
        for table, cases in tables.items():
            known = {case.id for case in own.get(table, ())}
            for case in cases:
                if case.id in known:
                    found.add(f"[[{table[0]}.{table[1]}]]", f"{case.id!r} is there already; give it another name")
            own[table] = [*own.get(table, ()), *cases]
    together = Problems(problems.path, [*problems.found, *(line for found, _ in suites for line in found.found)])
    together.raise_any()


def _read(path: Path, extending: _Chain) -> dict[str, object]:
    try:
        return tomllib.loads(read_text(path, "utf-8-sig"))
    except FileNotFoundError:
        last = [*extending.values()][-1] if extending else None
        asked = f"{last.name} extends it" if last else "give one with --abalo-thresholds FILE"
        raise AbaloError(f"{path}: no such thresholds file; {asked}") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise AbaloError(f"{path}: the thresholds cannot be read: {reason}; expected a TOML file in UTF-8") from error
    except (ValueError, RecursionError) as error:  # a number too long to read, tables too deep
        raise AbaloError(f"{path}: not valid TOML: {error}") from error


def refuse(path: Path, found: Iterable[tuple[Case, Bound | str, str]]) -> None:
    """Raises `AbaloError` for problems that `Task.check` found."""
    problems = Problems(path)
    for case, key, reason in found:
        problems.add(f"[[{case.task}.{case.name}]] {key if isinstance(key, str) else key.name}", reason)
    problems.raise_any()


def base_path(name: str, path: Path) -> Path:
    """The file for ``extends = name``: the default cases, or a path beside."""
    return bundled_path(CASES) if name == DEFAULT else path.parent / name


def usual_path(folder: Path, *, asked: bool) -> Path:
    """The thresholds file in the folder, else the default cases.

    If a model or corpus is ``asked`` for, the bundled gate is ignored.
    """
    own = folder / THRESHOLDS
    ours = asked and own.resolve() == OWN_GATE
    return own if own.is_file() and not ours else bundled_path(CASES)


def _base(name: object, path: Path, extending: _Chain, language: str | None) -> Thresholds:
    if name is None:
        return Thresholds(path, Gate(), ())
    if not isinstance(name, str):
        raise AbaloError(f'{path.name} extends: {name!r}; expected "default" or the path of a thresholds file')
    chain, found = {**extending, path.resolve(): path}, base_path(name, path)
    try:
        place = found.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle, a NUL in the name
        raise AbaloError(f"{path.name} extends: {name!r} is no path: {error}") from error
    if place in chain:
        way = " -> ".join(known.name for known in (*chain.values(), found))
        raise AbaloError(f"{path.name} extends: {name!r} leads back to itself ({way}); let one of them extend nothing")
    if len(chain) == _LONGEST:
        raise AbaloError(
            f"{path.name} extends: {name!r} is number {_LONGEST + 1}; expected at most {_LONGEST} in a chain"
        )
    return _load(found, chain, language)


def _by_table(cases: Iterable[Case]) -> dict[_TableName, list[Case]]:
    tables: dict[_TableName, list[Case]] = {}
    for case in cases:
        tables.setdefault((case.task, case.name), []).append(case)
    return tables


def _tables(document: Mapping[str, object], gate: Gate, problems: Problems) -> dict[_TableName, list[Case]]:
    tables: dict[_TableName, list[Case]] = {}
    for task, section in document.items():
        if task in tasks() and isinstance(section, dict):
            known = _probes_by_name(tasks()[task])
            for name, entries in section.items():
                tables[task, name] = _cases(tasks()[task], name, entries, gate, problems, known)
        elif task in tasks():
            problems.add(f"[{task}]", f"{section!r} is not a table; write [[{task}.NAME]]")
        else:
            problems.add(
                f"[{task}]",
                f"no such section{did_you_mean(task, ('gate', RUN, SECTION, 'extends', *tasks()))}",
            )
    return tables


def _gate(table: object, base: Gate, problems: Problems) -> Gate:
    if not isinstance(table, dict):
        problems.add("[gate]", f"{table!r} is not a table; write [gate]")
        return base
    values: dict[str, Any] = {}
    for key, value in table.items():
        place = f"[gate] {key}"
        if key in GATE_SETTINGS:
            values |= check_setting(GATE_SETTINGS[key], key, value, place, problems)
        else:
            problems.add(place, f"no such key{did_you_mean(key, GATE_SETTINGS)}; there are {', '.join(GATE_SETTINGS)}")
    if "against" in values:
        values["against"] = str(problems.path.parent / values["against"])
    return replace(base, **values)


def case_of(task: Task, name: str, values: Mapping[str, object], gate: Gate) -> Case:
    """The case of an entry; raises `AbaloError` listing every problem."""
    problems = Problems(Path(f"{task.name}.{name}"))
    cases = _cases(task, name, [dict(values)], gate, problems, _probes_by_name(task))
    problems.raise_any()
    if len(cases) != 1:
        raise AbaloError(f"{task.name}.{name}: {len(cases)} cases; expected values that give one")
    return cases[0]


def known_names(task: Task) -> list[str]:
    """All table names that a task can have."""
    return [name for probe in probes_of(task) for name in probe.entries.tables(task)]


def _probes_by_name(task: Task) -> dict[str, Probe]:
    return {name: probe for probe in reversed([*probes_of(task)]) for name in probe.entries.tables(task)}


def _probe_of(task: Task, name: str, known: Mapping[str, Probe] | None = None) -> tuple[Probe, str] | None:
    known = _probes_by_name(task) if known is None else known
    found = name if name in known else _canonical(name)
    return (known[found], found) if found in known else None


def _canonical(name: str) -> str:
    try:
        return find(name).name
    except UnknownPerturbation:
        return name


def canonical_id(case: str) -> str:
    """A case id with its table's current name instead of an alias."""
    name, bracket, slug = case.partition("[")
    task, _, table = name.partition("/")
    found = _probe_of(tasks()[task], table) if task in tasks() else None
    return case if found is None else f"{task}/{found[1]}{bracket}{slug}"


def _no_test(task: Task, name: str) -> str:
    others = [other for other in tasks().values() if _probe_of(other, name) is not None]
    if not others:
        return f"no such test{did_you_mean(name, known_names(task))}"
    tables = ", ".join(f"[[{other.name}.{name}]]" for other in others)
    return f"is not a test of {task.name}; there is {tables}"


def _cases(
    task: Task, name: str, entries: object, gate: Gate, problems: Problems, known: Mapping[str, Probe]
) -> list[Case]:
    place = f"[[{task.name}.{name}]]"
    found = _probe_of(task, name, known)
    if found is None:
        problems.add(place, _no_test(task, name))
        return []
    probe, canonical = found
    if canonical != name:
        problems.add(place, f"{name!r} is called {canonical!r} here; write [[{task.name}.{canonical}]]")
        return []
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        problems.add(place, f"{entries!r} is not an array of tables; write {place}")
        return []
    reader = _Reader(task, probe, name, gate, problems)
    reader.refuse_shadowed(place)
    cases: list[Case] = []
    for number, entry in enumerate(entries):
        cases += reader.cases(entry, number, place if len(entries) == 1 else f"{place} number {number + 1}")
    given = {case.id for case in cases if not _is_drawn(case, entries)}
    cases = [case for case in cases if case.id not in given or not _is_drawn(case, entries)]
    for twin, count in Counter(case.id for case in cases).items():
        if count > 1:
            ways = "join them, or choose parameters that differ in ASCII letters or digits, files in their names"
            problems.add(place, f"{count} entries have the id {twin!r}; {ways}")
    return cases


def _is_drawn(case: Case, entries: Sequence[Mapping[str, object]]) -> bool:
    return bool(case.params) and case.params.keys().isdisjoint(entries[case.entry])


@dataclass(frozen=True)
class _Reader:
    task: Task
    probe: Probe
    name: str
    gate: Gate
    problems: Problems

    def cases(self, values: Mapping[str, object], number: int, place: str) -> list[Case]:
        entry = Entry(self.task.name, self.name, values, {}, number, place, self.gate, self.problems)
        known = self.probe.entries.parameters(entry, self.task)
        refused = self.probe.entries.refused_settings(entry, self.task)
        of_clean = CLEAN_SETTINGS if self.name == BASELINE else {}
        every = {**case_settings(self.task.views), **of_clean}
        wanted = {key: each for key, each in every.items() if key not in refused}
        settings: dict[str, Any] = {}
        losses = {loss_key(metric.name): metric for metric in self.task.metrics().values()}
        waiver: dict[str, Any] = {}
        max_losses: dict[str, float] = {}
        own: dict[str, Any] = {}
        bounds: list[Bound] = []
        for key, value in values.items():
            here = f"{place} {key}"
            if key in self._bound_names:
                bounds += self._bounds(key, value, here)
            elif key in losses and losses[key].is_drop:
                self.problems.add(here, self._loss_of_drop())
            elif key in losses:
                found = check_setting(loss_settings(self.task.metrics())[key], key, value, here, self.problems)
                max_losses |= {losses[name].name: float(limit) for name, limit in found.items()}
            elif key in WAIVER_SETTINGS:
                waiver |= check_setting(WAIVER_SETTINGS[key], key, value, here, self.problems)
            elif key in refused and key not in known:
                self.problems.add(here, refused[key])
            elif key in wanted:
                settings |= check_setting(wanted[key], key, value, here, self.problems)
            elif key in known:
                own[key] = value
            else:
                self.problems.add(here, self._unknown(key, known, list(wanted)))
        self._refuse_contradictions(bounds, place)
        plans = self.probe.entries.parse(replace(entry, values=own, settings=settings), self.task)
        cases = []
        for plan in plans:
            usual = self.probe.entries.usual_view(self.task, plan)
            given = {"view": usual, **settings}
            case = Case(
                self.task.name,
                self.name,
                self.probe,
                plan,
                usual_view=usual,
                bounds=tuple(bounds),
                entry=number,
                max_losses=max_losses,
                waiver=self._waiver(values, waiver, place),
                **given,
            )
            for key, reason in self._refused(case):
                self.problems.add(f"{place} {key}", reason)
            cases.append(case)
        return cases

    def _refused(self, case: Case) -> Iterator[tuple[str, str]]:
        for name, metric in {bound.name: self.task.metrics()[bound.metric] for bound in case.bounds}.items():
            reason = self.probe.meaningless(metric, self.task)
            if reason is None and not metric.meant_in(case.view):
                reason = f'has no meaning in the {case.view} view; set view = "{metric.views[0]}"'
            if reason is not None:
                yield name, reason
        if case.max_newly_wrong is not None and not can_turn(case.probe, self.task):
            yield "max_newly_wrong", "no example of it is right or wrong as a whole; leave it out"
        yield from self.probe.entries.refused_bounds(case.bounds, case.plan, self.task)

    def _loss_of_drop(self) -> str:
        kept = loss_key(self.task.floor)
        return (
            f"a model that is worse on clean and on perturbed text alike has the same drop; limit the loss with {kept}"
        )

    def refuse_shadowed(self, place: str) -> None:
        entry = Entry(self.task.name, self.name, {}, {}, 0, place, self.gate, self.problems)
        counts, taken = Counter(self.probe.entries.parameters(entry, self.task)), self._taken()
        for key, count in counts.items():
            if count > 1 or key in taken:
                self.problems.add(
                    place, f"its parameter {key!r} is also a setting or bound; rename it in the perturbation"
                )

    def _taken(self) -> set[str]:
        losses = map(loss_key, self.task.metrics())
        return {*case_settings(self.task.views), *WAIVER_SETTINGS, *losses, *self._bound_names}

    def _waiver(self, values: Mapping[str, object], given: Mapping[str, Any], place: str) -> Waiver | None:
        missing = [key for key in WAIVER_SETTINGS if key not in values]
        if 0 < len(missing) < len(WAIVER_SETTINGS):
            self.problems.add(place, f"a waiver needs {', '.join(WAIVER_SETTINGS)}; {', '.join(missing)} is missing")
        return Waiver(**given) if len(given) == len(WAIVER_SETTINGS) else None

    @cached_property
    def _bound_names(self) -> Mapping[str, tuple[Side, Metric]]:
        sides: tuple[Side, ...] = get_args(Side)
        return {f"{side}_{name}": (side, metric) for name, metric in self.task.metrics().items() for side in sides}

    def _bounds(self, key: str, value: Any, place: str) -> Iterator[Bound]:
        side, metric = self._bound_names[key]
        limits, of = value if isinstance(value, dict) else {OVERALL: value}, self.task.group_noun
        if not limits:
            self.problems.add(place, f"an empty table; expected a limit overall or per {of}, such as {{overall = 0.2}}")
        for group, limit in limits.items():
            here = place if limits is not value else f"{place} {group}"
            if not fits(limit, limits_of(metric)):
                self.problems.add(here, f"{written(limit)}; expected {_in_words(metric)}")
            elif group != OVERALL and not metric.per_group:
                self.problems.add(here, f"{metric.name} has no value per {of}")
            else:
                yield Bound(metric.name, side, float(limit), None if group == OVERALL else group)

    def _refuse_contradictions(self, bounds: Sequence[Bound], place: str) -> None:
        least = {(each.metric, each.type): each.limit for each in bounds if each.side == "min"}
        for each in bounds:
            limit = least.get((each.metric, each.type), each.limit)
            if each.side == "max" and limit > each.limit:
                of = "" if each.type is None else f" of {each.type}"
                self.problems.add(
                    place,
                    f"min_{each.metric}{of} is {limit:g} and max_{each.metric}{of} {each.limit:g}, which no model can "
                    "hold both; expected the former below the latter; correct one",
                )

    def _unknown(self, key: str, parameters: Sequence[str], settings: Sequence[str]) -> str:
        metrics = metrics_of(self.probe, self.task).items()
        own = [name for name, metric in metrics if self.probe.meaningless(metric, self.task) is None]
        sides = [f"{side}_{name}" for name in own for side in get_args(Side)]
        near = did_you_mean(key, [*parameters, *settings, *sides])
        return (
            f"no such parameter or bound{near}; parameters: {', '.join(parameters) or 'none'}; settings: "
            f"{', '.join(settings)}; bounds: max_ or min_ and one of {', '.join(own)}"
        )


def limits_of(metric: Metric) -> Any:
    """The annotation of a metric's bounds."""
    ends = [Ge(metric.low)] * math.isfinite(metric.low) + [Le(metric.high)] * math.isfinite(metric.high)
    return Annotated[float, *ends] if ends else float


def _in_words(metric: Metric) -> str:
    if math.isinf(metric.low) and math.isinf(metric.high):
        return "a number"
    return f"a number from {metric.low:g} to {metric.high:g}"
