"""Changes that broke a model in earlier runs, made again: one test each, with ``--abalo-regressions FILE``."""

from collections.abc import Callable

import pytest

from abalo.attacks.record import AttackRecord
from abalo.attacks.regressions import Replay


@pytest.mark.abalo_regressions("classification")
def test_is_fixed(regression: AttackRecord, replay: Callable[[AttackRecord], Replay]) -> None:
    """The text has its labels again after the change."""
    found = replay(regression)
    if found.status != "fixed":
        pytest.fail(found.explanation, pytrace=False)
