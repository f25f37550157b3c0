"""A space too many."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from abalo.corpora import Corpus
from abalo.promises.promise import Promise, Settings, Site, Sites
from perturbations import Edit, Sentence


def plan(_corpus: Corpus, _settings: Settings) -> Sites:
    """After every free word that a space follows: a second space. Models that read no white space see no change."""
    return _sites


def _sites(sentence: Sentence, free: frozenset[int]) -> Sequence[Site]:
    return [partial(_edits, sentence, i) for i in sorted(free) if sentence.spaces[i] == " "]


def _edits(sentence: Sentence, place: int) -> Sequence[Edit]:
    return [Edit(place, place + 1, (sentence.tokens[place],), spaces=("  ",))]


PROMISE = Promise("doubled_space", Settings, plan, "A doubled space should change no {target}.")
