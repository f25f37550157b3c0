"""One person for another: a name is known by where it stands, not only by heart."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.invariances import Hunt
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.same_length_name")
def test_invariance(case: Case, judge: Judge, hunt: Hunt) -> None:
    """Another person's name of the same length changes no entity that the model is sure of."""
    result = judge(case, hunt)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
