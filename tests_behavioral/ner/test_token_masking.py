"""Words missing: what is left must carry the entity [stage 2, "Token masking"]."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.token_masking")
def test_f1(case: Case, judge: Judge) -> None:
    """Masking words costs no more F1 than the bound."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
