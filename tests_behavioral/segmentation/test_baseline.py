"""The model on text as it is: without a decent F1 here, no later number means much."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("segmentation.baseline")
def test_words(case: Case, judge: Judge) -> None:
    """The clean F1, and what else is bound, keeps its bound."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
