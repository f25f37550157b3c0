"""Models with a known loss, made from the evidence of a real model: hits are taken out at random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.metrics import Floats

ENTITIES, TEXTS = "entity_counts", ("label_counts", "kept_counts")
"""The counts that are thinned: of entities, and of texts with a label."""


def thinned(evidence: Evidence, share: float, seed: int, group: str | None = None) -> Evidence:
    """The evidence of a model that loses this share of its hits, each independently; of one group only, if named.

    A lost hit is lost on the clean example and on all its variants. Cases with the same clusters lose the same hits
    under the same seed.
    """
    places = np.unique(evidence.clusters, return_index=True, return_inverse=True)[1:]
    chosen = [k for k, name in enumerate(evidence.groups, start=1) if group in (None, name)]
    tables = {view: _tables(part, *places, chosen, share, seed) for view, part in evidence.tables.items()}
    return replace(evidence, tables=tables)


def lost_for(loss: float, sums: Floats, count: str) -> float:
    """The share of hits whose loss takes this much from F1, for counts of entities, or from the accuracy."""
    if count == ENTITIES:
        found, both = sums[3], sums[4] + sums[5]
        target = 2 * found / both - loss
        return float((2 * found - target * both) / (found * (2 - target)))
    return float(loss * sums[0] / sums[2])


def _tables(
    part: Mapping[str, Floats], first: Floats, cluster: Floats, chosen: list[int], share: float, seed: int
) -> dict[str, Floats]:
    found = {name: table.copy() for name, table in part.items()}
    generator = np.random.Generator(np.random.PCG64([seed, 1]))
    if ENTITIES in found:
        _lose_entities(found[ENTITIES], first, cluster, chosen, share, generator)
    lost = (generator.random(len(first)) < share)[cluster]
    for name in TEXTS:
        if name in found:
            held = found[name][:, chosen, 0].any(axis=1)
            found[name][lost & held, :, 1:] = 0
    return found


def _lose_entities(
    table: Floats, first: Floats, cluster: Floats, chosen: list[int], share: float, generator: np.random.Generator
) -> None:
    """Takes entities found out of those found and predicted: on the clean sentence, and on variants of it."""
    clean = table[first][:, chosen, 0].astype(int)
    lost = generator.binomial(clean, share)
    here, before = lost[cluster], clean[cluster]
    now = table[:, chosen, 3].astype(int)
    common = np.minimum(now, before)
    gone = np.zeros_like(now)
    held = common > 0
    gone[held] = generator.hypergeometric(here[held], (before - here)[held], common[held])
    gone += generator.binomial(now - common, share)
    unchanged = (table[:, chosen, :3] == table[:, chosen, 3:]).all(axis=2)
    gone = np.where(unchanged, here, gone)
    for k, column in enumerate(chosen):
        table[:, column, :2] -= here[:, [k]]
        table[:, column, 3:5] -= gone[:, [k]]
    table[:, 0] = table[:, 1:].sum(axis=1)
