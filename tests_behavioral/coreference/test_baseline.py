"""The model on documents as they are: without a decent score here, no later number means much."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("coreference.baseline")
def test_conll_f1(case: Case, judge: Judge) -> None:
    """The clean CoNLL F1 is at least the bound."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
