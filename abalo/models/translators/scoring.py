"""BLEU, chrF and TER from summed sentence statistics, as in sacreBLEU (Post 2018)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from string import punctuation
from typing import Any

import numpy as np

from abalo.core.statistics.metrics import Floats, ratio
from abalo.errors import AbaloError

ORDERS, BETA = 6, 2
"""Character n-grams and recall weight (Popović 2015)."""

WORDS = 4
"""Papineni et al. 2002."""

WORD_ORDERS = 2
"""Word n-grams of chrF++ (Popović 2017)."""

CHRF_COLUMNS, BLEU_COLUMNS, TER_COLUMNS = 3 * ORDERS, 2 + 2 * WORDS, 2
"""chrF: n-grams of translation, reference and both, by order. BLEU: words of both, common n-grams, n-grams of the
translation. TER: edits, reference words.
"""

_REMEMBERED = 2**17

_PLUS = "CHRF_PP"


@cache
def _sacrebleu(name: str, tokenizer: str = "") -> Any:
    try:
        from sacrebleu import metrics
    except ImportError as error:
        raise AbaloError("translations are scored by sacreBLEU: pip install 'abalo[translation]'") from error
    known: Any = metrics
    if name == _PLUS:
        return known.CHRF(word_order=WORD_ORDERS)
    return known.BLEU(tokenize=tokenizer, force=True) if name == "BLEU" else getattr(known, name)()


def check_installed() -> None:
    """Raises `AbaloError` if sacreBLEU is missing."""
    _sacrebleu("CHRF")


def signatures(references: Sequence[int], tokenizer: str) -> dict[str, str]:
    """SacreBLEU's signatures for these numbers of references."""
    found = {}
    for name, own in (("BLEU", tokenizer), ("CHRF", ""), (_PLUS, ""), ("TER", "")):
        measure = _sacrebleu(name, own)
        some = [["a"] * len(references)] + [["a" if count > k else None for count in references] for k in (1, 2, 3)]
        measure.corpus_score(["a"] * len(references), some[: max(references)])
        found[name.lower()] = str(measure.get_signature())
    return found


@lru_cache(_REMEMBERED)
def bleu_statistics(translation: str, references: tuple[str, ...], tokenizer: str) -> tuple[float, ...]:
    """BLEU statistics of one sentence."""
    found = _sacrebleu("BLEU", tokenizer).corpus_score([translation], [[each] for each in references])
    return (found.sys_len, found.ref_len, *found.counts, *found.totals)


@lru_cache(_REMEMBERED)
def ter_statistics(translation: str, references: tuple[str, ...]) -> tuple[float, ...]:
    """TER statistics of one sentence."""
    found = _sacrebleu("TER").corpus_score([translation], [[each] for each in references])
    return found.num_edits, found.ref_length


@lru_cache(_REMEMBERED)
def chrf_statistics(translation: str, references: tuple[str, ...]) -> tuple[float, ...]:
    """ChrF statistics of one sentence with its best reference."""
    _sacrebleu("CHRF")
    from sacrebleu.metrics.helpers import extract_all_char_ngrams

    own = extract_all_char_ngrams(translation, ORDERS)
    return _with_best([_shared(own, extract_all_char_ngrams(each, ORDERS)) for each in references])


@lru_cache(_REMEMBERED)
def chrf_pp_statistics(translation: str, references: tuple[str, ...]) -> tuple[float, ...]:
    """Statistics of chrF++ of one sentence: n-grams of characters as in chrF, then of words."""
    _sacrebleu(_PLUS)
    from sacrebleu.metrics.helpers import extract_all_char_ngrams, extract_word_ngrams

    def grams(text: str) -> list[Counter[str]]:
        words = [*_words_of(text)]
        orders = range(1, WORD_ORDERS + 1)
        return [*extract_all_char_ngrams(text, ORDERS), *(extract_word_ngrams(words, order) for order in orders)]

    own = grams(translation)
    return _with_best([_shared(own, grams(each)) for each in references])


def _words_of(text: str) -> Iterator[str]:
    """The words of chrF++, which has a mark at the end of a word apart, else one at its beginning."""
    for word in text.split():
        if len(word) > 1 and word[-1] in punctuation:
            yield from (word[:-1], word[-1])
        elif len(word) > 1 and word[0] in punctuation:
            yield from (word[0], word[1:])
        else:
            yield word


def _shared(own: Sequence[Counter[str]], theirs: Sequence[Counter[str]]) -> tuple[float, ...]:
    found: list[float] = []
    for mine, other in zip(own, theirs, strict=True):
        found += mine.total() if other else 0, other.total(), (mine & other).total()
    return tuple(found)


