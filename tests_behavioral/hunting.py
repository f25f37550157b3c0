"""Looking for the smallest edit that breaks an invariance.

Hypothesis searches and shrinks; then what broke the invariance anywhere, drawn or found, is tried in shorter examples.
How often an invariance is broken is another question, which draws answer.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from hypothesis import HealthCheck, Phase, Verbosity, given, settings, target
from hypothesis.database import DirectoryBasedExampleDatabase

from abalo.config.options import Profile
from abalo.core.protocols.options import HUNTED
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.invariance import broken_targets
from abalo.invariances import Hunted, Trial
from abalo.invariances.trial import Try, drop
from perturbations import Edit, Sentence
from perturbations.strategies import tries

AT_ONCE = 32
"""Edits that the model is shown at once."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to look: Hypothesis's examples, of 32 edits each; edits in all, shrinking included; seconds at most.

    ``edits`` is what ends a long search, so that it ends in the same place on every machine. ``random`` examples
    differ from run to run and are remembered in a database.
    """

    examples: int
    edits: int
    seconds: float
    random: bool = False


EFFORTS: dict[Profile, Effort] = {
    "quick": Effort(examples=1, edits=HUNTED["quick"], seconds=5),
    "dev": Effort(examples=8, edits=HUNTED["dev"], seconds=60),
    "ci": Effort(examples=20, edits=HUNTED["ci"], seconds=120),
    "nightly": Effort(examples=1_000, edits=HUNTED["nightly"], seconds=1_200, random=True),
}

SEARCH = 0.6
"""The share of the edits that Hypothesis may use up."""

PHASES = (Phase.reuse, Phase.generate, Phase.target, Phase.shrink)
"""All but the explanation, which is slow and would be of numbers, not of text."""


class _Broken(Exception):  # noqa: N818 - it says what is wrong already
    """The invariance is."""


class _Enough(KeyboardInterrupt):
    """Out of edits or of time. Hypothesis lets no other exception through while it searches."""


@dataclass
class _Search:
    """A search under way: how many edits were tried, the largest drop in confidence of the last ones, what broke it."""

    trial: Trial
    effort: Effort
    broken: list[Outcome]
    tried: int = 0
    stopped: str = ""
    furthest: float = 0.0
    started: float = field(default_factory=time.monotonic)

    def holds(self, plan: Sequence[Try], most: float) -> bool:
        """Whether the invariance bears these edits; ends the search where they are more than ``most``, or too late."""
        if self.tried + len(plan) > most:
            self.stopped = "at the most edits"
            raise _Enough
        if time.monotonic() - self.started > self.effort.seconds:
            self.stopped = f"after {self.effort.seconds:g} seconds"
            raise _Enough
        outcomes = self.trial.outcomes(plan)
        self.tried += len(plan)
        found = [outcome for outcome in outcomes if broken_targets(outcome)]
        self.broken += found
        self.furthest = max(map(drop, outcomes))
        return not found

    def smallest(self) -> Outcome | None:
        """The outcome that broke the invariance in the shortest example, the first of several there; None without
        one.
        """
        return min(self.broken, key=self.trial.rank, default=None)


def hunt(trial: Trial, drawn: Sequence[Outcome], effort: Effort, database: Path | None = None) -> Hunted:
    """The smallest edit found that breaks the invariance of ``trial``, in the shortest sentence.

    Those that were ``drawn`` count too: what breaks an invariance rarely may have been drawn and never be found.
    ``database`` is the folder that remembers examples from run to run, for an effort that is ``random``.
    """
    search = _Search(trial, effort, [outcome for outcome in drawn if broken_targets(outcome)])
    with suppress(_Enough):
        _let_hypothesis_look(search, database)
    with suppress(_Enough):
        _try_elsewhere(search)
    return Hunted(search.tried, search.stopped, search.smallest())


def _let_hypothesis_look(search: _Search, database: Path | None) -> None:
    effort, trial = search.effort, search.trial
    kept = DirectoryBasedExampleDatabase(database / trial.key) if effort.random and database is not None else None

    @settings(
        max_examples=effort.examples,
        derandomize=not effort.random,
        database=kept,
        deadline=None,
        phases=PHASES,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(tries(trial.examples, trial.sites, at_once=AT_ONCE))
    def invariance(plan: list[Try]) -> None:
        held = search.holds(plan, SEARCH * effort.edits)
        target(search.furthest)
        if not held:
            raise _Broken

    with suppress(_Broken):
        invariance()


def _try_elsewhere(search: _Search) -> None:
    """Puts what broke the invariance into shorter examples, the shortest first, until it is broken there."""
    smallest = search.smallest()
    if smallest is None or smallest.variant is None:
        return
    (name,) = smallest.variant.edits
    put_in = {_put_in(outcome.edited, edit) for outcome in search.broken for edit in _edits(outcome)}
    place = search.trial.examples.index(smallest.example)
    for example in search.trial.examples[: place + 1]:
        sentence = example.fields[name]
        alike = (
            (example, edit)
            for site in search.trial.sites(example)
            for edit in site()
            if _put_in(sentence, edit) in put_in
        )
        while plan := list(islice(alike, AT_ONCE)):
            if not search.holds(plan, search.effort.edits):
                return


def _edits(outcome: Outcome) -> Sequence[Edit]:
    return () if outcome.perturbed is None else outcome.perturbed.edits


def _put_in(sentence: Sentence, edit: Edit) -> tuple[str, ...]:
    """The characters that the edit brings in."""
    before, after = "".join(sentence.tokens[edit.start : edit.stop]), "".join(edit.tokens)
    return tuple(sorted((Counter(after) - Counter(before)).elements()))
