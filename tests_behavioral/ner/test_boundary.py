"""Punctuation next to entities masked: an entity must not hang on a bracket [stage 4, "boundary"]."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.boundary")
def test_bounds(case: Case, judge: Judge) -> None:
    """Masked punctuation beside target spans costs no more than the bounds."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
