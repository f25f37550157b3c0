"""A typo in a text that is labelled as a whole."""

from __future__ import annotations

from abalo.invariances.invariance import Invariance, InvarianceSettings
from abalo.invariances.typo_outside import finder

INVARIANCE = Invariance(
    "one_typo", InvarianceSettings, finder, "One typo{outside} should not change any {target}.", of_spans=False
)
