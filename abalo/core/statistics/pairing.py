"""Pairs the counts of two runs by cluster."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from typing import Literal, TypeVar

import numpy as np

from abalo.core.records import words
from abalo.core.statistics.estimates import FEWEST_CLUSTERS, rounds
from abalo.core.statistics.evidence import REPEATS, Evidence, MissingCountsError
from abalo.core.statistics.metrics import Flags, Floats, Metric
from abalo.core.statistics.repeating import ONCE

T = TypeVar("T")

Pairing = Literal["variant", "example"]


OTHER_VARIANTS = "the runs saw other variants, though these do not depend on the model"


NO_SEED = "the runs have no seed in common"


UNCHANGED = "nothing was changed"


class NotComparable(Exception):  # noqa: N818 - a finding, not a mistake
    """Two runs cannot be compared; the message explains why."""


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """The counts of both runs (clusters × trainings × 1 + groups × columns), overall first.

    * ``same_answers``: on the inputs of both runs; None if an older version wrote either run.
    * ``few``: the reason if clusters are too few for any finding but equality; else "".
    """

    by: Pairing
    clusters: tuple[str, ...]
    groups: tuple[str, ...]
    new: Floats
    reference: Floats
    holding: tuple[int, ...]
    share: float
    same_answers: bool | None = None
    few: str = ""

    @property
    def same(self) -> bool:
        """Whether all counts are equal."""
        return bool(np.array_equal(self.new, self.reference))

    @property
    def equal(self) -> bool:
        """Whether counts are equal, and answers as far as known."""
        return self.same and self.same_answers is not False

    @property
    def enough(self) -> bool:
        """Whether the clusters are enough for what they hold."""
        return not self.few or self.equal

    def differing(self, group: int) -> Flags:
        """Whether counts differ by cluster; group 0 is overall."""
        new, reference = (each[:, :, group].mean(axis=1) for each in (self.new, self.reference))
        found: Flags = (new != reference).any(axis=1)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """Both runs of a case on the clusters with equal examples, gold and seeds."""

    by: Pairing
    new: Evidence
    reference: Evidence
    clusters: tuple[str, ...]
    share: float
    same_answers: bool | None
    few: str

    def paired(self, metric: Metric, view: str, *, overall: bool = False) -> Paired:
        """The counts of a metric, of all groups or only ``overall``; raises `NotComparable` if a run lacks them."""
        sides = self.new, self.reference
        groups = () if overall else tuple(sorted({*self.new.groups, *self.reference.groups}))
        held = {} if overall else holding(self.reference.only(np.isin(self.reference.clusters, self.clusters)))
        try:
            tables = [*_of_both(lambda each: _sums(each, metric, view, self.clusters, groups), *sides)]
        except MissingCountsError as error:
            raise NotComparable(
                f"{metric.words} is not counted in both runs: another version of Abalo wrote one"
            ) from error
        known = min(table.shape[-1] for table in tables)  # an older version counts fewer columns
        tables = [table[..., :known] for table in tables]
        repeats = [each.notes.get(REPEATS) for each in sides]
        if repeats[0] != repeats[1]:  # each the counts of as many repeats as the other
            tables = [table * (times or 1) for table, times in zip(tables, reversed(repeats), strict=True)]
        return Paired(
            self.by,
            self.clusters,
            groups,
            tables[0],
            tables[1],
            (0, *(held.get(group, 0) for group in groups)),
            self.share,
            self.same_answers,
            self.few,
        )


def pair_runs(
    new: Evidence,
    reference: Evidence,
    metric: Metric,
    view: str,
    *,
    from_model: bool,
    fewest: int = FEWEST_CLUSTERS,
    changed: bool = False,
    overall: bool = False,
) -> Paired:
    """The counts on clusters with equal examples, gold and seeds, of all groups or only ``overall``.

    Raises `NotComparable` for unequal variants unless ``from_model``, and below ``fewest`` clusters unless these are
    all, and their counts and answers are equal.
    """
    matched = match_runs(new, reference, from_model=from_model, fewest=fewest, changed=changed)
    pair = matched.paired(metric, view, overall=overall)
    if not pair.enough:
        raise NotComparable(pair.few)
    return pair


def match_runs(
    new: Evidence, reference: Evidence, *, from_model: bool, fewest: int = FEWEST_CLUSTERS, changed: bool = False
) -> Matched:
    """Finds the common clusters; fewer than ``fewest`` are a reason in ``few`` if no run has others, else an error."""
    repeats = [each.notes.get(REPEATS) for each in (new, reference)]
    if 1 in repeats:
        raise NotComparable(ONCE)
    seeds, undrawn = np.intersect1d(new.seeds, reference.seeds), False
    if not len(seeds):  # a case that draws nothing runs under one seed, whichever that is
        undrawn = all(len(np.unique(each.seeds)) == 1 for each in (new, reference))
        if not undrawn:
            raise NotComparable(NO_SEED)
        seeds = reference.seeds[:1]
        new = replace(new, seeds=np.full(len(new), seeds[0]))
    new, reference = _of_both(partial(_under, seeds), new, reference)
    here, there = _of_both(_units, new, reference)
    shared = here.keys() & there.keys()
    common = sorted(each for each in shared if _same_gold(here[each], there[each], often=not from_model))
    few = ""
    if len(common) < fewest:
        few = f"the runs share only {words.count(len(common), 'distinct example')}; {fewest} are needed"
        if not common or not len(common) == len(here) == len(there):
            raise NotComparable(few)
    same_variants = all(here[cluster] == there[cluster] for cluster in common)
    if not same_variants and undrawn:
        raise NotComparable(few or NO_SEED)
    if not same_variants and not from_model:
        raise NotComparable(few or OTHER_VARIANTS)
    share = len(common) / len(here)
    if changed:
        if len(common) < len(here):
            new = new.only(np.isin(new.clusters, common))
        new, reference = _changed_units(new, reference)
        common = sorted(set(new.clusters.tolist()))
    by: Pairing = "variant" if same_variants else "example"
    return Matched(by, new, reference, tuple(common), share, _same_answers(new, reference), few)


def _same_answers(new: Evidence, reference: Evidence) -> bool | None:
    if not all((each.answers != "").all() for each in (new, reference)):
        return None
    here, there = _of_both(_answers, new, reference)
    return all(here[key] == there[key] for key in here.keys() & there.keys())


def _answers(evidence: Evidence) -> Mapping[tuple[str, int, str, str, str], Counter[str]]:
    found: dict[tuple[str, int, str, str, str], Counter[str]] = defaultdict(Counter)
    rows = (evidence.ids, evidence.seeds, evidence.golds, evidence.places, evidence.digests)
    keys = zip(*(row.tolist() for row in rows), strict=True)
    for key, answer in zip(keys, evidence.answers.tolist(), strict=True):
        found[key][answer] += 1
    return found


def _changed_units(new: Evidence, reference: Evidence) -> tuple[Evidence, Evidence]:
    def keys(of: Evidence) -> list[tuple[str, int]]:
        return [*zip(of.clusters.tolist(), of.seeds.tolist(), strict=True)]

    kept = {key for each in (new, reference) for key in compress(keys(each), each.changed)}
    if kept.isdisjoint(keys(new)) or not reference.changed.any():
        raise NotComparable(UNCHANGED)
    return _of_both(lambda each: each.only(np.array([key in kept for key in keys(each)], dtype=bool)), new, reference)


def _of_both(what: Callable[[Evidence], T], new: Evidence, reference: Evidence) -> tuple[T, T]:
    """Applies a function to both runs, or once if both are the same object."""
    first = what(new)
    return first, first if reference is new else what(reference)


def _under(seeds: Iterable[int], evidence: Evidence) -> Evidence:
    return evidence.only(np.isin(evidence.seeds, list(seeds)) & ~evidence.outside)


_Unit = tuple[str, int, str, str, str]


def _units(evidence: Evidence) -> Mapping[str, Counter[_Unit]]:
    evidence = evidence.only(evidence.trainings == 0)
    found: dict[str, Counter[_Unit]] = defaultdict(Counter)
    rows = (evidence.ids, evidence.seeds, evidence.golds, evidence.places, evidence.digests)
    for cluster, *unit in zip(evidence.clusters.tolist(), *(row.tolist() for row in rows), strict=True):
        found[cluster][tuple(unit)] += 1
    return found


def _same_gold(new: Counter[_Unit], reference: Counter[_Unit], *, often: bool) -> bool:
    here, there = _gold(new), _gold(reference)
    return here == there if often else here.keys() == there.keys()


def _gold(units: Counter[_Unit]) -> Counter[tuple[str, int, str]]:
    found: Counter[tuple[str, int, str]] = Counter()
    for (example, seed, gold, _, _), count in units.items():
        found[example, seed, gold] += count
    return found


def _sums(evidence: Evidence, metric: Metric, view: str, clusters: Sequence[str], groups: Sequence[str]) -> Floats:
    table = evidence.stored_counts(metric, view, overall=not groups)
    place = {cluster: row for row, cluster in enumerate(clusters)}
    rows = np.array([place.get(cluster, -1) for cluster in evidence.clusters.tolist()])
    chosen = (rows >= 0) & (evidence.changed | (not metric.changed_only))
    trainings = int(evidence.trainings.max()) + 1
    units = np.flatnonzero(chosen)
    places = rows[units] * trainings + evidence.trainings[units]
    own = np.zeros((len(clusters) * trainings, *table.shape[1:]))
    for copies in rounds(places):
        own[places[copies]] += table[units[copies]]
    own = own.reshape(len(clusters), trainings, *table.shape[1:])
    if not groups or tuple(evidence.groups) == tuple(groups):
        return own
    sums = np.zeros((len(clusters), trainings, 1 + len(groups), table.shape[2]))
    sums[:, :, [0, *(1 + groups.index(group) for group in evidence.groups)]] = own
    return sums


def holding(evidence: Evidence) -> Mapping[str, int]:
    """The clusters with gold labels of each group."""
    return {
        group: len(np.unique(evidence.clusters[evidence.held[:, k] > 0])) for k, group in enumerate(evidence.groups)
    }


@dataclass(frozen=True, slots=True)
class WorseUnit:
    """A unit in which the new run is ``worse``, or better if negative."""

    example: str
    seed: int
    place: str
    worse: float


def differing(new: Evidence, reference: Evidence, metric: Metric, view: str) -> list[WorseUnit]:
    """The units with different values of the metric."""
    new, reference = (each.only(~each.outside) for each in (new, reference))
    sign = 1 if metric.more_is_better else -1
    values = [_by_unit(each, metric, view) for each in (new, reference)]
    return [
        WorseUnit(*key[:3], worse)
        for key, value in values[0].items()
        if abs(worse := float(sign * (values[1].get(key, value) - value))) > 0
    ]


def _by_unit(evidence: Evidence, metric: Metric, view: str) -> Mapping[tuple[str, int, str, str], float]:
    found: dict[tuple[str, int, str, str], list[float]] = defaultdict(list)
    for key, value in zip(_keys(evidence), metric.value(evidence.counts(metric, view)[:, 0]).tolist(), strict=True):
        found[key].append(value)
    return {key: sum(each) / len(each) for key, each in found.items()}


def _keys(evidence: Evidence) -> list[tuple[str, int, str, str]]:
    rows = (evidence.ids, evidence.seeds, evidence.places, evidence.golds)
    return list(zip(*(row.tolist() for row in rows), strict=True))
