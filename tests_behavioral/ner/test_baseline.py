"""The model on text as it is: without a decent F1 here, no later number means much."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.baseline")
def test_f1(case: Case, judge: Judge) -> None:
    """The clean F1 is at least the bound."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
