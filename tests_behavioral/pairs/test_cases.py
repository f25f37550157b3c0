"""All other cases: changes that keep labels and those that change them, pipelines, attacks, invariances and slices."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.invariances import Hunt
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("pairs")
def test_labels(case: Case, judge: Judge, hunt: Hunt) -> None:
    """The change costs no more accuracy than the bound; labels that it changes are the new ones."""
    result = judge(case, hunt)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
