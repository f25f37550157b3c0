"""Runs cases in parts until they are decided."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from abalo.core.protocols.probe import Begun, Case
from abalo.core.protocols.units import units
from abalo.core.records.outcome import Outcome
from abalo.core.running.engine import TAKEN, CaseRun, Engine
from abalo.core.running.judging import UNBREAKABLE
from abalo.core.statistics.estimates import FEWEST_CLUSTERS
from abalo.core.statistics.evidence import Evidence, join_trainings
from abalo.core.statistics.losses import Loss
from abalo.core.statistics.sequential import SHOWN, Look, increment, look_notes, looks_of, order
from abalo.core.statistics.verdicts import Judgement

IsDecided = Callable[[Evidence], bool]


def until_decided(
    case: Case, engines: Sequence[Engine], level: float, decided: IsDecided | None
) -> list[CaseRun] | None:
    """The case, run until ``decided``; None if it runs whole."""
    begun = [case.probe.begun(case, engine) for engine in engines]
    parts = [
        PartialCase(case, *pair)
        for engine, each in zip(engines, begun, strict=True)
        if each and (pair := (engine, each))
    ]
    if not parts:
        return None
    looks = parts[0].looks
    if decided is None:
        return [part.go_on(0, replace(looks[0], clusters=min(SHOWN, looks[0].clusters))).finished() for part in parts]
    for number, look in enumerate(looks, start=1):
        last = number == len(looks)
        if not last and not increment(looks, number, level):
            continue
        for part in parts:
            part.go_on(number, look)
        if last or decided(join_trainings([part.evidence for part in parts]) if len(parts) > 1 else parts[0].evidence):
            break
    return [part.finished() for part in parts]


class PartialCase:
    """A case run on some clusters."""

    def __init__(self, case: Case, engine: Engine, begun: Begun) -> None:
        self._case, self._engine, self._begun = case, engine, begun
        clusters = [example.cluster for example in begun.examples]
        self._rank = {cluster: rank for rank, cluster in enumerate(order(clusters, begun.seeds[0]))}
        self.looks = looks_of(len(self._rank), len(begun.seeds))
        self._seen = Look(0, 1, 0.0)
        self._number = 0
        self._seconds = 0.0

    def go_on(self, number: int, look: Look) -> PartialCase:
        """Runs the new units of a look; returns itself."""
        started = time.perf_counter()
        clusters = [(i, self._rank[example.cluster]) for i, example in enumerate(self._begun.examples)]
        new = [i for i, rank in clusters if self._seen.clusters <= rank < look.clusters]
        if new:
            self._begun.take(new, self._begun.seeds[: self._seen.seeds])
        if look.seeds > self._seen.seeds:
            every = [i for i, rank in clusters if rank < look.clusters]
            self._begun.take(every, self._begun.seeds[self._seen.seeds : look.seeds])
        self._number, self._seen, self._ran = number, look, self._begun.ran()
        self._seconds += time.perf_counter() - started
        found = self._engine.evidence(self._case, self._ran)
        self.evidence = replace(
            found, notes={**found.notes, **look_notes(number, len(self._rank), len(self._begun.seeds))}
        )
        return self

    def finished(self) -> CaseRun:
        """The case as far as it went."""
        run = self._engine.finished(self._case, self._ran, self._seconds, self.evidence)
        far = {
            "look": self._number,
            "looks": len(self.looks),
            "sentences": run.facts["sentences"],
            "of": len(self._begun.examples),
            "of_distinct": len(self._rank),
            "seeds": self._seen.seeds,
            "of_seeds": len(self._begun.seeds),
        }
        return replace(run, facts={**run.facts, TAKEN: far})


def waiting(judgements: Sequence[Judgement], holding: Callable[[str | None], int]) -> bool:
    """Whether the whole corpus could decide an undecided bound."""
    return any(
        each.verdict == "inconclusive"
        and each.reason != UNBREAKABLE
        and max(each.estimate.distinct or 0, holding(each.bound.type)) >= FEWEST_CLUSTERS
        for each in judgements
    )


def holders(case: Case, engine: Engine) -> Counter[str | None]:
    """The number of clusters with each group; under None, of all."""
    pairs = zip(engine.examples[: case.limit], engine.predictor.clean(), strict=False)
    outcomes = [Outcome(example, 0, found, None, found) for example, found in pairs]
    counted = units(case.probe, engine.task)
    groups = counted.groups(outcomes)
    held = counted.held(outcomes, groups) > 0
    clusters = np.array([outcome.example.cluster for outcome in outcomes])
    found: Counter[str | None] = Counter({None: len(np.unique(clusters))})
    found.update({group: len(np.unique(clusters[held[:, k]])) for k, group in enumerate(groups)})
    return found


def misses_a_group(evidence: Evidence, holding: Mapping[str | None, int]) -> bool:
    """Whether a group has too little evidence."""
    held = evidence.held > 0
    seen = {group: len(np.unique(evidence.clusters[held[:, k]])) for k, group in enumerate(evidence.groups)}
    return any(
        seen.get(group, 0) < min(count, FEWEST_CLUSTERS) for group, count in holding.items() if group is not None
    )


def open_losses(losses: Sequence[Loss]) -> bool:
    """Whether a blocking loss is undecided."""
    return any(loss.blocking and loss.state == "can't tell" for loss in losses)
