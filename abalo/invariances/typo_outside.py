"""A typo in a word outside entities."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from abalo.corpora import Corpus
from abalo.invariances.invariance import EditSite, FindSites, Invariance, InvarianceSettings
from perturbations import Edit, Sentence
from perturbations.families.targeted.char_typo import slips
from perturbations.graphemes import clusters


def finder(_corpus: Corpus, _settings: InvarianceSettings) -> FindSites:
    """Swaps two letters of a free word, or replaces or deletes one; two letters or more."""
    return _sites


def _sites(sentence: Sentence, free: frozenset[int]) -> Sequence[EditSite]:
    words = [i for i in sorted(free) if _is_word(sentence.tokens[i])]
    return [
        partial(_edits, sentence.tokens[i], i, kind)
        for i in words
        for kind, made in enumerate(slips(sentence.tokens[i]))
        if made
    ]


def _is_word(token: str) -> bool:
    chars = clusters(token)
    return len(chars) > 1 and all(char[0].isalpha() for char in chars)


def _edits(word: str, place: int, kind: int) -> Sequence[Edit]:
    return [Edit(place, place + 1, (made,)) for made in slips(word)[kind]]


INVARIANCE = Invariance(
    "typo_outside",
    InvarianceSettings,
    finder,
    "One typo{outside} should not change any {target}.",
    of_spans=True,
    title="Typo outside of entities",
)
