"""thresholds.toml: every case that runs, its parameters and its bounds.

Reading it reports every problem at once, each with its place, the value, what is allowed and, where one is near, what
may have been meant.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast, get_args

from abalo.bundled import bundled
from abalo.errors import AbaloError
from abalo.metrics import metrics
from abalo.runs import BASELINE, Case
from abalo.statistics import Bound
from abalo.tasks.ner import View
from perturbations import find
from perturbations.catalogue import Perturbation, UnknownPerturbation, members

TASKS = ("ner",)

OVERALL = "overall"
"""The key of the bound over all types, in a table of bounds per type."""

Correction = Literal["bonferroni", "none"]


@dataclass(frozen=True, slots=True)
class Gate:
    """How the run is judged.

    ``confidence`` is that of all intervals, 0.5 to below 1. ``inconclusive`` says what an undecided bound does to the
    exit code. ``correction`` is for the number of blocking bounds. ``resamples`` is the number of bootstrap draws.
    """

    confidence: float = 0.95
    seeds: tuple[int, ...] = (1, 2, 4)
    inconclusive: Literal["pass", "fail"] = "pass"
    correction: Correction = "bonferroni"
    resamples: int = 10_000


@dataclass(frozen=True, slots=True)
class Thresholds:
    """A thresholds file as read. ``calibrated_elsewhere`` says that bounds come from the bundled file."""

    path: Path
    gate: Gate
    cases: tuple[Case, ...]
    calibrated_elsewhere: bool = False


@dataclass
class _Problems:
    """Collects what is wrong, so that one error can tell it all."""

    path: Path
    found: list[str] = field(default_factory=list)

    def add(self, place: str, problem: str) -> None:
        self.found.append(f"{self.path.name} {place}: {problem}")


def load(path: Path) -> Thresholds:
    """The file's gate and cases; raises `AbaloError` listing every problem."""
    problems = _Problems(path)
    document, from_default = _with_base(_read(path), path)
    gate = _gate(document.pop("gate", {}), problems)
    cases: list[Case] = []
    for task, tables in document.items():
        if task not in TASKS or not isinstance(tables, dict):
            problems.add(f"[{task}]", f"no such section{_did_you_mean(task, ('gate', 'extends', *TASKS))}")
            continue
        for name, entries in tables.items():
            cases += _cases(task, name, entries, problems)
    _refuse_twins(cases, problems)
    if problems.found:
        raise AbaloError("\n".join(problems.found))
    return Thresholds(path, gate, tuple(cases), from_default or path == bundled("thresholds.toml"))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise AbaloError(f"{path}: no such thresholds file; give one with --abalo-thresholds FILE") from None
    except (OSError, UnicodeDecodeError) as error:
        raise AbaloError(f"{path}: the thresholds cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise AbaloError(f"{path}: not valid TOML: {error}") from error


def _with_base(document: dict[str, Any], path: Path) -> tuple[dict[str, Any], bool]:
    """The document laid over the one it extends, table by table; and whether that is the bundled one."""
    base_name = document.pop("extends", None)
    if base_name is None:
        return document, False
    if not isinstance(base_name, str):
        raise AbaloError(f'{path.name} extends: {base_name!r} is not a path or "default"')
    base_path = bundled("thresholds.toml") if base_name == "default" else path.parent / base_name
    if base_path.resolve() == path.resolve():
        raise AbaloError(f"{path.name} extends: {base_name!r} is this file itself")
    base, from_default = _with_base(_read(base_path), base_path)
    for section, tables in document.items():
        both = isinstance(base.get(section), dict) and isinstance(tables, dict)
        base[section] = {**base[section], **tables} if both else tables
    return base, from_default or base_name == "default"


def _gate(table: Any, problems: _Problems) -> Gate:
    if not isinstance(table, dict):
        problems.add("gate", f"{table!r} is not a table; write [gate]")
        return Gate()
    allowed = Gate.__dataclass_fields__
    values: dict[str, Any] = {}
    for key, value in table.items():
        place = f"[gate] {key}"
        if key not in allowed:
            problems.add(place, f"no such key{_did_you_mean(key, allowed)}; there are {', '.join(allowed)}")
        elif key == "confidence" and not (_is_number(value) and 0.5 <= value < 1):
            problems.add(place, f"{value!r}; expected a number from 0.5 to below 1")
        elif key == "resamples" and not (_is_whole(value) and 100 <= value <= 1_000_000):
            problems.add(place, f"{value!r}; expected a whole number from 100 to 1,000,000")
        elif key == "inconclusive" and value not in ("pass", "fail"):
            problems.add(place, f'{value!r}; expected "pass" or "fail"')
        elif key == "correction" and value not in get_args(Correction):
            problems.add(place, f"{value!r}; expected one of {', '.join(get_args(Correction))}")
        elif key == "seeds":
            values[key] = _seeds(value, place, problems)
        else:
            values[key] = value
    return Gate(**values)


def _cases(task: str, name: str, entries: Any, problems: _Problems) -> Iterable[Case]:
    place = f"[[{task}.{name}]]"
    if not isinstance(entries, list):
        problems.add(place, f"{entries!r} is not an array of tables; write {place}")
        return
    perturbation: Perturbation | None = None
    if name != BASELINE:
        try:
            perturbation = find(name)
        except UnknownPerturbation:
            problems.add(place, f"no such test{_did_you_mean(name, [*members(), BASELINE])}")
            return
    for number, entry in enumerate(entries, start=1):
        here = place if len(entries) == 1 else f"{place} number {number}"
        if isinstance(entry, dict):
            yield _case(task, name, perturbation, entry, here, problems)
        else:
            problems.add(here, f"{entry!r} is not a table")


_SETTINGS = ("view", "blocking", "seeds", "limit")


def _case(
    task: str, name: str, perturbation: Perturbation | None, entry: Mapping[str, Any], place: str, problems: _Problems
) -> Case:
    bound_names = [f"{side}_{metric}" for metric in metrics() for side in ("max", "min")]
    own = [] if perturbation is None else ["rate", *perturbation.parameters()]
    params: dict[str, Any] = {}
    bounds: list[Bound] = []
    settings: dict[str, Any] = {}
    for key, value in entry.items():
        if key in bound_names:
            bounds += _bounds(key, value, f"{place} {key}", problems)
        elif key in _SETTINGS:
            settings.update(_setting(key, value, f"{place} {key}", problems))
        elif key in own:
            params[key] = value
        else:
            near = _did_you_mean(key, [*own, *_SETTINGS, *bound_names])
            problems.add(
                f"{place} {key}",
                f"no such parameter or bound{near}; parameters: {', '.join(own) or 'none'}; settings: "
                f"{', '.join(_SETTINGS)}; bounds: max_ or min_ and one of {', '.join(metrics())}",
            )
    if perturbation is not None:
        try:
            perturbation.configured(**params)
        except (TypeError, ValueError) as error:
            problems.add(place, str(error))
    return Case(task, name, perturbation, params, tuple(bounds), **settings)


def _bounds(key: str, value: Any, place: str, problems: _Problems) -> Iterable[Bound]:
    side, _, metric = key.partition("_")
    limits = value if isinstance(value, dict) else {OVERALL: value}
    for kind, limit in limits.items():
        if not (_is_number(limit) and -1 <= limit <= 1):
            problems.add(place + ("" if kind == OVERALL else f" {kind}"), f"{limit!r}; expected a number from -1 to 1")
        elif kind != OVERALL and not metrics()[metric].per_type:
            problems.add(f"{place} {kind}", f"{metric} has no value per entity type")
        else:
            sided = cast(Literal["max", "min"], side)
            yield Bound(metric, sided, float(limit), None if kind == OVERALL else kind)


def _setting(key: str, value: Any, place: str, problems: _Problems) -> dict[str, Any]:
    if key == "seeds":
        return {key: _seeds(value, place, problems)}
    expected = {
        "view": (value in get_args(View), f"one of {', '.join(get_args(View))}"),
        "blocking": (isinstance(value, bool), "true or false"),
        "limit": (_is_whole(value) and value > 0, "a whole number above 0"),
    }
    fits, wanted = expected[key]
    if fits:
        return {key: value}
    problems.add(place, f"{value!r}; expected {wanted}")
    return {}


def _seeds(value: Any, place: str, problems: _Problems) -> tuple[int, ...]:
    if isinstance(value, list) and value and all(_is_whole(seed) and seed >= 0 for seed in value):
        if len(set(value)) == len(value):
            return tuple(value)
        problems.add(place, f"{value!r} names a seed twice")
    else:
        problems.add(place, f"{value!r}; expected a list of whole numbers from 0, such as [1, 2, 4]")
    return (0,)


def _refuse_twins(cases: Iterable[Case], problems: _Problems) -> None:
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            problems.add(
                f"[[{case.task}.{case.name}]]",
                f"two entries have the same parameters ({case.slug or 'none'}); join them",
            )
        seen.add(case.id)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
