"""All other cases: perturbations that keep the relation, pipelines, attacks, invariances and slices."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.invariances import Hunt
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("relations")
def test_relation(case: Case, judge: Judge, hunt: Hunt) -> None:
    """The change costs no more than the bound."""
    result = judge(case, hunt)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
