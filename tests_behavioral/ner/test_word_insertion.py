"""Filler between words: clutter must not scatter entities [stage 2, "Word insertion"]."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.word_insertion")
def test_f1(case: Case, judge: Judge) -> None:
    """Inserted filler costs no more F1 than the bound."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
