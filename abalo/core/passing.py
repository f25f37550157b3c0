"""The metric of capabilities: how many fillings pass, and the interval of their share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from abalo.core.metrics import Floats, Metric, share
from abalo.core.outcome import Outcome

CAPABILITY = "capability"
"""The probe whose outcomes are fillings of templates, and its table."""


def pass_counts(outcomes: Sequence[Outcome], _view: str, strata: Sequence[str]) -> Floats:
    """Per outcome and template: 1 where the filling passes, and 1 where the model could say what was asked."""
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
    meaning="of the fillings of templates that were drawn, or of all where all were run, those that are wholly right, "
    "or change as expected",
)
"""The share of fillings that pass, 0 to 1; every task has it.

Of several templates of which some fillings were drawn, each has the weight of those drawn, not of all that it has.
"""
