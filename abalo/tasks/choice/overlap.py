"""A baseline that picks the option sharing most words with the question."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"\w+")
_LETTERS = 3
"""Words up to this length, mostly function words, are ignored."""

_STEM = 5


def overlap(question: str, options: Sequence[str]) -> int:
    """The place, from 0, of the option with most shared words; the first on a tie."""
    stems = _stems(question)
    shared = [len(_stems(option) & stems) for option in options]
    return shared.index(max(shared))


def _stems(text: str) -> set[str]:
    return {word[:_STEM].lower() for word in _WORD.findall(text) if len(word) > _LETTERS}
