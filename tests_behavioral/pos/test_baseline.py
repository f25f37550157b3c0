"""The tagger on text as it is: without a decent accuracy here, no later number means much."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("pos.baseline")
def test_accuracy(case: Case, judge: Judge) -> None:
    """The clean accuracy is at least the bound."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
