"""The bundled reader: finds the sentence that shares most words with the question.

It always answers. English answers are short: a number for *when* and *how many*, capitalised words for *who* and
*where*.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

from abalo.corpora.running_text import borders, running_text
from abalo.models.questions.protocol import Answered, Input, PassagePlace
from perturbations import Sentence
from perturbations.lexicons import words
from perturbations.stops import sentences_in

NAME = "abalo/shared-words"

_LONGEST = 6

_STEM = 5

_NUMBERS = frozenset(["when", "many", "much", "year", "old", "long", "far"])
_NAMES = frozenset(["who", "whom", "whose", "where"])


class SharedWords:
    """A `ReadingModel` that counts words; ``short`` answers are stretches."""

    device = "cpu"
    black_box = False
    labels: tuple[str, ...] = ()

    def __init__(self, *, short: bool) -> None:
        self.name = NAME
        self.short = short
        self.settings: dict[str, Any] = {"answers": "short stretches" if short else "sentences"}
        self.fingerprint = f"shared-words-1-{short}"

    def predict(self, given: Sequence[Input]) -> list[Answered]:
        return [self._answer(*each) for each in given]

    def _answer(self, passage: str, question: str) -> Answered:
        text, bounds, parts = _read(passage)
        asked = [token.lower() for token in running_text(question).tokens]
        wanted = {_stem(word) for word in asked if _is_content(word)}
        start, stop = max(parts, key=lambda part: (_shared_weight(text.tokens[slice(*part)], wanted, text), -part[0]))
        if self.short:
            start, stop = _short_answer(text.tokens, start, stop, wanted, asked)
        place = PassagePlace(bounds[start][0], bounds[stop - 1][1])
        return Answered(text.text[slice(*place)], place)


@lru_cache(256)
def _read(passage: str) -> tuple[Sentence, list[tuple[int, int]], list[tuple[int, int]]]:
    text = running_text(passage)
    parts = []
    for start, stop in sentences_in(text):
        end = stop
        while end > start + 1 and not text.tokens[end - 1][-1].isalnum():
            end -= 1
        parts.append((start, end))
    return text, borders(text), parts


def _stem(word: str) -> str:
    return word.lower()[:_STEM]


def _is_content(word: str) -> bool:
    return any(map(str.isalnum, word)) and word.lower() not in _function_words()


@lru_cache
def _function_words() -> Collection[str]:
    return words("stop_words_en") | words("stop_words_pt")


def _shared_weight(tokens: Sequence[str], wanted: Collection[str], text: Sentence) -> float:
    seen = Counter(map(_stem, text.tokens))
    own = {_stem(token) for token in tokens}
    return math.fsum(1 / (1 + math.log(seen[word])) for word in own.intersection(wanted))


def _short_answer(
    tokens: Sequence[str], start: int, stop: int, wanted: Collection[str], asked: Sequence[str]
) -> tuple[int, int]:
    shared = [place for place in range(start, stop) if _stem(tokens[place]) in wanted]
    numbers, names = not _NUMBERS.isdisjoint(asked), not _NAMES.isdisjoint(asked)
    best, found = -math.inf, (start, stop)
    for first in range(start, stop):
        for last in range(first + 1, min(stop, first + _LONGEST) + 1):
            inside = tokens[first:last]
            if any(_stem(each) in wanted or each in ",;:()" for each in inside) or not (
                _is_content(inside[0]) and _is_content(inside[-1])
            ):
                continue
            near = min((min(abs(place - first), abs(place - last + 1)) for place in shared), default=0)
            fits = any(each[0].isdigit() for each in inside) if numbers else False
            fits = fits or (names and all(each[0].isupper() or not _is_content(each) for each in inside))
            value = 4 * fits - 0.3 * near + 0.4 * min(len(inside), 3) - 0.5 * (numbers and len(inside) > 2)
            if value > best:
                best, found = value, (first, last)
    return found
