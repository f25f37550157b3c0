"""Parts of the corpus by themselves: a good F1 over all may hide the sentences on which a model is bad."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.slice")
def test_bounds(case: Case, judge: Judge) -> None:
    """F1 on the slice, and how far it lies below F1 on the rest, keep to the bounds."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
