"""All other cases: opinions reversed and added, perturbations that keep or may turn polarity, pipelines and slices."""

import pytest

from abalo.core.case import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("aspects")
def test_polarity(case: Case, judge: Judge) -> None:
    """The change costs no more than the bound, and moves no prediction the wrong way more often than the bound."""
    result = judge(case)
    if not result.holds:
        raise AssertionError(result.explanation)
