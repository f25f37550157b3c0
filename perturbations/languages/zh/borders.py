"""The positions of words in a Chinese sentence, also where its tokens are single characters.

Without a segmenter the end of a word is uncertain. The words found here are those of our lists that overlap no other
word of the lists: in 北大学生 neither 大学 nor 学生 is found, and 中国 is not in 发展中国家.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import cache

from perturbations.languages.layout import Layout, TokenRange, lay_out
from perturbations.lexicons import entries, pairs, words
from perturbations.text import Sentence

HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff]")
"""A Chinese character, the zero that looks like a circle among them."""


def layout(sentence: Sentence) -> Layout | None:
    """How the sentence is cut; None where no token has a Chinese character."""
    return lay_out(sentence, HAN)


def occurrences(layout: Layout, wanted: Container[str]) -> list[TokenRange]:
    """Where the wanted words stand, from left to right, never across the border of an entity.

    Where tokens are words, a word is one token. Else all it is made of are single characters; no two of them overlap.
    """
    tokens = layout.sentence.tokens
    if not layout.by_character:
        return [(i, i + 1) for i, token in enumerate(tokens) if token in wanted]
    known = _known_stretches(layout)
    every = [*known, *((i, i + 1) for i in range(len(tokens)))]
    found = [(i, j) for i, j in every if "".join(tokens[i:j]) in wanted]
    return sorted(
        each for each in found if not any(_disturbs(other, each) for other in known) and not _is_doubled(tokens, *each)
    )


def _disturbs(other: TokenRange, word: TokenRange) -> bool:
    """Whether the other stretch shares tokens with the word and has some that the word has not."""
    shares = other[0] < word[1] and word[0] < other[1]
    return shares and not (word[0] <= other[0] and other[1] <= word[1])


def _is_doubled(tokens: Sequence[str], start: int, stop: int) -> bool:
    """Whether the word is the middle of its doubling, such as 热闹 in 热热闹闹."""
    around = tokens[max(0, start - 1) : start], tokens[stop : stop + 1]
    return stop - start == 2 and around == (tokens[start : start + 1], tokens[stop - 1 : stop])


def _known_stretches(layout: Layout) -> list[TokenRange]:
    """Every stretch of two characters or more that is a known word."""
    tokens, known, beginnings = layout.sentence.tokens, _known_words(), _beginnings()
    found = []
    for i, text in enumerate(tokens):
        j = i + 1
        while text in beginnings and j < len(tokens):
            text += tokens[j]
            j += 1
            if text in known and layout.is_one_piece(i, j):
                found.append((i, j))
    return found


@cache
def _known_words() -> frozenset[str]:
    """All words of our Chinese lists that have two characters or more."""
    synonyms, genders, names = entries("synonyms_zh"), pairs("gendered_words_zh"), pairs("names_zh")
    listed = [
        *pairs("words_zh"),
        *synonyms,
        *(word for found in synonyms.values() for entry in found for word in entry.synonyms),
        *pairs("antonyms_zh"),
        *pairs("misspellings_zh"),
        *genders,
        *genders.values(),
        *pairs("countries_zh"),
        *(name for name, kind in names.items() if kind == "place"),
        *words("stop_words_zh"),
    ]
    return frozenset(word for word in listed if len(word) > 1)


@cache
def _beginnings() -> frozenset[str]:
    """All that a known word can begin with, short of the whole word."""
    return frozenset(word[:stop] for word in _known_words() for stop in range(1, len(word)))
