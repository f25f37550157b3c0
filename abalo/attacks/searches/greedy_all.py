"""Greedy search over all words that are left."""

from __future__ import annotations

from abalo.attacks.parts import Options, Ranking, SearchMethod, Tuning
from abalo.attacks.search import Search
from abalo.attacks.searches.beam import widened
from abalo.core.targets import Target


def search(target: Target, options: Options, _ranking: Ranking, tuning: Tuning) -> Search:
    """At every step the best change of any word that is left: a beam of one state. Words are not ranked."""
    return (yield from widened(target, options, 1, tuning.steps))


SEARCH = SearchMethod("greedy_all", search, ranks=False)
