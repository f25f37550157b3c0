"""Lists and wordnets by name, as synonyms for attacks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from abalo.errors import AbaloError
from abalo.files import expand_home, is_file
from abalo.sources import lexicon, wn_lexicon, wordnet
from abalo.sources.candidates import fit_candidates
from abalo.sources.protocols import Synonym
from abalo.sources.wn_lexicon import WnLexicon
from abalo.sources.wordnet import WordNet
from abalo.sources.wordnet_tab import SUFFIX, WordNetTab
from perturbations import Sentence
from perturbations.resources import Senses
from perturbations.suggestions import did_you_mean, did_you_mean_path

WORDNETS = ("wordnet:FOLDER", "wordnet:FILE.tab", "wn:LEXICON")

SENSES = ("lexicon:FILE.tsv", "lexicon:NAME", *WORDNETS)


class Wordnet(Senses, Protocol):
    """Senses from a file."""

    @property
    def edition(self) -> str:
        """Distinguishes sources of one name."""
        ...


def load_senses(spec: str) -> Wordnet:
    """Loads one of `SENSES`."""
    if lexicon.is_list(spec):
        return lexicon.load_list(spec)
    found = problem(spec)
    if found is not None:
        raise AbaloError(found)
    if spec.startswith(wn_lexicon.PREFIX):
        return WnLexicon(spec)
    target = spec.removeprefix(wordnet.PREFIX)
    path = expand_home(target)
    files = [path] if target.endswith(SUFFIX) else sorted(path.iterdir())
    stamps = tuple([(str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files])
    return _read(target, stamps)


@lru_cache(maxsize=2)
def _read(target: str, _stamps: tuple[tuple[str, int, int], ...]) -> Wordnet:
    return WordNetTab(target) if target.endswith(SUFFIX) else WordNet(target)


def problem(spec: str) -> str | None:
    """Why ``spec`` names no list or wordnet; does not read wordnets."""
    if lexicon.is_list(spec):
        return lexicon.problem(spec)
    if spec.startswith(wn_lexicon.PREFIX):
        return wn_lexicon.problem(spec)
    target = spec.removeprefix(wordnet.PREFIX)
    if not target or target == spec:
        return f"{spec!r}{did_you_mean(spec, lexicon.names())}; expected {', '.join(SENSES)}"
    path = expand_home(target)
    if is_file(path) if target.endswith(SUFFIX) else path.is_dir():
        return None
    return f"{spec}: no such {'file' if target.endswith(SUFFIX) else 'folder'}{did_you_mean_path(path)}"


class SenseSynonyms:
    """Up to ``most`` words for any meaning, in wordnet order, with similarity 1.

    Nothing is inflected.
    """

    def __init__(self, source: Wordnet, most: int) -> None:
        self._source = source
        self._most = most
        self.name = f"{source.edition}, at most {most}"

    def of(self, sites: Sequence[tuple[Sentence, int]]) -> list[Sequence[Synonym]]:
        return [self._of(sentence.tokens[place]) for sentence, place in sites]

    def _of(self, word: str) -> tuple[Synonym, ...]:
        found = (other for sense in self._source.senses(word.lower()) for other in sense.synonyms)
        return fit_candidates(word, ((other, 1.0) for other in found), self._most)
