"""Another letter case of a stop word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from abalo.corpora import Corpus
from abalo.invariances.invariance import EditSite, FindSites, Invariance, InvarianceSettings
from perturbations import Edit, Sentence
from perturbations.languages import with_parts
from perturbations.lexicons import words

AUTO = "auto"
LISTS = {code: f"stop_words_{code}" for code in ("pt", *with_parts("letters", "stop_words"))}
"""Portuguese first, to win ties of "auto"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopWordSettings(InvarianceSettings):
    """The word list to change; "auto" for the shipped list with most words of the corpus."""

    stop_words: str = AUTO

    def __post_init__(self) -> None:
        InvarianceSettings.__post_init__(self)
        if self.stop_words != AUTO:
            words(self.stop_words)  # says so where there is no such list


def finder(corpus: Corpus, settings: StopWordSettings) -> FindSites:
    """Writes a free stop word in lower case, in upper case, or with a capital letter."""
    return partial(_sites, _fitting(corpus) if settings.stop_words == AUTO else words(settings.stop_words))


def _fitting(corpus: Corpus) -> frozenset[str]:
    counts = Counter(token.lower() for sentence in corpus.sentences for token in sentence.tokens)
    return max(map(words, LISTS.values()), key=lambda known: sum(counts[word] for word in known))


def _sites(stops: frozenset[str], sentence: Sentence, free: frozenset[int]) -> Sequence[EditSite]:
    places = [i for i in sorted(free) if sentence.tokens[i].lower() in stops]
    return [partial(_edits, sentence.tokens[i], i) for i in places if _cases(sentence.tokens[i])]


def _edits(word: str, place: int) -> Sequence[Edit]:
    return [Edit(place, place + 1, (made,)) for made in _cases(word)]


def _cases(word: str) -> list[str]:
    return [made for made in dict.fromkeys((word.lower(), word.upper(), word.capitalize())) if made != word]


INVARIANCE = Invariance(
    "stop_word_case",
    StopWordSettings,
    finder,
    "The letter case of one stop word should not change any {target}.",
    title="Letter case of a stop word",
    lists={language: {"stop_words": name} for language, name in LISTS.items()},
)
