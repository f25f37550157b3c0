"""Other entities of the same type, searched for: a name must not have been learned by heart [Dirkson et al., 3.1.3]."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.entity_attack")
def test_bounds(case: Case, judge: Judge) -> None:
    """Another entity in its place breaks no more of those that were found than the bounds allow."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
