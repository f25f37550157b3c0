"""A language model of word n-grams: small, fast to train, and without any download."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from perturbations import Sentence

ORDER = 3
"""Words in the longest n-gram."""

START, END = " ", ""
"""The symbols before a sentence and after it; neither can be a token."""

Words = tuple[str, ...]


class NgramModel:
    """Word trigrams, smoothed after Witten and Bell.

    The probability of a word w after the history h is (c(hw) + t(h) P(w|h')) / (c(h) + t(h)), where c counts in the
    training text, t(h) is how many different words follow h there, and h' is h without its first word; below the single
    words all known ones, the end of the sentence among them, and one for all unknown ones are equally likely. A history
    that was never seen is shortened. [I. H. Witten and T. C. Bell, The zero-frequency problem, 1991, method C; as in
    S. F. Chen and J. Goodman, An empirical study of smoothing techniques for language modeling, 1998]

    Letter case counts. A sentence of the training text is left out, with its copies, before its own perplexity is
    computed: memorised text would be the most probable.
    """

    def __init__(self, sentences: Sequence[Sentence], source: str) -> None:
        self._copies = Counter(sentence.tokens for sentence in sentences)
        self._after: defaultdict[Words, Counter[str]] = defaultdict(Counter)
        for tokens, copies in self._copies.items():
            for history, word in _steps(tokens):
                for part in _parts(history):
                    self._after[part][word] += copies
        self._totals = {history: words.total() for history, words in self._after.items()}
        self.name = f"word {ORDER}-grams of {source} ({len(sentences):,} sentences)"

    def perplexities(self, sentences: Sequence[Sentence], clean: Sequence[Sentence]) -> NDArray[np.float64]:
        """The perplexity of each sentence, over its words and its end, by a model trained without ``clean``."""
        forgotten = {tokens: self._own(tokens) for tokens in dict.fromkeys(each.tokens for each in clean)}
        return np.array(
            [self._perplexity(each.tokens, forgotten[own.tokens]) for each, own in zip(sentences, clean, strict=True)],
            dtype=np.float64,
        )

    def probability(self, word: str, history: Words = (), without: Words = ()) -> float:
        """The probability of the word after the history, by a model trained without the sentence ``without``.

        `END` is the end of the sentence; a sentence begins after `START`, as often as the order needs.
        """
        return self._probability(word, history, self._own(without))

    def _perplexity(self, tokens: Words, forgotten: Mapping[Words, _Own]) -> float:
        steps = _steps(tokens)
        return exp(-sum(log(self._probability(word, history, forgotten)) for history, word in steps) / len(steps))

    def _probability(self, word: str, history: Words, forgotten: Mapping[Words, _Own]) -> float:
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

    def _own(self, tokens: Words) -> dict[Words, _Own]:
        """The counts that the copies of a sentence added; none for a sentence that is not in the training text."""
        copies, own = self._copies[tokens], defaultdict[Words, Counter[str]](Counter)
        for history, word in _steps(tokens) if copies else ():
            for part in _parts(history):
                own[part][word] += copies
        return {
            part: _Own(words, sum(self._after[part][word] == count for word, count in words.items()))
            for part, words in own.items()
        }


class _Own:
    """Words that one sentence, with its copies, added after a history; ``lost`` is the number of those only it did."""

    def __init__(self, words: Counter[str], lost: int) -> None:
        self.words, self.lost, self.total = words, lost, words.total()


NOTHING = _Own(Counter(), 0)


def _steps(tokens: Words) -> list[tuple[Words, str]]:
    """Each word, and the end, with the words before it."""
    padded = (START,) * (ORDER - 1) + tokens + (END,)
    return [(padded[place - ORDER + 1 : place], padded[place]) for place in range(ORDER - 1, len(padded))]


def _parts(history: Words) -> list[Words]:
    """The ends of a history that can be known, none of its words first."""
    return [history[len(history) - length :] for length in range(min(len(history), ORDER - 1) + 1)]
