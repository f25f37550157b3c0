"""The words next to entities replaced: a name must be known by itself too [stage 4, "context_distractors"]."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.context_distractors")
def test_bounds(case: Case, judge: Judge) -> None:
    """Distractors in place of the words beside target spans cost no more than the bounds."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
