"""Other words of the same meaning in and around entities [stage 4, "synonym"]."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.synonym_attack")
def test_bounds(case: Case, judge: Judge) -> None:
    """Curated synonyms in and around target spans cost no more than the bounds."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
