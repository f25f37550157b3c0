"""Paraphrased questions, which leave the right answer as it is [module 3, "paraphrase_consistency"]."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("choice.paraphrase_consistency")
def test_bounds(case: Case, judge: Judge) -> None:
    """Paraphrases change no more answers than the bounds allow."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
