"""Answering by the words that question and options share: a baseline that needs no model, and no more than that."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"\w+")
_LETTERS = 3
"""Words of so many letters, or fewer, are left out: most are function words."""

_STEM = 5
"""Characters that two words must share at the beginning to count as one."""


def overlap(question: str, options: Sequence[str]) -> int:
    """The place, from 0, of the option that shares most words with the question; of equals the first."""
    stems = _stems(question)
    shared = [len(_stems(option) & stems) for option in options]
    return shared.index(max(shared))


def _stems(text: str) -> set[str]:
    return {word[:_STEM].lower() for word in _WORD.findall(text) if len(word) > _LETTERS}
