"""All other cases: perturbations, those from your conftest.py among them, pipelines and slices."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.invariances import Hunt
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("segmentation")
def test_words(case: Case, judge: Judge, hunt: Hunt) -> None:
    """The change costs no more F1 than the bound."""
    result = judge(case, hunt)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
