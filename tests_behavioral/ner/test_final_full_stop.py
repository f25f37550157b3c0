"""A sentence that ends without a full stop, as titles and notes do."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.invariances import Hunt
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.final_full_stop")
def test_invariance(case: Case, judge: Judge, hunt: Hunt) -> None:
    """Leaving out the final full stop changes no entity that the model is sure of."""
    result = judge(case, hunt)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
