"""The reach of a case: how far a number over all examples moves if every hit in the changed ones is lost.

A case that changes 16 of 928 examples loses a score of 0.017 at most in this way, whatever the model. So a bound on the
number over all that this does not break says next to nothing of the model. False positives can take more than all hits;
where a model has them, its own number is the worst.
"""

from __future__ import annotations

import math

import numpy as np

from abalo.core.evidence import Evidence
from abalo.core.metrics import Difference, Floats, Metric, Share, over_trainings, ratio


def worst(metric: Metric, evidence: Evidence, view: str) -> Floats | None:
    """The worst value that the metric can take here, every hit in the changed units being lost.

    Args:
        metric: A metric over all units; of a drop or a share of errors the worst is the largest, of others the least.
        evidence: The evidence of a case that perturbs, with at least one unit.
        view: The view of the number.

    Returns:
        The value overall and then of each group (1 + groups); None of a metric that does not say what is lost.
    """
    table, changed = evidence.counts(metric, view), evidence.changed
    found = []
    for training in range(int(evidence.trainings.max()) + 1):
        own = evidence.trainings == training
        value = _worst(metric, *(table[own & part].sum(axis=0, dtype=np.float64) for part in (~changed, changed)))
        if value is None:
            return None
        found.append(value)
    return over_trainings(np.array(found))


def reach(metric: Metric, evidence: Evidence, view: str) -> float:
    """The largest drop over all that is possible here; NaN without a unit, and of a metric without hits."""
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
    """A share of hits without those of the changed units."""
    events, trials = share.hit
    lost = share.events(changed)
    return share.scale * ratio(
        share.events(kept), share.trials(kept) + share.trials(changed) - lost * trials / events, share.empty
    )


def _with_all_events(share: Share, kept: Floats, changed: Floats) -> Floats:
    """A share of errors where every trial of the changed units is one."""
    trials = share.trials(changed)
    return share.scale * ratio(share.events(kept) + trials, share.trials(kept) + trials, share.empty)
