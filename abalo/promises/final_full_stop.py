"""A sentence without its full stop."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from abalo.corpora import Corpus
from abalo.promises.promise import Promise, Settings, Site, Sites
from perturbations import Edit, Sentence


def plan(_corpus: Corpus, _settings: Settings) -> Sites:
    """The full stop that ends a sentence, where it is a token of its own and no part of a labelled span: left out."""
    return _sites


def _sites(sentence: Sentence, free: frozenset[int]) -> Sequence[Site]:
    last = len(sentence) - 1
    return [partial(_edits, last)] if last > 0 and last in free and sentence.tokens[last] == "." else []


def _edits(last: int) -> Sequence[Edit]:
    return [Edit(last, last + 1, ())]


PROMISE = Promise("final_full_stop", Settings, plan, "Leaving out the final full stop should change no {target}.")
