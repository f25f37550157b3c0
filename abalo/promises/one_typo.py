"""A slip of the finger in a text that is labelled as a whole."""

from __future__ import annotations

from abalo.promises.promise import Promise, Settings
from abalo.promises.typo_outside import plan

PROMISE = Promise("one_typo", Settings, plan, "One typo{outside} should change no {target}.", of_spans=False)
