"""A space too many: white space is no information."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.invariances import Hunt
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.doubled_space")
def test_invariance(case: Case, judge: Judge, hunt: Hunt) -> None:
    """A doubled space changes no entity that the model is sure of."""
    result = judge(case, hunt)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
