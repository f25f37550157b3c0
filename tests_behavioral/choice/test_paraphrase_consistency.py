"""The questions in other words: who knows the answer knows it still [module 3, "paraphrase_consistency"]."""

import pytest

from abalo.core.case import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("choice.paraphrase_consistency")
def test_bounds(case: Case, judge: Judge) -> None:
    """Paraphrases change no more answers than the bounds allow."""
    result = judge(case)
    assert result.holds, result.explanation
