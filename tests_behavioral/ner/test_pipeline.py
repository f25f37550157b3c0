"""Several perturbations in turn, which can break what none of them breaks alone [TextFlint, "Combinations"]."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.pipeline")
def test_f1(case: Case, judge: Judge) -> None:
    """The perturbations, one after the other, cost no more F1 than the bound."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
