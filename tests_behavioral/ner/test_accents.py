"""Accents lost, as by foreign keyboards: names must stay recognisable [stage 2, "Accent removal"]."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner.accents")
def test_f1(case: Case, judge: Judge) -> None:
    """Removing every accent costs no more F1 than the bound."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
