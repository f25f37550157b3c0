"""The model on questions as they are: without a decent F1 here, no later number means much."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("reading.baseline")
def test_answers(case: Case, judge: Judge) -> None:
    """The clean F1, and what else is bound, keeps its bound."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
