"""Entries of [[ner.pipeline]]: perturbations in turn, named one by one or drawn from the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from abalo.sources.resources import LANGUAGE
from abalo.core.case import STEPS, step_of
from abalo.config.settings import Problems, check_named, check_parameter, is_whole
from perturbations import Perturbation, Pipeline, UnknownPerturbation, find, members
from perturbations.pipelines import combinations, languages, sampled_combinations
from perturbations.suggestions import did_you_mean

PIPELINE = "pipeline"
"""The name of the table."""

_SAMPLED, _OF = "sampled", "of"

KEYS = (STEPS, _SAMPLED, _OF, LANGUAGE)
"""What an entry can have besides settings and bounds: the steps, or how many combinations of how many to draw."""

SIZES = {2: "pairs", 3: "triples"}

_EXAMPLE = 'such as steps = ["accents", {name = "character_noise", rate = 0.05}]'

Read = tuple[Pipeline, list[Any]]
"""A pipeline, and its steps as the file has them, or would have."""


def read_pipelines(entry: Mapping[str, Any], seed: int, language: str, place: str, problems: Problems) -> list[Read]:
    """The pipelines that an entry asks for; ``seed`` decides which are drawn. None where it has a problem.

    ``language`` is that of the corpus, for which they are drawn unless the entry gives another.
    """
    drawn = [key for key in (_SAMPLED, _OF, LANGUAGE) if key in entry]
    if STEPS in entry and drawn:
        problems.add(f"{place} {drawn[0]}", "the steps are given, so there is nothing to draw; leave one out")
    elif STEPS in entry:
        return _given(entry[STEPS], f"{place} {STEPS}", problems)
    elif _SAMPLED in entry:
        return _drawn(entry, seed, language, place, problems)
    else:
        problems.add(place, f"nothing to do in turn; give {STEPS}, {_EXAMPLE}, or {_SAMPLED} = 20 and {_OF} = 2")
    return []


def _given(steps: Any, place: str, problems: Problems) -> list[Read]:
    if not isinstance(steps, list) or len(steps) < 2:
        problems.add(place, f"{steps!r}; expected a list of two steps or more, {_EXAMPLE}")
        return []
    found = [_step(step, f"{place} number {number}", problems) for number, step in enumerate(steps, start=1)]
    members_found = tuple(member for member in found if member is not None)
    return [(Pipeline(members_found), steps)] if len(members_found) == len(steps) else []


def _step(step: Any, place: str, problems: Problems) -> Perturbation | None:
    """The perturbation of a step, its parameters checked; None where there is none of that name."""
    if not isinstance(step, str) and not (isinstance(step, dict) and isinstance(step.get("name"), str)):
        problems.add(place, f"{step!r}; expected a name, or a table with one, {_EXAMPLE}")
        return None
    name, params = step_of(step)
    try:
        member = find(name)
    except UnknownPerturbation:
        problems.add(place, f"{name!r}: no such perturbation{did_you_mean(name, members())}")
        return None
    if member.name != name:
        problems.add(place, f"{name!r} is called {member.name!r} here; write {member.name!r}")
    for key, value in params.items():
        known = ["rate", *member.parameters()]
        if key in known:
            check_parameter(member, key, value, f"{place} {key}", problems)
        else:
            near = did_you_mean(key, known)
            problems.add(f"{place} {key}", f"no such parameter of {name}{near}; there are {', '.join(known)}")
    check_named(member, params, place, problems)
    return member


def _drawn(entry: Mapping[str, Any], seed: int, usual: str, place: str, problems: Problems) -> list[Read]:
    count, of, language = entry[_SAMPLED], entry.get(_OF, 2), entry.get(LANGUAGE, usual)
    wrong = []
    if not is_whole(of) or of not in SIZES:
        wrong.append((_OF, f"{of!r}; expected 2 or 3, for pairs or triples"))
    if LANGUAGE in entry and language not in languages():
        wrong.append((LANGUAGE, f"{language!r}; expected one of {', '.join(languages())}"))
    if not is_whole(count) or count < 1:
        wrong.append((_SAMPLED, f"{count!r}; expected a whole number from 1"))
    elif not wrong:
        there_are = len(list(islice(combinations(of, language), count)))
        if there_are < count:
            wrong.append((_SAMPLED, f"{count}; the catalogue has {there_are:,} {SIZES[of]}"))
    for key, problem in wrong:
        problems.add(f"{place} {key}", problem)
    if wrong:
        return []
    drawn = sampled_combinations(count, of, seed=seed, language=language)
    return [(Pipeline(steps), [_written(member, language, usual) for member in steps]) for steps in drawn]


def _written(member: Perturbation, language: str, usual: str) -> Any:
    """The step in the file: its name, and the language where it is another than that of the corpus."""
    plain = language == usual or LANGUAGE not in member.params
    return member.name if plain else {"name": member.name, LANGUAGE: language}
