"""The classifier on texts as they are: without a decent accuracy here, no later number means much."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("classification.baseline")
def test_labels(case: Case, judge: Judge) -> None:
    """The clean accuracy, and what else is bound, keeps its bound."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
