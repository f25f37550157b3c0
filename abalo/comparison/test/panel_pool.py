"""Pools the counts of the cases of a panel."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.pairing import Paired


@dataclass(frozen=True, slots=True, eq=False)
class Pooled:
    """A case of a pool."""

    name: str
    pair: Paired
    reference: Evidence


def pool(cases: Sequence[Pooled]) -> Paired:
    """The counts of all cases by cluster; equal names share a weight."""
    clusters = sorted({cluster for each in cases for cluster in each.pair.clusters})
    groups = sorted({group for each in cases for group in each.pair.groups})
    place = {cluster: row for row, cluster in enumerate(clusters)}
    times, first = Counter(each.name for each in cases), cases[0].pair
    new, reference = (
        np.zeros((len(clusters), side.shape[1], 1 + len(groups), side.shape[3]))
        for side in (first.new, first.reference)
    )
    holders: dict[str, set[str]] = defaultdict(set)
    for each in cases:
        pair = each.pair
        rows = [place[cluster] for cluster in pair.clusters]
        columns = [0, *(1 + groups.index(group) for group in pair.groups)]
        for whole, part in ((new, pair.new), (reference, pair.reference)):
            whole[np.ix_(rows, range(whole.shape[1]), columns)] += part / times[each.name]
        for k, group in enumerate(each.reference.groups):
            held = each.reference.clusters[each.reference.held[:, k] > 0]
            holders[group].update(place.keys() & set(held.tolist()) & set(pair.clusters))
    return Paired(
        "variant" if all(each.pair.by == "variant" for each in cases) else "example",
        tuple(clusters),
        tuple(groups),
        new,
        reference,
        (0, *(len(holders[group]) for group in groups)),
        min(each.pair.share for each in cases),
    )
