"""Words that a masked language model proposes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from abalo.models.auxiliary.masked_lm import BUNDLED, MaskedLM
from abalo.sources.candidates import SPARE, fit_candidates
from abalo.sources.protocols import Synonym
from perturbations import Sentence
from perturbations.languages import has
from perturbations.lexicons import pairs, words

EXPERIMENTAL = "experimental: readers find its sentences ungrammatical"
"""See docs/how-to/attacks.md."""


class MaskedSynonyms:
    """The ``most`` likeliest words for a place; similarity is their probability, at least ``least``.

    Only words of letters replace words. If the ``language`` has word classes, proposals must be in them or its stop
    words.
    """

    def __init__(self, model: MaskedLM, most: int, language: str = "", least: float = 0.0) -> None:
        self._model = model
        self._most = most
        self._least = least
        self._words = words_of(language)
        doubt = f"; {EXPERIMENTAL}" if model.name.startswith(f"{BUNDLED} ") else ""
        above = f" of at least {least:g}" if least else ""
        self.name = f"masked LM {model.name}, the {most} likeliest{above}, with probabilities for similarities{doubt}"

    def of(self, sites: Sequence[tuple[Sentence, int]]) -> list[Sequence[Synonym]]:
        asked = [site for site in sites if is_word(site[0].tokens[site[1]])]
        proposals = iter(self._model.proposals(asked, SPARE * self._most))
        return [
            fit_candidates(sentence.tokens[place], likely_words(next(proposals), self._words, self._least), self._most)
            if is_word(sentence.tokens[place])
            else ()
            for sentence, place in sites
        ]


def is_word(token: str) -> bool:
    """Whether a token has only letters and inner hyphens or apostrophes."""
    return token[0].isalpha() and token[-1].isalpha() and all(part.isalpha() for part in _parts(token))


def whole_words(proposed: Iterable[tuple[str, float]], known: frozenset[str] | None) -> list[tuple[str, float]]:
    """Proposals of letters only, if given from ``known``."""
    return [(word, value) for word, value in proposed if word.isalpha() and (known is None or word.lower() in known)]


def likely_words(
    proposed: Iterable[tuple[str, float]], known: frozenset[str] | None, least: float
) -> list[tuple[str, float]]:
    """`whole_words` with probability ``least`` or more."""
    return [(word, value) for word, value in whole_words(proposed, known) if value >= least]


def words_of(language: str) -> frozenset[str] | None:
    """Words of a language."""
    if not has(language, "word_classes", "stop_words"):
        return None
    return frozenset(pairs(f"word_classes_{language}")) | words(f"stop_words_{language}")


def _parts(token: str) -> list[str]:
    return token.replace("’", "-").replace("'", "-").split("-")
