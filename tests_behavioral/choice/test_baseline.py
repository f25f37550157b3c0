"""The questions as they are: what a model answers by chance, no rewording can shake."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("choice.baseline")
def test_bounds(case: Case, judge: Judge) -> None:
    """At least so many questions are answered right."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
