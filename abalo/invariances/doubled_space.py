"""A space too many."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from abalo.corpora import Corpus
from abalo.invariances.invariance import EditSite, FindSites, Invariance, InvarianceSettings
from perturbations import Edit, Sentence


def finder(_corpus: Corpus, _settings: InvarianceSettings) -> FindSites:
    """Doubles the space after a free word; models that ignore white space see no change."""
    return _sites


def _sites(sentence: Sentence, free: frozenset[int]) -> Sequence[EditSite]:
    return [partial(_edits, sentence, i) for i in sorted(free) if sentence.spaces[i] == " "]


def _edits(sentence: Sentence, place: int) -> Sequence[Edit]:
    return [Edit(place, place + 1, (sentence.tokens[place],), spaces=("  ",))]


INVARIANCE = Invariance("doubled_space", InvarianceSettings, finder, "A doubled space should not change any {target}.")
