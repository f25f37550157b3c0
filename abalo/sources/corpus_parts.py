"""Parts of speech from the corpus."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence

from abalo.corpora import Corpus
from abalo.errors import AbaloError
from perturbations import Sentence

LONGEST_ENDING = 5
"""In characters."""


class CorpusPartsOfSpeech:
    """The corpus's tags; in other sentences, each word's most frequent tag.

    Unknown words follow their longest known suffix. Ties go by alphabet.
    """

    def __init__(self, corpus: Corpus) -> None:
        if corpus.parts_of_speech is None:
            raise AbaloError(
                f"parts of speech 'corpus': {corpus.name} has none; expected universal or Penn Treebank tags in the "
                "second of its columns or under 'pos_tags'; add them, or give 'spacy:NAME' or 'off'"
            )
        self._given = {
            sentence.tokens: tags for sentence, tags in zip(corpus.sentences, corpus.parts_of_speech, strict=True)
        }
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for tokens, tags in self._given.items():
            for token, tag in zip(tokens, tags, strict=True):
                counts[token][tag] += 1
                for start in range(-min(LONGEST_ENDING, len(token)), 1):
                    counts[_ending(token, start)][tag] += 1
        self._usual = {key: min(found, key=lambda tag: (-found[tag], tag)) for key, found in counts.items()}
        self.name = f"the corpus, other words by their endings (sha256 {_digest(corpus.parts_of_speech)})"

    def of(self, sentences: Sequence[Sentence]) -> list[tuple[str, ...]]:
        return [self._given.get(each.tokens) or tuple(map(self._judged, each.tokens)) for each in sentences]

    def _judged(self, token: str) -> str:
        starts = range(-min(LONGEST_ENDING, len(token)), 1)
        keys = (token, *(_ending(token, start) for start in starts))
        return next(self._usual[key] for key in keys if key in self._usual)


def _digest(rows: Sequence[Sequence[str]]) -> str:
    return hashlib.sha256("\n".join(map(" ".join, rows)).encode()).hexdigest()[:8]


def _ending(token: str, start: int) -> str:
    """Begins with a line end, unlike words."""
    return "\n" + (token[start:] if start else "")
