"""Hypothesis looks for the smallest edit that breaks a promise.

It finds counterexamples and shrinks them; how often a promise is broken is another question, which draws answer.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings, target
from hypothesis.database import DirectoryBasedExampleDatabase

from abalo.invariances import Hunted, Trial
from abalo.invariances.trial import Try, drop
from abalo.metrics.promises import lost
from abalo.outcomes import Outcome
from abalo.pytest_plugin.options import Profile
from perturbations.strategies import tries


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to look: Hypothesis's examples, of 32 edits each; edits in all, shrinking included; seconds at most.

    ``edits`` is what usually ends a search, so that it ends in the same place on every machine. ``random`` examples
    differ from run to run and are remembered in a database.
    """

    examples: int
    edits: int
    seconds: float
    random: bool = False


EFFORTS: dict[Profile, Effort] = {
    "dev": Effort(examples=8, edits=500, seconds=60),
    "ci": Effort(examples=20, edits=1_000, seconds=120),
    "nightly": Effort(examples=1_000, edits=50_000, seconds=1_200, random=True),
}

PHASES = (Phase.reuse, Phase.generate, Phase.target, Phase.shrink)
"""All but the explanation, which is slow and would be of numbers, not of text."""


class _Broken(Exception):  # noqa: N818 - it says what is wrong already
    """The promise is."""


class _Enough(KeyboardInterrupt):
    """Out of edits or of time. Hypothesis lets no other exception through while it searches."""


def hunt(trial: Trial, drawn: Sequence[Outcome], effort: Effort, database: Path | None = None) -> Hunted:
    """The smallest edit found that breaks the promise of ``trial``, in the shortest sentence.

    Those that were ``drawn`` count too: what breaks a promise rarely may have been drawn and never be found.
    ``database`` is the folder that remembers examples from run to run, for an effort that is ``random``.
    """
    order = {sentence: number for number, sentence in enumerate(trial.sentences)}
    broken = [(order[outcome.gold], k, outcome) for k, outcome in enumerate(drawn) if lost(outcome)]
    started, tried, stopped = time.monotonic(), 0, ""

    @settings(
        max_examples=effort.examples,
        derandomize=not effort.random,
        database=DirectoryBasedExampleDatabase(database) if effort.random and database is not None else None,
        deadline=None,
        phases=PHASES,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(tries(trial.sentences, trial.sites))
    def promise(plan: list[Try]) -> None:
        nonlocal tried, stopped
        if tried + len(plan) > effort.edits:
            stopped = "at the most edits"
            raise _Enough
        if time.monotonic() - started > effort.seconds:
            stopped = f"after {effort.seconds:g} seconds"
            raise _Enough
        outcomes = trial.outcomes(plan)
        found = [(order[outcome.gold], -tried - k, outcome) for k, outcome in enumerate(outcomes) if lost(outcome)]
        tried += len(plan)
        broken.extend(found)
        target(max(map(drop, outcomes)))
        if found:
            raise _Broken

    with suppress(_Broken, _Enough):
        promise()
    smallest = min(broken, key=lambda each: each[:2], default=None)
    return Hunted(tried, stopped, None if smallest is None else smallest[2])
