"""All other cases: perturbations, those from your conftest.py among them, pipelines and slices."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("parsing")
def test_las(case: Case, judge: Judge) -> None:
    """The perturbation costs no more LAS than the bound."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
