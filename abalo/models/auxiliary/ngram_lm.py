"""A word n-gram language model without download."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from perturbations import Sentence

ORDER = 3

START, END = " ", ""

Ngram = tuple[str, ...]


class NgramModel:
    """Word trigrams with Witten-Bell smoothing.

    P(w|h) = (c(hw) + t(h) P(w|h')) / (c(h) + t(h)): c counts in the training text, t(h) is the number of distinct words
    after h, h' is h without its first word. Below unigrams, known words, the sentence end and one unknown word are
    equally likely. Sources: I. H. Witten and T. C. Bell, The zero-frequency problem, 1991, method C; S. F. Chen and J.
    Goodman, An empirical study of smoothing techniques for language modeling, 1998.

    A training sentence is left out when scored, since memorised text would be most probable.
    """

    def __init__(self, sentences: Sequence[Sentence], source: str) -> None:
        self._copies = Counter(sentence.tokens for sentence in sentences)
        self._after: defaultdict[Ngram, Counter[str]] = defaultdict(Counter)
        for tokens, copies in self._copies.items():
            for history, word in _steps(tokens):
                for part in _parts(history):
                    self._after[part][word] += copies
        self._totals = {history: words.total() for history, words in self._after.items()}
        self.name = f"word {ORDER}-grams of {source} ({len(sentences):,} sentences)"

    def perplexities(self, sentences: Sequence[Sentence], clean: Sequence[Sentence]) -> NDArray[np.float64]:
        """Perplexity over words and sentence end."""
        lengths = [len(each) + 1 for each in sentences]
        return np.exp(self.surprisals(sentences, clean) / np.array(lengths, dtype=np.float64))

    def surprisals(self, sentences: Sequence[Sentence], clean: Sequence[Sentence]) -> NDArray[np.float64]:
        forgotten = {tokens: self._own(tokens) for tokens in dict.fromkeys(each.tokens for each in clean)}
        return np.array(
            [self._surprisal(each.tokens, forgotten[own.tokens]) for each, own in zip(sentences, clean, strict=True)],
            dtype=np.float64,
        )

    def probability(self, word: str, history: Ngram = (), without: Ngram = ()) -> float:
        """P(word | history), without the training sentence ``without``."""
        return self._probability(word, history, self._own(without))

    def _surprisal(self, tokens: Ngram, forgotten: Mapping[Ngram, _Own]) -> float:
        return -sum(log(self._probability(word, history, forgotten)) for history, word in _steps(tokens))

    def _probability(self, word: str, history: Ngram, forgotten: Mapping[Ngram, _Own]) -> float:
        own = forgotten.get((), NOTHING)
        found = 1 / (len(self._after[()]) - own.lost + 1)
        for part in _parts(history):
            own, after = forgotten.get(part, NOTHING), self._after.get(part)
            total = self._totals.get(part, 0) - own.total
            if after is None or not total:
                break  # nor was any longer one seen
            kinds = len(after) - own.lost
            found = (after[word] - own.words[word] + kinds * found) / (total + kinds)
        return found

    def _own(self, tokens: Ngram) -> dict[Ngram, _Own]:
        copies, own = self._copies[tokens], defaultdict[Ngram, Counter[str]](Counter)
        for history, word in _steps(tokens) if copies else ():
            for part in _parts(history):
                own[part][word] += copies
        return {
            part: _Own(words, sum(self._after[part][word] == count for word, count in words.items()))
            for part, words in own.items()
        }


class _Own:
    def __init__(self, words: Counter[str], lost: int) -> None:
        self.words, self.lost, self.total = words, lost, words.total()


NOTHING = _Own(Counter(), 0)


def _steps(tokens: Ngram) -> list[tuple[Ngram, str]]:
    padded = (START,) * (ORDER - 1) + tokens + (END,)
    return [(padded[place - ORDER + 1 : place], padded[place]) for place in range(ORDER - 1, len(padded))]


def _parts(history: Ngram) -> list[Ngram]:
    return [history[len(history) - length :] for length in range(min(len(history), ORDER - 1) + 1)]
