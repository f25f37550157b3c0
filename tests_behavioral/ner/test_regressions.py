"""Successful attacks of earlier runs, repeated: one test each, with ``--abalo-regressions FILE``."""

from collections.abc import Callable

import pytest

from abalo.attacks.record import AttackRecord
from abalo.attacks.regressions import Replay


@pytest.mark.abalo_regressions("ner")
def test_is_fixed(regression: AttackRecord, replay: Callable[[AttackRecord], Replay]) -> None:
    """The entity is found again in the changed sentence, at least in part."""
    found = replay(regression)
    if found.status != "fixed":
        pytest.fail(found.explanation, pytrace=False)
