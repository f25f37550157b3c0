"""Clutter next to entities: it must neither hide nor break them [stage 4, "insert"]."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.insert")
def test_bounds(case: Case, judge: Judge) -> None:
    """Distractors inserted beside target spans cost no more than the bounds."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
