"""thresholds.toml: every case that runs, its parameters and its bounds.

Reading it reports every problem at once, each with its place, the value, what is allowed and, where one is near, what
may have been meant.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

from abalo.bundled import bundled
from abalo.errors import AbaloError
from abalo.metrics import Metric, metrics
from abalo.runs import BASELINE, Case
from abalo.settings import CASE_SETTINGS, GATE_SETTINGS, Correction, Inconclusive, Problems, checked, is_number
from abalo.verdicts import Bound, Side
from perturbations import Perturbation, UnknownPerturbation, find, members
from perturbations.levels import TargetLevel
from perturbations.suggestions import did_you_mean

BUNDLED = "thresholds.toml"
"""The name of the file that ships with Abalo; ``extends = "default"`` means this one."""

TASKS = ("ner",)

OVERALL = "overall"
"""The key of the bound over all types, in a table of bounds per type."""

_Table = tuple[str, str]
"""Task and name of a table in the file: that of ``[[ner.accents]]`` is ("ner", "accents")."""


@dataclass(frozen=True, slots=True)
class Gate:
    """How the run is judged.

    ``confidence`` is that of all intervals, 0.5 to below 1. ``inconclusive`` says what an undecided bound does to the
    exit code. ``correction`` is for the number of blocking bounds. ``resamples`` is the number of bootstrap draws.
    """

    confidence: float = 0.95
    seeds: tuple[int, ...] = (1, 2, 4)
    inconclusive: Inconclusive = "pass"
    correction: Correction = "bonferroni"
    resamples: int = 10_000


@dataclass(frozen=True, slots=True)
class Thresholds:
    """A thresholds file as read. ``calibrated_elsewhere`` says that bounds come from the bundled file."""

    path: Path
    gate: Gate
    cases: tuple[Case, ...]
    calibrated_elsewhere: bool = False


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
    own = _tables(document, problems)
    problems.raise_any()
    inherited = _by_table(base.cases)
    cases = tuple(case for table in (inherited | own).values() for case in table)
    kept = bool(inherited.keys() - own.keys())
    is_bundled = path.resolve() == bundled(BUNDLED).resolve()
    return Thresholds(path, gate, cases, is_bundled or (kept and base.calibrated_elsewhere))


def _read(path: Path, extending: tuple[Path, ...]) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        asked = f"{extending[-1].name} extends it" if extending else "give one with --abalo-thresholds FILE"
        raise AbaloError(f"{path}: no such thresholds file; {asked}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise AbaloError(f"{path}: the thresholds cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise AbaloError(f"{path}: not valid TOML: {error}") from error


def check_types(thresholds: Thresholds, known: Iterable[str]) -> None:
    """Raises `AbaloError` for bounds on entity types that neither corpus nor model knows: a slip of the pen."""
    types = sorted(known)
    problems = Problems(thresholds.path)
    for case in thresholds.cases:
        for bound in case.bounds:
            if bound.type is not None and bound.type not in types:
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
    if found.resolve() in [known.resolve() for known in chain]:
        way = " -> ".join(known.name for known in (*chain, found))
        raise AbaloError(f"{path.name} extends: {name!r} leads back to itself ({way}); let one of them extend nothing")
    return _load(found, chain)


def _by_table(cases: Iterable[Case]) -> dict[_Table, list[Case]]:
    tables: dict[_Table, list[Case]] = {}
    for case in cases:
        tables.setdefault((case.task, case.name), []).append(case)
    return tables


def _tables(document: Mapping[str, Any], problems: Problems) -> dict[_Table, list[Case]]:
    """The cases of each table of the file."""
    tables: dict[_Table, list[Case]] = {}
    for task, section in document.items():
        if task in TASKS and isinstance(section, dict):
            for name, entries in section.items():
                tables[task, name] = _cases(task, name, entries, problems)
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


def _cases(task: str, name: str, entries: Any, problems: Problems) -> list[Case]:
    place = f"[[{task}.{name}]]"
    try:
        perturbation = None if name == BASELINE else find(name)
    except UnknownPerturbation:
        problems.add(place, f"no such test{did_you_mean(name, [*members(), BASELINE])}")
        return []
    if perturbation is not None and perturbation.name != name:
        problems.add(place, f"{name!r} is called {perturbation.name!r} here; write [[{task}.{perturbation.name}]]")
        return []
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        problems.add(place, f"{entries!r} is not an array of tables; write {place}")
        return []
    _refuse_shadowed(perturbation, place, problems)
    cases = [
        _case(task, perturbation, entry, place if len(entries) == 1 else f"{place} number {number}", problems)
        for number, entry in enumerate(entries, start=1)
    ]
    for twin, count in Counter(case.id for case in cases).items():
        if count > 1:
            ways = "join them, or choose parameters that differ in ASCII letters or digits"
            problems.add(place, f"{count} entries have the id {twin!r}; {ways}")
    return cases


def _case(
    task: str, perturbation: Perturbation | None, entry: Mapping[str, Any], place: str, problems: Problems
) -> Case:
    known = _parameters(perturbation)
    bounds: list[Bound] = []
    aimed = isinstance(perturbation, TargetLevel)
    own_settings = [key for key in CASE_SETTINGS if aimed or key != "span_source"]
    settings: dict[str, Any] = {"span_source": "oracle"} if aimed else {}
    for key, value in entry.items():
        here = f"{place} {key}"
        if key in _bound_names():
            bounds += _bounds(key, value, here, problems)
        elif key in own_settings:
            settings |= checked(CASE_SETTINGS[key], key, value, here, problems)
        elif key in CASE_SETTINGS:
            problems.add(here, f"{perturbation.name if perturbation else BASELINE} is not aimed at spans; leave it out")
        elif perturbation is not None and key in known:
            _check_parameter(perturbation, key, value, here, problems)
        else:
            near = did_you_mean(key, [*known, *own_settings, *_bound_names()])
            problems.add(
                here,
                f"no such parameter or bound{near}; parameters: {', '.join(known) or 'none'}; settings: "
                f"{', '.join(own_settings)}; bounds: max_ or min_ and one of {', '.join(metrics())}",
            )
    params = {key: entry[key] for key in known if key in entry}
    name = BASELINE if perturbation is None else perturbation.name
    case = Case(task, name, perturbation, params, tuple(bounds), **settings)
    _refuse_meaningless(case, place, problems)
    return case


def _refuse_meaningless(case: Case, place: str, problems: Problems) -> None:
    for name in dict.fromkeys(bound.name for bound in case.bounds):
        views = _bound_names()[name][1].views
        if case.view not in views:
            problems.add(f"{place} {name}", f'has no meaning in the {case.view} view; set view = "{views[0]}"')


def _parameters(perturbation: Perturbation | None) -> list[str]:
    return [] if perturbation is None else ["rate", *perturbation.parameters()]


def _refuse_shadowed(perturbation: Perturbation | None, place: str, problems: Problems) -> None:
    for key in _parameters(perturbation):
        if key in CASE_SETTINGS or key in _bound_names():
            problems.add(place, f"its parameter {key!r} is also a setting or bound; rename it in the perturbation")


def _check_parameter(perturbation: Perturbation, key: str, value: Any, place: str, problems: Problems) -> None:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        problems.add(place, f"{value!r}; expected a value that JSON has too, since it goes into the report")
        return
    try:
        perturbation.configured(**{key: value})
    except (TypeError, ValueError) as error:
        problems.add(place, str(error))


@cache
def _bound_names() -> Mapping[str, tuple[Side, Metric]]:
    sides: tuple[Side, ...] = get_args(Side)
    return {f"{side}_{name}": (side, metric) for name, metric in metrics().items() for side in sides}


def _bounds(key: str, value: Any, place: str, problems: Problems) -> Iterator[Bound]:
    side, metric = _bound_names()[key]
    limits = value if isinstance(value, dict) else {OVERALL: value}
    if not limits:
        problems.add(place, "an empty table; expected a limit overall or per entity type, such as {overall = 0.2}")
    for kind, limit in limits.items():
        here = place if limits is not value else f"{place} {kind}"
        if not (is_number(limit) and math.isfinite(limit) and metric.low <= limit <= metric.high):
            problems.add(here, f"{limit!r}; expected {_in_words(metric)}")
        elif kind != OVERALL and not metric.per_type:
            problems.add(here, f"{metric.name} has no value per entity type")
        else:
            yield Bound(metric.name, side, float(limit), None if kind == OVERALL else kind)


def _in_words(metric: Metric) -> str:
    if math.isinf(metric.low) and math.isinf(metric.high):
        return "a number"
    return f"a number from {metric.low:g} to {metric.high:g}"
