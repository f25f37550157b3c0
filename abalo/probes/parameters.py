"""Checks of the parameters in tables of thresholds.toml."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from abalo.core.records.configuring import Settable
from abalo.core.records.settings import LANGUAGE, Problems
from abalo.core.statistics.verdicts import Bound
from abalo.errors import written
from abalo.sources.resources import missing_parameters, problem_with
from perturbations import Perturbation, parse
from perturbations.suggestions import did_you_mean

Configurable = Perturbation | Settable[Any]


def check_parameter(
    tested: Configurable, key: str, value: object, place: str, problems: Problems, language: object = None
) -> None:
    """Adds a problem if the value does not fit ``key`` in the entry's ``language`` or, without one, in any."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        problems.add(place, f"{written(value)}; expected a value that JSON has too, since it goes into the report")
        return
    resources = tested.resources() if isinstance(tested, Perturbation) else {}
    if key in resources:
        problem = problem_with(value, resources[key])
        if problem is not None:
            problems.add(place, problem)
        return
    refusals = []
    for more in _languages(tested, key, language):
        refusals.append(_refusal(tested, {key: value, **more}, tried=problems.tried))
        if not refusals[-1]:
            return
    problems.add(place, refusals[0])


def _languages(tested: Configurable, key: str, language: object) -> Iterator[Mapping[str, object]]:
    if key == LANGUAGE or not isinstance(tested, Perturbation) or LANGUAGE not in tested.parameters():
        yield {}
    elif language is not None:
        yield {LANGUAGE: language}
    else:
        yield {}
        yield from ({LANGUAGE: code} for code in tested.spoken)


def _refusal(tested: Configurable, values: Mapping[str, Any], *, tried: bool) -> str:
    try:
        configured = tested.configured(**values)
        if isinstance(configured, Perturbation) and configured.cost != "model" and not tried:
            list(configured.sites(parse(configured.example.before)))  # what the function itself says of the value
    except (TypeError, ValueError) as error:
        return str(error) or type(error).__name__
    except ImportError:
        return ""  # a package that is not installed: the case says so when it runs
    return ""


def check_parameters(
    tested: Configurable, values: Mapping[str, object], place: str, problems: Problems, free: tuple[str, ...] = ()
) -> dict[str, object]:
    """Checks and returns the values; the probe checks the ``free`` ones."""
    for key, value in values.items():
        if key not in free:
            check_parameter(tested, key, value, f"{place} {key}", problems, values.get(LANGUAGE))
    check_named(tested, values, place, problems)
    return dict(values)


def check_named(tested: object, params: Mapping[str, object], place: str, problems: Problems) -> None:
    """Adds a problem for each missing parameter."""
    if isinstance(tested, Perturbation):
        for name, problem in missing_parameters(tested, params):
            problems.add(f"{place} {name}", problem)


def unknown_groups(bounds: Iterable[Bound], groups: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Bounds on groups that a case cannot have: key and reason."""
    for bound in bounds:
        if bound.type is not None and bound.type not in groups:
            near = did_you_mean(bound.type, groups)
            yield f"{bound.name} {bound.type}", f"is not put here; there are {', '.join(groups)}{near}"
