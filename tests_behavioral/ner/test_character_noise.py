"""Characters hit by noise: a few wrong letters must not hide an entity [stage 2, "Character noise"]."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.character_noise")
def test_f1(case: Case, judge: Judge) -> None:
    """Random letters in place of characters cost no more F1 than the bound."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
