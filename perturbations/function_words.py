"""The language of text, found by counting the commonest words and the letters that give a language away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from perturbations.languages import with_parts
from perturbations.lexicons import pairs
from perturbations.text import Sentence

SAMPLE = 2000
"""How many sentences are looked at; of a longer text so many, evenly spread."""

LEAST_SHARE = 0.15
"""The smallest share of the words that must be signs of a language; of running text some 0.3 to 0.5 are."""

LEAST_DISTINCT = 3
"""How many different signs there must be: a list of names may repeat one small word."""

MOST_OTHER = 0.1
"""The largest number of signs against a language, per sign of it."""

MOST_SECOND = 0.5
"""The largest number of signs of any other language, per sign of the one that is found."""


@dataclass(frozen=True, slots=True)
class _Signs:
    """The signs of a language, and those against it: words in lower case, and a pattern for words with such letters."""

    own: frozenset[str]
    other: frozenset[str]
    own_letters: re.Pattern[str] | None
    other_letters: re.Pattern[str] | None

    def against(self, word: str) -> bool:
        """Whether the word is a sign against the language."""
        return word in self.other or (self.other_letters is not None and bool(self.other_letters.search(word)))

    def tells(self, word: str) -> bool:
        """Whether it is a sign of the language, and none against it."""
        own = word in self.own or (self.own_letters is not None and bool(self.own_letters.search(word)))
        return own and not self.against(word)


def known_languages() -> tuple[str, ...]:
    """The languages that can be found, as ISO 639-1 codes in alphabetical order."""
    return with_parts("function_words")


def language_of(sentences: Sequence[Sentence]) -> str | None:
    """The language that most of the words show, an ISO 639-1 code; None where no known language stands out.

    The same sentences always give the same answer. Words without a letter do not count.
    """
    step = max(1, -(-len(sentences) // SAMPLE))
    words = [word for sentence in sentences[::step] for word in _words(sentence.tokens)]
    found = {language: [word for word in words if _signs(language).tells(word)] for language in known_languages()}
    best, *others = sorted(found, key=lambda language: (-len(found[language]), language))
    own = found[best]
    second = max((len(found[language]) for language in others), default=0)
    against = sum(map(_signs(best).against, words))
    clear = len(own) >= LEAST_SHARE * len(words) and len(set(own)) >= LEAST_DISTINCT
    return best if clear and against <= MOST_OTHER * len(own) and second <= MOST_SECOND * len(own) else None


def _words(tokens: Iterable[str]) -> list[str]:
    return [token.lower() for token in tokens if any(map(str.isalpha, token))]


@cache
def _signs(language: str) -> _Signs:
    known = pairs(f"function_words_{language}")

    def of(kind: str) -> list[str]:
        return [sign for sign, its in known.items() if its == kind]

    def pattern(kind: str) -> re.Pattern[str] | None:
        return re.compile(f"[{''.join(of(kind))}]") if of(kind) else None

    return _Signs(
        frozenset(of("own word")), frozenset(of("other word")), pattern("own letters"), pattern("other letters")
    )
