"""A stop word in capitals, or a capital lost: no name hangs on it."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.invariances import Hunt
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.stop_word_case")
def test_invariance(case: Case, judge: Judge, hunt: Hunt) -> None:
    """The letter case of one stop word changes no entity that the model is sure of."""
    result = judge(case, hunt)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
