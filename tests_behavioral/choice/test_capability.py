"""Abilities that the model must have, by templates: docs/how-to/capabilities.md."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("choice.capability")
def test_pass_rate(case: Case, judge: Judge) -> None:
    """At least so many fillings pass."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
