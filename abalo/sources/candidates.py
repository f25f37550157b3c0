"""Words that were found, as synonyms that can stand in the place of one word."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from abalo.sources.protocols import Synonym
from perturbations.sites import in_case_of

SPARE = 4
"""How many times as many words to rank as are asked for: the letter cases of one word fall together in `fitted`."""


def fitted(word: str, ranked: Iterable[tuple[str, float]], most: int) -> tuple[Synonym, ...]:
    """The first ``most`` distinct ones of the ``ranked`` words with their similarities, in the letter case of ``word``.

    Leaves out the word itself, in whatever letter case, and what is not a single word.
    """
    found: dict[str, float] = {}
    for other, similarity in ranked:
        if other.split() == [other]:
            cased = in_case_of(word, other)
            if word.lower() not in (other.lower(), cased.lower()):  # of ß the capitals are SS
                found.setdefault(cased, similarity)
    return tuple(Synonym(*pair) for pair in islice(found.items(), most))
