"""The metric of capabilities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Floats, Metric, share

CAPABILITY = "capability"


def pass_counts(outcomes: Sequence[Outcome], _view: str, strata: Sequence[str]) -> Floats:
    """Passes and decidable fillings, by outcome and template."""
    table = np.zeros((len(outcomes), len(strata), 2))
    for row, outcome in zip(table, outcomes, strict=True):
        check = outcome.check
        if check is not None and check.decided:
            row[strata.index(check.stratum)] = not check.fault, 1
    return table


PASS_RATE = Metric(
    "pass_rate",
    pass_counts,
    share(0, 1),
    probes=(CAPABILITY,),
    more_is_better=True,
    meaning="share of the filled templates that were run on which the model is right, or changes as expected",
)