def _with_best(rows: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    return rows[int(np.nan_to_num(chrf_of(np.array(rows, dtype=np.float64))).argmax())]


def chrf_of(sums: Floats) -> Floats:
    """ChrF (… × 18) or chrF++ (… × 24) of sums, 0 to 1; NaN without references."""
    own, theirs, both = (sums[..., k::3] for k in range(3))
    counted = (own > 0) & (theirs > 0)
    orders = counted.sum(axis=-1).astype(np.float64)
    precision, recall = (
        ratio(np.where(counted, ratio(both, side, 0.0), 0.0).sum(axis=-1), orders, 0.0) for side in (own, theirs)
    )
    found = ratio((1 + BETA**2) * precision * recall, BETA**2 * precision + recall, 0.0)
    return np.where(theirs[..., 0] > 0, found, np.nan)


def bleu_of(sums: Floats) -> Floats:
    """BLEU, 0 to 1, of sums (… × 10), smoothed as in mteval-v13a; NaN without references."""
    own, theirs = sums[..., 0], sums[..., 1]
    both, all_ = sums[..., 2 : 2 + WORDS], sums[..., 2 + WORDS :]
    halvings = np.cumsum(both == 0, axis=-1)
    precisions = ratio(np.where(both > 0, both, 0.5**halvings), all_, 0.0)
    whole = np.asarray((precisions > 0).all(axis=-1) & (both > 0).any(axis=-1))
    mean = np.exp(np.log(np.where(whole[..., None], precisions, 1.0)).mean(axis=-1))
    brevity = np.exp(np.minimum(0.0, 1 - ratio(theirs, own, 1.0)))
    return np.where(theirs > 0, np.where(whole, mean * brevity, 0.0), np.nan)


def ter_of(sums: Floats) -> Floats:
    """TER, from 0, of sums (… × 2): edits per reference word; NaN without references."""
    return ratio(sums[..., 0], sums[..., 1])


def distance(first: str, second: str) -> float:
    """1 - chrF of the second translation against the first, 0 to 1; 0 if equal."""
    if first == second:
        return 0.0
    statistics = np.array(chrf_statistics(second, (first,)), dtype=np.float64)
    return 1 - float(np.nan_to_num(chrf_of(statistics)))


def sentence_chrf(translation: str, references: tuple[str, ...]) -> float:
    """ChrF of one translation, 0 to 1."""
    return float(chrf_of(np.array(chrf_statistics(translation, references), dtype=np.float64)))


@dataclass(frozen=True, slots=True)
class SummedScore:
    """A score from statistics before and after a change.

    ``of`` computes it from ``columns`` statistics; ``hits`` are shared with the reference. ``best`` and ``worst`` map
    the statistics to a perfect and a useless translation.
    """

    title: str
    columns: int
    of: Callable[[Floats], Floats]
    hits: slice
    best: Callable[[Floats], Floats]
    worst: Callable[[Floats], Floats]

    def before(self, sums: Floats) -> Floats:
        return self.of(sums[..., : self.columns])

    def now(self, sums: Floats) -> Floats:
        """After the change."""
        return self.of(sums[..., self.columns :])

    def drop(self, sums: Floats) -> Floats:
        """Score before minus score after."""
        return self.before(sums) - self.now(sums)

    def lost(self, sums: Floats) -> Floats:
        """The sums if translations shared nothing with their references after the change."""
        found = sums.copy()
        found[..., self.columns :][..., self.hits] = 0
        return found

    def extremes(self, sums: Floats) -> tuple[Floats, Floats]:
        """The sums of perfect and of useless translations after the change."""
        before, now = sums[..., : self.columns], sums[..., self.columns :]
        best, worst = (np.concatenate([before, each(now)], axis=-1) for each in (self.best, self.worst))
        return best, worst

    def drop_extremes(self, sums: Floats) -> tuple[Floats, Floats]:
        """The sums if the change made no translation better or worse, and if it made all useless."""
        before = sums[..., : self.columns]
        return np.concatenate([before, before], axis=-1), self.extremes(sums)[1]


def _perfect_chrf(sums: Floats) -> Floats:
    return np.repeat(sums[..., 1::3], 3, axis=-1)


def _perfect_bleu(sums: Floats) -> Floats:
    theirs, all_ = sums[..., [1]], sums[..., 2 + WORDS :]
    return np.concatenate([theirs, theirs, all_, all_], axis=-1)


def _without(hits: slice) -> Callable[[Floats], Floats]:
    def useless(sums: Floats) -> Floats:
        found = sums.copy()
        found[..., hits] = 0
        return found

    return useless


_SHARED = slice(2, None, 3)
_COMMON = slice(2, 2 + WORDS)

CHRF = SummedScore("chrF", CHRF_COLUMNS, chrf_of, _SHARED, _perfect_chrf, _without(_SHARED))
CHRF_PP = replace(CHRF, title="chrF++", columns=CHRF_COLUMNS + 3 * WORD_ORDERS)
BLEU = SummedScore("BLEU", BLEU_COLUMNS, bleu_of, _COMMON, _perfect_bleu, _without(_COMMON))
TER = SummedScore("TER", TER_COLUMNS, ter_of, slice(0), _without(slice(1)), lambda sums: sums[..., [1, 1]])
