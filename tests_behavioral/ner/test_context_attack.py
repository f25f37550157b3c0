"""Synonyms around an entity, searched for: its context may be worded otherwise [Dirkson et al., 3.1.2]."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.context_attack")
def test_bounds(case: Case, judge: Judge) -> None:
    """Synonyms around an entity break no more of those that were found than the bounds allow."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
