"""Greedy search over all remaining words."""

from __future__ import annotations

from abalo.attacks.parts import EditOptions, Ranking, SearchMethod, Tuning
from abalo.attacks.search import Search
from abalo.attacks.searches.beam import beam_search
from abalo.core.records.targets import Target


def search(target: Target, options: EditOptions, _ranking: Ranking, tuning: Tuning) -> Search:
    """Takes the best change of any remaining word at every step: a beam of one state. Words are not ranked."""
    return (yield from beam_search(target, options, 1, tuning.steps))


SEARCH = SearchMethod("greedy_all", search, ranks=False)
