"""Matches label names by spelling and meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile

_LETTERS = 3

_SHARE = 2 / 3


def matching_pairs(
    offered: Sequence[str], missing: Sequence[str], wanted: Sequence[str], meaning: Callable[[str], str | None]
) -> list[tuple[str, str]]:
    """Pairs ``missing`` names with unused ``offered`` ones, sorted.

    Names match by spelling without case, marks and plural; by a ``meaning`` unique in ``wanted``; or, with unknown
    meanings, by beginning.
    """
    meanings = [meaning(name) for name in wanted]

    def likeness(own: str, name: str) -> tuple[int, int]:
        a, b = _plain(own), _plain(name)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
        if a == b:
            return 3, shared
        meant = meaning(own), meaning(name)
        if meant[0] is not None and meant[0] == meant[1]:
            return (2 if meanings.count(meant[1]) == 1 else 0), shared
        alike = meant == (None, None) and shared >= max(_LETTERS, _SHARE * min(len(a), len(b)))
        return int(alike), shared

    scored = ((likeness(own, name), own, name) for own in offered for name in missing)
    ranked = sorted((each for each in scored if each[0][0]), key=lambda each: ([-part for part in each[0]], each[1:]))
    pairs: dict[str, str] = {}
    for _, own, name in ranked:
        if own not in pairs and name not in pairs.values():
            pairs[own] = name
    return sorted(pairs.items())


def _plain(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum()).removesuffix("s")
