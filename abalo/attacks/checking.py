"""Checks the steps of searches and rankings; errors name the extension."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from abalo.attacks.attack import Started
from abalo.attacks.parts import EditOptions, Ranking, RankingSteps, Tuning
from abalo.attacks.search import Ask, Found, Search, SearchState
from abalo.core.records.targets import Target
from abalo.errors import AbaloError, visible
from perturbations import Edit, Perturbed


def checked_start(attack: str, targets: Sequence[Target], started: Started) -> Started:
    """The plan of an attack; its searches raise `AbaloError` unless they yield `Ask` and return `Found`.

    Raises `AbaloError` unless it has a search and a number of choices for each target.
    """
    name = f"attack {attack}"
    if not isinstance(started, Started):
        _refuse(name, "returned", started, "Started")
    counts = len(started.searches), len(started.choices)
    if set(counts) != {len(targets)}:
        _refuse(name, "started searches and choices:", counts, f"{len(targets)} of each, one for each target")
    name += f" (search {started.sources['search']})" if "search" in started.sources else ""
    pairs = zip(targets, started.searches, strict=True)
    return replace(started, searches=[_checked_search(name, target, search) for target, search in pairs])


def _checked_search(name: str, target: Target, search: Search) -> Search:
    found = yield from _asking(name, target, search)
    if not isinstance(found, Found) or not isinstance(found.perturbed, Perturbed | None):
        _refuse(name, "returned", found, "Found, with what apply or apply_edits returns, or None")
    if not isinstance(found.best, SearchState | None):
        _refuse(name, "returned best =", found.best, "a SearchState or None")
    return found


def checked_ranking(ranking: Ranking) -> Ranking:
    """The ranking; its steps raise `AbaloError` unless they return places of the options."""
    name = f"ranking {ranking.name}"

    def rank(target: Target, options: EditOptions, tuning: Tuning) -> RankingSteps:
        ranked: Any = yield from _asking(name, target, ranking.rank(target, options, tuning))
        if not isinstance(ranked, Mapping) or not ranked.keys() <= options.keys():
            _refuse(name, "returned", ranked, "a dict whose keys are places of the options, the first to try first")
        for edits in ranked.values():
            if not isinstance(edits, Sequence) or not all(isinstance(edit, Edit) for edit in edits):
                _refuse(name, "returned a place with", edits, "a list of Edit")
        return ranked

    return Ranking(ranking.name, rank, ranking.drawn)


def _asking(name: str, target: Target, steps: Any) -> Generator[Ask, Any, Any]:
    """The steps, each checked."""
    if not isinstance(steps, Generator):
        _refuse(name, "is a function without yield, and returned", steps, "a generator; write `yield from ()` first")
    answers = None
    while True:
        try:
            ask = steps.send(answers)
        except StopIteration as end:
            return end.value
        if not isinstance(ask, Ask):
            _refuse(name, "yielded", ask, "Ask(target, candidates)")
        if ask.target is not target:
            _refuse(name, "yielded an Ask of", ask.target, "one of the target that it was given")
        for each in ask.candidates:
            if not isinstance(each, Perturbed):
                _refuse(name, "yielded the candidate", each, "what apply or apply_edits returns")
        answers = yield ask


def _refuse(name: str, did: str, value: object, expected: str) -> NoReturn:
    raise AbaloError(f"{name} {did} {visible(repr(value))[:200]}; expected {expected}")
