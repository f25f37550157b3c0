"""Slips of the finger inside entities: one wrong letter must not hide a name [stage 4, "char_typo"]."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.char_typo")
def test_bounds(case: Case, judge: Judge) -> None:
    """Typos inside target spans cost no more than the bounds."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
