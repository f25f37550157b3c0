"""thresholds.toml: every case that runs, its parameters and its bounds.

Reading it reports every problem at once, each with its place, the value, what is allowed and, where one is near, what
may have been meant.
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

from abalo.attacks import Attack, attacks
from abalo.bundled import USUAL_LANGUAGE, bundled
from abalo.tasks.choice.asking import ASKINGS, Asking
from abalo.tasks.choice.measures import MEASURES, Measure
from abalo.errors import AbaloError
from abalo.promises import Promise, promises
from abalo.tasks.ner.metrics import Metric, metrics
from abalo.probes.pipeline import KEYS, PIPELINE, read_pipelines
from abalo.core.case import BASELINE, OF, SLICE, STEPS, Case, usual_view
from abalo.config.settings import (
    CASE_SETTINGS,
    GATE_SETTINGS,
    Configurable,
    Correction,
    Inconclusive,
    Problems,
    check_named,
    check_parameter,
    checked,
    is_number,
)
from abalo.slices import Slice, slices
from abalo.validators import demands
from abalo.core.verdicts import Bound, Side
from perturbations import Perturbation, UnknownPerturbation, find, members
from perturbations.levels import TargetLevel
from perturbations.suggestions import did_you_mean

BUNDLED = "thresholds.toml"
"""The name of the file that ships with Abalo; ``extends = "default"`` means this one."""

TASKS = ("ner", "choice")

Tested = Configurable | None
"""What an entry is about: a perturbation, an attack, an promise, an asking, a slice, or for the baseline nothing."""

OVERALL = "overall"
"""The key of the bound over all types, or all variants, in a table of bounds per type."""

REQUIRE = "require"
"""The key of what the variants of a perturbation must keep: limits by validator."""

_OF_QUESTIONS = ("blocking", "deep", "limit")
"""The settings that an entry about questions can have."""

_OF_SLICES = ("blocking", "deep", "limit")
"""The settings that an entry about a slice can have."""

_ON_SLICES = ("precision", "recall", "f1", "f1_gap")
"""The metrics that say something where nothing is perturbed."""

_Table = tuple[str, str]
"""Task and name of a table in the file: that of ``[[ner.accents]]`` is ("ner", "accents")."""


@dataclass(frozen=True, slots=True)
class Gate:
    """How the run is judged.

    ``confidence`` is that of all intervals, 0.5 to below 1. ``inconclusive`` says what an undecided bound does to the
    exit code. ``correction`` is for the number of blocking bounds. ``resamples`` is the number of bootstrap draws.
    ``language`` is that of the corpus, an ISO 639-1 code.
    """

    confidence: float = 0.95
    seeds: tuple[int, ...] = (1, 2, 4)
    inconclusive: Inconclusive = "pass"
    correction: Correction = "bonferroni"
    resamples: int = 10_000
    language: str = USUAL_LANGUAGE


@dataclass(frozen=True, slots=True)
class Thresholds:
    """A thresholds file as read. ``calibrated_elsewhere`` holds the tasks with bounds from the bundled file."""

    path: Path
    gate: Gate
    cases: tuple[Case, ...]
    calibrated_elsewhere: frozenset[str] = frozenset()


def load(path: Path) -> Thresholds:
    """The file's gate and cases, laid over those of the file it extends.

    A table takes the place of the base's table of that name, an empty one removes it; ``[gate]`` is laid over the
    base's key by key. Raises `AbaloError` listing every problem of the file.
    """
    return _load(path, ())


def _load(path: Path, extending: tuple[Path, ...]) -> Thresholds:
    document = _read(path, extending)
    base = _base(document.pop("extends", None), path, extending)
    problems = Problems(path)
    gate = _gate(document.pop("gate", {}), base.gate, problems)
    own = _tables(document, gate, problems)
    problems.raise_any()
    inherited = _by_table(base.cases)
    cases = tuple(case for table in (inherited | own).values() for case in table)
    is_bundled = path.resolve() == bundled(BUNDLED).resolve()
    kept = {task for task, _ in inherited.keys() - own.keys()}
    return Thresholds(path, gate, cases, frozenset(TASKS if is_bundled else kept & base.calibrated_elsewhere))


def _read(path: Path, extending: tuple[Path, ...]) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        asked = f"{extending[-1].name} extends it" if extending else "give one with --abalo-thresholds FILE"
        raise AbaloError(f"{path}: no such thresholds file; {asked}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise AbaloError(f"{path}: the thresholds cannot be read: {error}") from error
    except (ValueError, RecursionError) as error:  # a number too long to read, tables too deep
        raise AbaloError(f"{path}: not valid TOML: {error}") from error


def check_types(thresholds: Thresholds, known: Iterable[str]) -> None:
    """Raises `AbaloError` for bounds on entity types that neither corpus nor model knows: a slip of the pen."""
    types = sorted(known)
    problems = Problems(thresholds.path)
    for case in thresholds.cases:
        for bound in case.bounds:
            if case.asking is None and bound.type is not None and bound.type not in types:
                problems.add(
                    f"[[{case.task}.{case.name}]] {bound.name}",
                    f"no entity type {bound.type!r} in corpus or model{did_you_mean(bound.type, types)}; "
                    f"there are {', '.join(types)}",
                )
    problems.raise_any()


def base_path(name: str, path: Path) -> Path:
    """The file that ``path`` means by ``extends = name``: the bundled one for "default", else a path beside it."""
    return bundled(BUNDLED) if name == "default" else path.parent / name


def _base(name: Any, path: Path, extending: tuple[Path, ...]) -> Thresholds:
    """What the file extends; nothing, with the gate as it is by default, where it extends none."""
    if name is None:
        return Thresholds(path, Gate(), ())
    if not isinstance(name, str):
        raise AbaloError(f'{path.name} extends: {name!r}; expected "default" or the path of a thresholds file')
    chain, found = (*extending, path), base_path(name, path)
    try:
        found.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle, a NUL in the name
        raise AbaloError(f"{path.name} extends: {name!r} is no path: {error}") from error
    if found.resolve() in [known.resolve() for known in chain]:
        way = " -> ".join(known.name for known in (*chain, found))
        raise AbaloError(f"{path.name} extends: {name!r} leads back to itself ({way}); let one of them extend nothing")
    return _load(found, chain)


def _by_table(cases: Iterable[Case]) -> dict[_Table, list[Case]]:
    tables: dict[_Table, list[Case]] = {}
    for case in cases:
        tables.setdefault((case.task, case.name), []).append(case)
    return tables


def _tables(document: Mapping[str, Any], gate: Gate, problems: Problems) -> dict[_Table, list[Case]]:
    """The cases of each table of the file."""
    tables: dict[_Table, list[Case]] = {}
    for task, section in document.items():
        if task in TASKS and isinstance(section, dict):
            for name, entries in section.items():
                tables[task, name] = _cases(task, name, entries, gate, problems)
        elif task in TASKS:
            problems.add(f"[{task}]", f"{section!r} is not a table; write [[{task}.NAME]]")
        else:
            problems.add(f"[{task}]", f"no such section{did_you_mean(task, ('gate', 'extends', *TASKS))}")
    return tables


def _gate(table: Any, base: Gate, problems: Problems) -> Gate:
    if not isinstance(table, dict):
        problems.add("[gate]", f"{table!r} is not a table; write [gate]")
        return base
    values: dict[str, Any] = {}
    for key, value in table.items():
        place = f"[gate] {key}"
        if key in GATE_SETTINGS:
            values |= checked(GATE_SETTINGS[key], key, value, place, problems)
        else:
            problems.add(place, f"no such key{did_you_mean(key, GATE_SETTINGS)}; there are {', '.join(GATE_SETTINGS)}")
    return replace(base, **values)


def _cases(task: str, name: str, entries: Any, gate: Gate, problems: Problems) -> list[Case]:
    place = f"[[{task}.{name}]]"
    is_pipeline = (task, name) == ("ner", PIPELINE)
    try:
        tested = None if task == "ner" and name in (PIPELINE, SLICE) else _tested(task, name)
    except UnknownPerturbation:
        problems.add(place, f"no such test{did_you_mean(name, known_names(task))}")
        return []
    if tested is not None and tested.name != name:
        problems.add(place, f"{name!r} is called {tested.name!r} here; write [[{task}.{tested.name}]]")
        return []
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        problems.add(place, f"{entries!r} is not an array of tables; write {place}")
        return []
    _refuse_shadowed(tested, place, problems)
    cases = []
    for number, entry in enumerate(entries):
        here = place if len(entries) == 1 else f"{place} number {number + 1}"
        if is_pipeline:
            cases += _pipelines(entry, gate, number, here, problems)
        elif name != SLICE:
            cases.append(_case(task, tested, entry, number, here, problems))
        elif (part := _slice_of(entry, here, problems)) is not None:
            cases.append(_case(task, part, entry, number, here, problems))
    if is_pipeline:  # what is given is not drawn again
        given = {case.id for case in cases if STEPS in entries[case.entry]}
        cases = [case for case in cases if STEPS in entries[case.entry] or case.id not in given]
    for twin, count in Counter(case.id for case in cases).items():
        if count > 1:
            ways = "join them, or choose parameters that differ in ASCII letters or digits"
            problems.add(place, f"{count} entries have the id {twin!r}; {ways}")
    return cases


def _slice_of(entry: Mapping[str, Any], place: str, problems: Problems) -> Slice[Any] | None:
    """The slice that the entry names; None, and one problem more, where there is none such."""
    name, known = entry.get(OF), ", ".join(slices())
    if name is None:
        problems.add(place, f'which slice? expected {OF} = "NAME" with one of {known}')
    elif not isinstance(name, str) or name not in slices():
        problems.add(f"{place} {OF}", f"{name!r}: no such slice{did_you_mean(str(name), slices())}; there are {known}")
    else:
        part = slices()[name]
        for key in part.needs:
            if entry.get(key, "") == "":
                problems.add(place, f'{name} needs {key}, a corpus that the model has learned from: {key} = "FILE"')
        return part
    return None


def known_names(task: str) -> list[str]:
    """All that a table of the task can be about."""
    return list(ASKINGS) if task == "choice" else [BASELINE, SLICE, PIPELINE, *members(), *attacks(), *promises()]


def _tested(task: str, name: str) -> Tested:
    """Raises UnknownPerturbation where there is nothing of that name."""
    if task == "choice":
        if name not in ASKINGS:
            raise UnknownPerturbation(name)
        return ASKINGS[name]
    if name == BASELINE:
        return None
    return attacks().get(name) or promises().get(name) or find(name)


def _case(task: str, tested: Tested, entry: Mapping[str, Any], number: int, place: str, problems: Problems) -> Case:
    known = _parameters(tested)
    bounds: list[Bound] = []
    aimed, name = isinstance(tested, TargetLevel), BASELINE if tested is None else tested.name
    own_settings = [key for key in CASE_SETTINGS if aimed or key != "span_source"]
    if isinstance(tested, Asking | Slice):
        own_settings = list(_OF_QUESTIONS if isinstance(tested, Asking) else _OF_SLICES)
    settings: dict[str, Any] = {"entry": number, "view": usual_view(tested)}
    settings |= {"span_source": "oracle"} if aimed else {}
    for key, value in entry.items():
        here = f"{place} {key}"
        if key in _bound_names(task):
            bounds += _bounds(task, key, value, here, problems)
        elif key in own_settings:
            settings |= checked(CASE_SETTINGS[key], key, value, here, problems)
        elif key in CASE_SETTINGS:
            why = "is about questions" if isinstance(tested, Asking) else "is not aimed at spans"
            why = "is a slice, and perturbs nothing" if isinstance(tested, Slice) else why
            problems.add(here, f"{name} {why}; leave it out")
        elif isinstance(tested, Slice) and key == OF:
            continue
        elif isinstance(tested, Perturbation) and key == REQUIRE:
            settings |= _required(value, here, problems)
        elif tested is not None and key in known:
            check_parameter(tested, key, value, here, problems)
        else:
            problems.add(here, _unknown(key, tested, known, own_settings))
    params = {key: entry[key] for key in known if key in entry}
    check_named(tested, params, place, problems)
    if isinstance(tested, Attack):
        case = Case(task, name, None, params, tuple(bounds), attack=tested, **settings)
    elif isinstance(tested, Promise):
        case = Case(task, name, None, params, tuple(bounds), promise=tested, **settings)
    elif isinstance(tested, Asking):
        case = Case(task, name, None, params, tuple(bounds), asking=tested, **settings)
    elif isinstance(tested, Slice):
        case = Case(task, SLICE, None, params, tuple(bounds), slice=tested, **settings)
    else:
        case = Case(task, name, tested, params, tuple(bounds), **settings)
    _refuse_meaningless(case, place, problems)
    return case


def _pipelines(entry: Mapping[str, Any], gate: Gate, number: int, place: str, problems: Problems) -> list[Case]:
    """The cases of an entry of [[ner.pipeline]]: one, or as many as it asks to sample."""
    own_settings = [key for key in CASE_SETTINGS if key != "span_source"]
    bounds: list[Bound] = []
    settings: dict[str, Any] = {"entry": number}
    for key, value in entry.items():
        here = f"{place} {key}"
        if key in _bound_names("ner"):
            bounds += _bounds("ner", key, value, here, problems)
        elif key in own_settings:
            settings |= checked(CASE_SETTINGS[key], key, value, here, problems)
        elif key in CASE_SETTINGS:
            problems.add(here, "steps that are aimed at spans take the gold ones in a pipeline; leave it out")
        elif key == REQUIRE:
            settings |= _required(value, here, problems)
        elif key not in KEYS:
            problems.add(here, _unknown(key, None, KEYS, [*own_settings, REQUIRE]))
    seed = settings.get("seeds", gate.seeds)[0]
    cases = [
        Case("ner", PIPELINE, pipeline, {STEPS: steps}, tuple(bounds), **{"view": usual_view(pipeline), **settings})
        for pipeline, steps in read_pipelines(entry, seed, gate.language, place, problems)
    ]
    for case in cases:
        _refuse_meaningless(case, place, problems)
    return cases


def _required(value: Any, place: str, problems: Problems) -> dict[str, Any]:
    try:
        demands(value)
    except (TypeError, ValueError) as error:
        problems.add(place, str(error))
        return {}
    return {REQUIRE: value}


def _unknown(key: str, tested: Tested, parameters: Sequence[str], settings: Sequence[str]) -> str:
    kinds = {"attack": isinstance(tested, Attack), "promise": isinstance(tested, Promise)}
    own = [name for name, metric in metrics().items() if metric.fits(**kinds)]
    if isinstance(tested, Slice):
        own = list(_ON_SLICES)
    if isinstance(tested, Asking):
        own = [name for name, measure in MEASURES.items() if tested.varies or not measure.compares]
    if isinstance(tested, Perturbation):
        settings = [*settings, REQUIRE]
    near = did_you_mean(key, [*parameters, *settings, *(f"{side}_{name}" for name in own for side in get_args(Side))])
    return (
        f"no such parameter or bound{near}; parameters: {', '.join(parameters) or 'none'}; settings: "
        f"{', '.join(settings)}; bounds: max_ or min_ and one of {', '.join(own)}"
    )


def _refuse_meaningless(case: Case, place: str, problems: Problems) -> None:
    for name in dict.fromkeys(bound.name for bound in case.bounds):
        metric = _bound_names(case.task)[name][1]
        if isinstance(metric, Measure):
            _refuse_unasked(case, name, metric, f"{place} {name}", problems)
            continue
        if case.view not in metric.views:
            problems.add(f"{place} {name}", f'has no meaning in the {case.view} view; set view = "{metric.views[0]}"')
        if metric.searched and case.attack is None:
            problems.add(f"{place} {name}", f"has a meaning only for attacks that search: {', '.join(attacks())}")
        if metric.promised and case.promise is None:
            problems.add(f"{place} {name}", f"has a meaning only for promises: {', '.join(promises())}")
        if metric.sliced and case.slice is None:
            problems.add(f"{place} {name}", f"has a meaning only for slices: [[{case.task}.{SLICE}]]")
        if case.slice is not None and metric.name not in _ON_SLICES:
            problems.add(f"{place} {name}", f"has no meaning where nothing is perturbed; use {', '.join(_ON_SLICES)}")


def _refuse_unasked(case: Case, name: str, measure: Measure, place: str, problems: Problems) -> None:
    """What cannot come of how the questions are put: no comparison without variants, no variant that is not put."""
    assert case.asking is not None, "only these have such bounds"
    if measure.compares and not case.asking.varies:
        problems.add(place, f"has no meaning where nothing is put in another way: {case.name}")
        return
    try:
        possible = case.asking.possible(case.asking.configured(**case.params))
    except (TypeError, ValueError):  # told already, with its own place
        return
    fit = possible[1:] if measure.compares else possible
    for bound in case.bounds:
        if bound.name == name and bound.type is not None and bound.type not in fit:
            near = did_you_mean(bound.type, fit)
            problems.add(f"{place} {bound.type}", f"is not put here; there are {', '.join(fit)}{near}")


def _parameters(tested: Tested) -> list[str]:
    if tested is None:
        return []
    own = list(tested.parameters())
    if isinstance(tested, Slice):
        return [OF, *own]
    return ["rate", *own] if isinstance(tested, Perturbation) else own


def _refuse_shadowed(tested: Tested, place: str, problems: Problems) -> None:
    for key in _parameters(tested):
        if key in (*CASE_SETTINGS, REQUIRE) or key in _bound_names("ner"):
            problems.add(place, f"its parameter {key!r} is also a setting or bound; rename it in the perturbation")


@cache
def _bound_names(task: str) -> Mapping[str, tuple[Side, Metric | Measure]]:
    sides: tuple[Side, ...] = get_args(Side)
    known: Mapping[str, Metric | Measure] = MEASURES if task == "choice" else metrics()
    return {f"{side}_{name}": (side, metric) for name, metric in known.items() for side in sides}


def _bounds(task: str, key: str, value: Any, place: str, problems: Problems) -> Iterator[Bound]:
    side, metric = _bound_names(task)[key]
    limits, of = (
        value if isinstance(value, dict) else {OVERALL: value},
        "variant" if task == "choice" else "entity type",
    )
    if not limits:
        problems.add(place, f"an empty table; expected a limit overall or per {of}, such as {{overall = 0.2}}")
    for kind, limit in limits.items():
        here = place if limits is not value else f"{place} {kind}"
        if not (is_number(limit) and math.isfinite(limit) and metric.low <= limit <= metric.high):
            problems.add(here, f"{limit!r}; expected {_in_words(metric)}")
        elif kind != OVERALL and not metric.per_type:
            problems.add(here, f"{metric.name} has no value per {of}")
        else:
            yield Bound(metric.name, side, float(limit), None if kind == OVERALL else kind)


def _in_words(metric: Metric | Measure) -> str:
    if math.isinf(metric.low) and math.isinf(metric.high):
        return "a number"
    return f"a number from {metric.low:g} to {metric.high:g}"
