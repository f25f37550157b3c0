"""All other cases: changes of passages and questions, pipelines, attacks, invariances and slices."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.invariances import Hunt
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("reading")
def test_answers(case: Case, judge: Judge, hunt: Hunt) -> None:
    """The change costs no more F1 than the bound; after it the answers that are right now count."""
    result = judge(case, hunt)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
