"""Wordnets in the library wn, such as Open English WordNet."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from abalo.errors import AbaloError
from perturbations.resources import Sense

PREFIX = "wn:"

PARTS: Mapping[str, str] = {"n": "NOUN", "v": "VERB", "a": "ADJ", "s": "ADJ", "r": "ADV"}


class WnLexicon:
    """`Senses` from wn, nouns first; base forms and single words only.

    ``name`` is ``wn:`` and a lexicon, such as ``wn:oewn:2024``.
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
        if word not in self._known:
            found = [(PARTS[sense.synset().pos], sense) for sense in self._wordnet.senses(word) if _is_known(sense)]
            order = list(dict.fromkeys(PARTS.values()))
            self._known[word] = [
                Sense(part, _single(sense.synset().lemmas(), word), _single(_opposites(sense), word))
                for part, sense in sorted(found, key=lambda each: order.index(each[0]))
            ]
        return self._known[word]


def problem(name: str) -> str | None:
    """Why the lexicon is unavailable; does not open it."""
    if find_spec("wn") is None:
        return f"{name!r} needs wn: pip install 'abalo[wordnet]'"
    return None if name.removeprefix(PREFIX) else f"{name!r}; expected a lexicon of wn behind it, such as wn:oewn:2024"


def _is_known(sense: Any) -> bool:
    return sense.synset().pos in PARTS


def _opposites(sense: Any) -> list[str]:
    return [other.word().lemma() for other in sense.get_related("antonym")]


def _single(lemmas: list[str], word: str) -> tuple[str, ...]:
    return tuple(each for each in dict.fromkeys(map(str, lemmas)) if each.split() == [each] and each.lower() != word)
