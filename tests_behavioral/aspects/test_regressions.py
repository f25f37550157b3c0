"""Changes that broke a model in earlier runs, made again: one test each, with ``--abalo-regressions FILE``."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from abalo.attacks.regressions import Replay


@pytest.mark.abalo_regressions("aspects")
def test_is_fixed(regression: Mapping[str, Any], replay: Callable[[Mapping[str, Any]], Replay]) -> None:
    """The aspect has its polarity again after the change."""
    found = replay(regression)
    if found.status != "fixed":
        raise AssertionError(found.explanation)
