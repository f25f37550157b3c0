"""All other cases: perturbations that keep labels and those that may turn them, pipelines and slices."""

import pytest

from abalo.core.case import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("classification")
def test_labels(case: Case, judge: Judge) -> None:
    """The change costs no more than the bound, and moves no prediction the wrong way more often than the bound."""
    result = judge(case)
    if not result.holds:
        raise AssertionError(result.explanation)
