"""Other punctuation, a preamble, options in another order: none is a reason [module 3, "perturbation_stability"]."""

import pytest

from abalo.core.protocols.probe import Case
from abalo.pytest_plugin.fixtures import Judge


@pytest.mark.abalo("choice.perturbation_stability")
def test_bounds(case: Case, judge: Judge) -> None:
    """Changes of form change no more answers than the bounds allow."""
    result = judge(case)
    if not result.holds:
        pytest.fail(result.failure, pytrace=False)
