"""A typo in a word outside the names, which leaves the names recognisable."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.invariances import Hunt
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.typo_outside")
def test_invariance(case: Case, judge: Judge, hunt: Hunt) -> None:
    """One typo outside every entity changes no entity that the model is sure of."""
    result = judge(case, hunt)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
