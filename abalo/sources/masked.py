"""Synonyms, in a loose sense, from a masked language model: words that fit the place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from abalo.models.masked_lm import BUNDLED, MaskedLM
from abalo.sources.candidates import SPARE, fitted
from abalo.sources.protocols import Synonym
from perturbations import Sentence
from perturbations.languages import has
from perturbations.lexicons import pairs, words

EXPERIMENTAL = "experimental: readers find its sentences ungrammatical"
"""Behind the name of the masked language model that ships (docs/how-to/attacks.md says what readers found)."""


class MaskedSynonyms:
    """The words that a masked language model finds likeliest in a word's place: they fit, but may mean something else.

    Words take the place of words, never of marks or numbers, and are of letters alone. Where the ``language`` has a
    list of word classes, they stand in it or among its stop words: a piece of a vocabulary may be a part of a word. The
    similarity of each is its probability there, which is no cosine; the ``most`` likeliest are given, however unlikely.
    """

    def __init__(self, model: MaskedLM, most: int, language: str = "") -> None:
        self._model = model
        self._most = most
        self._words = words_of(language)
        doubt = f"; {EXPERIMENTAL}" if model.name.startswith(f"{BUNDLED} ") else ""
        self.name = f"masked LM {model.name}, the {most} likeliest, with probabilities for similarities{doubt}"

    def of(self, sites: Sequence[tuple[Sentence, int]]) -> list[Sequence[Synonym]]:
        """For each word what the model would put there; nothing for a mark or a number."""
        asked = [site for site in sites if is_word(site[0].tokens[site[1]])]
        proposals = iter(self._model.proposals(asked, SPARE * self._most))
        return [
            fitted(sentence.tokens[place], whole_words(next(proposals), self._words), self._most)
            if is_word(sentence.tokens[place])
            else ()
            for sentence, place in sites
        ]


def is_word(token: str) -> bool:
    """Whether the token is of letters alone, perhaps with hyphens or apostrophes within."""
    return token[0].isalpha() and token[-1].isalpha() and all(part.isalpha() for part in _parts(token))


def whole_words(proposed: Iterable[tuple[str, float]], known: frozenset[str] | None) -> list[tuple[str, float]]:
    """The proposals of letters alone that are ``known`` words, if these are given."""
    return [(word, value) for word, value in proposed if word.isalpha() and (known is None or word.lower() in known)]


def words_of(language: str) -> frozenset[str] | None:
    """The words of the language, by its word classes and stop words; None where it has no list of them."""
    if not has(language, "word_classes", "stop_words"):
        return None
    return frozenset(pairs(f"word_classes_{language}")) | words(f"stop_words_{language}")


def _parts(token: str) -> list[str]:
    return token.replace("’", "-").replace("'", "-").split("-")
