"""The reach of a case: the largest possible drop of an overall number.

If a case changes 16 of 928 examples, the drop is at most 0.017.
"""

from __future__ import annotations

import math

import numpy as np

from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.metrics import Difference, Floats, Metric, Share, over_trainings, ratio


def worst(metric: Metric, evidence: Evidence, view: str) -> Floats | None:
    """The worst value (1 + groups) if changed units lose all hits; None without hits."""
    table, changed = evidence.stored_counts(metric, view), evidence.changed
    found = []
    for training in range(int(evidence.trainings.max()) + 1):
        own = evidence.trainings == training
        value = _worst(metric, *(table[own & part].sum(axis=0, dtype=np.float64) for part in (~changed, changed)))
        if value is None:
            return None
        found.append(value)
    return over_trainings(np.array(found))


def reach(metric: Metric, evidence: Evidence, view: str) -> float:
    """The largest possible overall drop; NaN if undefined."""
    found = worst(metric, evidence, view) if len(evidence) else None
    return math.nan if found is None else float(found[0])


def _worst(metric: Metric, kept: Floats, changed: Floats) -> Floats | None:
    value = metric.value
    here = value(kept + changed)  # may be worse than without a hit, by what was found where nothing is
    if metric.lost is not None:
        return (np.fmin if metric.more_is_better else np.fmax)(value(kept + metric.lost(changed)), here)
    if isinstance(value, Share) and metric.more_is_better:
        return np.fmin(_with_all_lost(value, kept, changed), here)
    if isinstance(value, Share):
        return np.fmax(_with_all_events(value, kept, changed), here)
    if isinstance(value, Difference) and metric.before is not None:
        return np.fmax(value.first(kept + changed) - _with_all_lost(value.second, kept, changed), here)
    return None


def _with_all_lost(share: Share, kept: Floats, changed: Floats) -> Floats:
    events, trials = share.hit
    lost = share.events(changed)
    return share.scale * ratio(
        share.events(kept), share.trials(kept) + share.trials(changed) - lost * trials / events, share.empty
    )


def _with_all_events(share: Share, kept: Floats, changed: Floats) -> Floats:
    trials = share.trials(changed)
    return share.scale * ratio(share.events(kept) + trials, share.trials(kept) + trials, share.empty)
