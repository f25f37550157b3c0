"""The parser on text as it is: without a decent LAS here, no later number means much."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("parsing.baseline")
def test_las(case: Case, judge: Judge) -> None:
    """The clean LAS is at least the bound."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
