"""Perturbations without a module of their own, those from your conftest.py among them."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("ner")
def test_f1(case: Case, judge: Judge) -> None:
    """The perturbation costs no more F1 than the bound."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
