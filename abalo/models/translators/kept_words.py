"""Words that a translation may have to repeat: numbers, names, handles, links."""

from __future__ import annotations

from functools import lru_cache

from abalo.core.records.example import Example
from abalo.corpora.parallel import words_of
from perturbations.families.parallel.swap_parallel_same_word import is_name
from perturbations.parallel import sign_of

_REMEMBERED = 2**14
_SIGNS = ("@", "http://", "https://", "www.")


@lru_cache(_REMEMBERED)
def signs_in(text: str) -> frozenset[str]:
    """The words and numbers of a text, numbers as digits."""
    return frozenset(map(sign_of, words_of(text).tokens))


def is_kept(token: str) -> bool:
    """True for a number, name, handle or link."""
    return sign_of(token).isdigit() or is_name(token) or (len(token) > 1 and token.startswith(_SIGNS))


def kept_places(example: Example) -> list[int]:
    """The places of kept words that every reference repeats."""
    shared = [signs_in(each) for each in example.gold]
    tokens = example.sentence.tokens
    return [k for k, token in enumerate(tokens) if is_kept(token) and all(sign_of(token) in own for own in shared)]
