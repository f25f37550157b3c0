"""Wordnets that the library wn has on this machine, such as Open English WordNet and OpenWordNet-PT."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from abalo.errors import AbaloError
from perturbations.resources import Sense

PREFIX = "wn:"

PARTS: Mapping[str, str] = {"n": "NOUN", "v": "VERB", "a": "ADJ", "s": "ADJ", "r": "ADV"}
"""The parts of speech of wn, with their universal tags; others, such as of phrases, are left out."""


class WnLexicon:
    """The senses of a word in a lexicon of wn, nouns first, each part of speech in the order of wn; a `Senses`.

    ``name`` is ``wn:`` and the lexicon, such as ``wn:oewn:2024``. Only base forms and single words are found and given.
    Raises `AbaloError` where wn or the lexicon is missing.
    """

    def __init__(self, name: str) -> None:
        found = problem(name)
        if found is not None:
            raise AbaloError(found)
        self.name = name
        self._known: dict[str, list[Sense]] = {}
        (lexicon,) = self._wordnet.lexicons()
        self.edition = f"{lexicon.specifier()} ({lexicon.license})"

    @cached_property
    def _wordnet(self) -> Any:
        import wn

        lexicon = self.name.removeprefix(PREFIX)
        try:
            return wn.Wordnet(lexicon, normalizer=None, search_all_forms=False, expand="")
        except wn.Error as error:
            raise AbaloError(
                f"{self.name}: wn has no such lexicon on this machine; first: python -m wn download {lexicon}, or for "
                f"a file: python -c \"import wn; wn.add('FILE.xml')\""
            ) from error

    def senses(self, word: str) -> list[Sense]:
        """The meanings of a word in lower case; none for one that is not in the lexicon in this form."""
        if word not in self._known:
            found = [(PARTS[sense.synset().pos], sense) for sense in self._wordnet.senses(word) if _is_known(sense)]
            order = list(dict.fromkeys(PARTS.values()))
            self._known[word] = [
                Sense(part, _single(sense.synset().lemmas(), word), _single(_opposites(sense), word))
                for part, sense in sorted(found, key=lambda each: order.index(each[0]))
            ]
        return self._known[word]


def problem(name: str) -> str | None:
    """Why there is no such lexicon, as far as can be told without opening it."""
    if find_spec("wn") is None:
        return f"{name!r} needs wn: pip install 'abalo[wordnet]'"
    return None if name.removeprefix(PREFIX) else f"{name!r}; expected a lexicon of wn behind it, such as wn:oewn:2024"


def _is_known(sense: Any) -> bool:
    return sense.synset().pos in PARTS


def _opposites(sense: Any) -> list[str]:
    return [other.word().lemma() for other in sense.get_related("antonym")]


def _single(lemmas: list[str], word: str) -> tuple[str, ...]:
    """The distinct single words among them but for the word itself."""
    return tuple(each for each in dict.fromkeys(map(str, lemmas)) if each.split() == [each] and each.lower() != word)
