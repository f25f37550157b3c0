"""A slip of the finger in a word that is no part of any entity."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from abalo.corpora import Corpus
from abalo.promises.promise import Promise, Settings, Site, Sites
from perturbations import Edit, Sentence
from perturbations.families.targeted.char_typo import slips
from perturbations.scripts import letters


def plan(_corpus: Corpus, _settings: Settings) -> Sites:
    """In every free word of two letters or more: two neighbours swapped, one letter replaced, one left out."""
    return _sites


def _sites(sentence: Sentence, free: frozenset[int]) -> Sequence[Site]:
    words = [i for i in sorted(free) if _is_word(sentence.tokens[i])]
    kinds = [(i, kind) for i in words for kind in range(len(slips(sentence.tokens[i])))]
    return [partial(_edits, sentence.tokens[i], i, kind) for i, kind in kinds if _made(sentence.tokens[i], kind)]


def _is_word(token: str) -> bool:
    """Whether it is two letters or more, each with its marks."""
    chars = letters(token)
    return len(chars) > 1 and all(char[0].isalpha() for char in chars)


def _edits(word: str, place: int, kind: int) -> Sequence[Edit]:
    return [Edit(place, place + 1, (made,)) for made in _made(word, kind)]


def _made(word: str, kind: int) -> list[str]:
    """The results of slips of one kind that differ from the word."""
    return [made for made in slips(word)[kind] if made != word]


PROMISE = Promise("typo_outside", Settings, plan, "One typo{outside} should change no {target}.", of_spans=True)
