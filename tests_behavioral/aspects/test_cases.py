"""All other cases: perturbations that keep, turn or give polarity, pipelines, attacks, invariances and slices."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.invariances import Hunt
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("aspects")
def test_polarity(case: Case, judge: Judge, hunt: Hunt) -> None:
    """The change costs no more than the bound, and moves no prediction the wrong way more often than the bound."""
    result = judge(case, hunt)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
