"""Words of the same meaning: entities must not hang on one wording [stage 2, "Synonym substitution"]."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.synonyms")
def test_f1(case: Case, judge: Judge) -> None:
    """Curated synonyms cost no more F1 than the bound."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
