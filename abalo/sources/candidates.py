"""Turns ranked words into synonyms."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from abalo.sources.protocols import Synonym
from perturbations.sites import in_case_of

SPARE = 4
"""Reserve factor: `fit_candidates` merges letter cases."""


def fit_candidates(word: str, ranked: Iterable[tuple[str, float]], most: int) -> tuple[Synonym, ...]:
    """The first ``most`` distinct single words, in the letter case of ``word``, without it."""
    found: dict[str, float] = {}
    for other, similarity in ranked:
        if other.split() == [other]:
            cased = in_case_of(word, other)
            if word.lower() not in (other.lower(), cased.lower()):  # of ß the capitals are SS
                found.setdefault(cased, similarity)
    return tuple(Synonym(*pair) for pair in islice(found.items(), most))
