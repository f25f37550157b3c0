"""Lists and wordnets by the names that users give, and their words as synonyms for attacks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from abalo.errors import AbaloError
from abalo.files import expanded, is_file
from abalo.sources import lexicon, wn_lexicon, wordnet
from abalo.sources.candidates import fitted
from abalo.sources.protocols import Synonym
from abalo.sources.wn_lexicon import WnLexicon
from abalo.sources.wordnet import WordNet
from abalo.sources.wordnet_tab import SUFFIX, WordNetTab
from perturbations import Sentence
from perturbations.resources import Senses
from perturbations.suggestions import did_you_mean, did_you_mean_path

WORDNETS = ("wordnet:FOLDER", "wordnet:FILE.tab", "wn:LEXICON")
"""How wordnets are spelled."""

SENSES = ("lexicon:FILE.tsv", "lexicon:NAME", *WORDNETS)
"""How any source of meanings is spelled, wherever one is named."""


class Wordnet(Senses, Protocol):
    """Meanings that come from a file; ``edition`` tells it from others of its kind in reports."""

    @property
    def edition(self) -> str:
        """The words that tell it from others of its name."""
        ...


def load_senses(spec: str) -> Wordnet:
    """The list or wordnet that ``spec`` names, one of `SENSES`; raises `AbaloError` where it cannot be had."""
    if lexicon.is_list(spec):
        return lexicon.load_list(spec)
    found = problem(spec)
    if found is not None:
        raise AbaloError(found)
    if spec.startswith(wn_lexicon.PREFIX):
        return WnLexicon(spec)
    target = spec.removeprefix(wordnet.PREFIX)
    path = expanded(target)
    files = [path] if target.endswith(SUFFIX) else sorted(path.iterdir())
    stamps = tuple([(str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files])
    return _read(target, stamps)


@lru_cache(maxsize=2)
def _read(target: str, _stamps: tuple[tuple[str, int, int], ...]) -> Wordnet:
    """The wordnet in the file or folder, read once for as long as the ``_stamps`` of its files are the same."""
    return WordNetTab(target) if target.endswith(SUFFIX) else WordNet(target)


def problem(spec: str) -> str | None:
    """Why ``spec`` names no list or wordnet; None where it may, a wordnet as far as can be told without reading it."""
    if lexicon.is_list(spec):
        return lexicon.problem(spec)
    if spec.startswith(wn_lexicon.PREFIX):
        return wn_lexicon.problem(spec)
    target = spec.removeprefix(wordnet.PREFIX)
    if not target or target == spec:
        return f"{spec!r}{did_you_mean(spec, lexicon.names())}; expected {', '.join(SENSES)}"
    path = expanded(target)
    if is_file(path) if target.endswith(SUFFIX) else path.is_dir():
        return None
    return f"{spec}: no such {'file' if target.endswith(SUFFIX) else 'folder'}{did_you_mean_path(path)}"


class SenseSynonyms:
    """The other words for any meaning of a word, a `Synonyms`: at most ``most``, in the order of the wordnet.

    Nothing is inflected, so that nothing ungrammatical comes out of it. All have the similarity 1.
    """

    def __init__(self, source: Wordnet, most: int) -> None:
        self._source = source
        self._most = most
        self.name = f"{source.edition}, at most {most}"

    def of(self, sites: Sequence[tuple[Sentence, int]]) -> list[Sequence[Synonym]]:
        """For each word its synonyms; none for a word that is not in the wordnet in this form."""
        return [self._of(sentence.tokens[place]) for sentence, place in sites]

    def _of(self, word: str) -> tuple[Synonym, ...]:
        found = (other for sense in self._source.senses(word.lower()) for other in sense.synonyms)
        return fitted(word, ((other, 1.0) for other in found), self._most)
