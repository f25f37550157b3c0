"""Parameters of perturbations and of everything else that a table of thresholds.toml configures, checked by value."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from abalo.core.configuring import Settable
from abalo.core.settings import LANGUAGE, Problems
from abalo.core.verdicts import Bound
from abalo.sources.resources import problem_with, unnamed
from perturbations import Perturbation, parse
from perturbations.suggestions import did_you_mean

Configurable = Perturbation | Settable[Any]
"""Anything that a table can give parameters."""


def check_parameter(
    tested: Configurable, key: str, value: Any, place: str, problems: Problems, language: object = None
) -> None:
    """A problem more where the value does not fit the parameter ``key`` of what is tested.

    What fits in one language alone fits if the entry has that ``language``, or none.
    """
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        problems.add(place, f"{value!r}; expected a value that JSON has too, since it goes into the report")
        return
    resources = tested.resources() if isinstance(tested, Perturbation) else {}
    if key in resources:
        problem = problem_with(value, resources[key])
        if problem is not None:
            problems.add(place, problem)
        return
    refusals = []
    for more in _languages(tested, key, language):
        refusals.append(_refusal(tested, {key: value, **more}))
        if not refusals[-1]:
            return
    problems.add(place, refusals[0])


def _languages(tested: Configurable, key: str, language: object) -> Iterator[Mapping[str, Any]]:
    """The languages in which a value is tried: that of the entry, else the usual one, then all others."""
    if key == LANGUAGE or not isinstance(tested, Perturbation) or LANGUAGE not in tested.parameters():
        yield {}
    elif language is not None:
        yield {LANGUAGE: language}
    else:
        yield {}
        yield from ({LANGUAGE: code} for code in tested.spoken)


def _refusal(tested: Configurable, values: Mapping[str, Any]) -> str:
    """Why the values do not fit; empty where they do."""
    try:
        configured = tested.configured(**values)
        if isinstance(configured, Perturbation) and configured.cost != "model":
            list(configured.sites(parse(configured.example.before)))  # what the function itself says of the value
    except (TypeError, ValueError) as error:
        return str(error) or type(error).__name__
    except ImportError:
        return ""  # a package that is not installed: the case says so when it runs
    return ""


def check_parameters(
    tested: Configurable, values: Mapping[str, Any], place: str, problems: Problems, free: tuple[str, ...] = ()
) -> dict[str, Any]:
    """The values, each checked but for the ``free`` ones, which the probe checks itself."""
    for key, value in values.items():
        if key not in free:
            check_parameter(tested, key, value, f"{place} {key}", problems, values.get(LANGUAGE))
    check_named(tested, values, place, problems)
    return dict(values)


def check_named(tested: object, params: Mapping[str, Any], place: str, problems: Problems) -> None:
    """A problem more for each parameter that has to be given and is not."""
    if isinstance(tested, Perturbation):
        for name, problem in unnamed(tested, params):
            problems.add(f"{place} {name}", problem)


def unknown_groups(bounds: Iterable[Bound], groups: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The bounds on groups that a case cannot have, by the key in its entry, each with the reason."""
    for bound in bounds:
        if bound.type is not None and bound.type not in groups:
            near = did_you_mean(bound.type, groups)
            yield f"{bound.name} {bound.type}", f"is not put here; there are {', '.join(groups)}{near}"
