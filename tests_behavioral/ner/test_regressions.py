"""Successful attacks of earlier runs, repeated: one test each, with ``--abalo-regressions FILE``."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from abalo.attacks.regressions import Replay


@pytest.mark.abalo_regressions("ner")
def test_is_fixed(regression: Mapping[str, Any], replay: Callable[[Mapping[str, Any]], Replay]) -> None:
    """The entity is found again in the changed sentence, at least in part."""
    found = replay(regression)
    if found.status != "fixed":
        raise AssertionError(found.explanation)
