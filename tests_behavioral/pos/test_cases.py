"""All other cases: perturbations, those from your conftest.py among them, pipelines, invariances and slices."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.invariances import Hunt
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("pos")
def test_accuracy(case: Case, judge: Judge, hunt: Hunt) -> None:
    """The perturbation costs no more accuracy than the bound."""
    result = judge(case, hunt)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
