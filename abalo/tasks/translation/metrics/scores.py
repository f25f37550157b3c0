"""chrF, BLEU and TER against references, and how much a change lowers them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from abalo.core.records.example import Example
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Count, Floats, Metric, extremes_of_sides, split_sides
from abalo.models.translators.scoring import BLEU, CHRF, CHRF_PP, TER, SummedScore
from abalo.models.translators.scoring import bleu_statistics as of_bleu
from abalo.models.translators.scoring import chrf_pp_statistics as of_chrf_pp
from abalo.models.translators.scoring import chrf_statistics as of_chrf
from abalo.models.translators.scoring import ter_statistics as of_ter

LENGTHS = ("1 to 5 words", "6 to 10 words", "11 to 20 words", "21 words or more")

_MOST = (5, 10, 20)


def length_of(example: Example) -> str:
    """The length group of a text."""
    return LENGTHS[sum(len(example.sentence) > most for most in _MOST)]


def example_now(outcome: Outcome) -> Example:
    """The example after the change, with new references if the change is parallel."""
    return outcome.example if outcome.variant is None else outcome.variant.example


def _both(
    outcomes: Sequence[Outcome], groups: Sequence[str], measure: SummedScore, statistics: Callable[[str, Example], Any]
) -> Floats:
    table = np.zeros((len(outcomes), 1 + len(groups), 2 * measure.columns))
    for rows, outcome in zip(table, outcomes, strict=True):
        before = statistics(outcome.clean.text, outcome.example)
        after = statistics(outcome.prediction.text, example_now(outcome))
        group = length_of(outcome.example)
        rows[[0, *([1 + groups.index(group)] if group in groups else [])]] = (*before, *after)
    return table


def chrf_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """The statistics of chrF."""
    return _both(outcomes, groups, CHRF, lambda text, example: of_chrf(text, example.gold))


def chrf_pp_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """The statistics of chrF++."""
    return _both(outcomes, groups, CHRF_PP, lambda text, example: of_chrf_pp(text, example.gold))


def bleu_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """The statistics of BLEU."""
    return _both(outcomes, groups, BLEU, lambda text, one: of_bleu(text, one.gold, one.source.tokenizer))


def ter_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """The statistics of TER."""
    return _both(outcomes, groups, TER, lambda text, example: of_ter(text, example.gold))


def sided_chrf(outcomes: Sequence[Outcome], view: str, groups: Sequence[str]) -> Floats:
    """Statistics of chrF inside a slice, then outside."""
    return split_sides(chrf_counts(outcomes, view, groups)[..., CHRF.columns :], outcomes)


def chrf_gap(sums: Floats) -> Floats:
    """The difference of chrF outside a slice and inside, -1 to 1."""
    return CHRF.now(sums) - CHRF.before(sums)


def _score(name: str, measure: SummedScore, count: Count, said_of_words: str = "") -> Iterator[Metric]:
    title, lost = measure.title, measure.lost
    said = f"{title} on the clean texts minus {title} after the change, over"
    good: dict[str, Any] = {"more_is_better": True, "lost": lost, "extremes": measure.extremes}
    drop: dict[str, Any] = {"low": -1.0, "before": measure.before, "lost": lost, "extremes": measure.drop_extremes}
    over = f"{title} of sacreBLEU over all texts, on a scale of 0 to 1{said_of_words}"
    yield Metric(name, count, measure.now, of_clean=True, title=title, meaning=over, **good)
    all_, changed = f"{title} drop over all texts", f"{title} after the change"
    yield Metric(f"{name}_drop", count, measure.drop, title=all_, meaning=f"{said} all texts", **drop)
    drop |= {"title": f"{title} drop", "meaning": f"{said} the changed texts", "changed_only": True}
    yield Metric(f"{name}_drop_changed", count, measure.drop, **drop)
    good |= {"title": changed, "meaning": f"{title} on the changed texts only", "changed_only": True}
    yield Metric(f"{name}_changed", count, measure.now, per_group=False, **good)


_WORDS = (
    "; words by sacreBLEU's tokenizer for the target language: `zh` for Chinese, `ja-mecab` and `ko-mecab` if "
    "installed, `char` for languages without spaces, else `13a`; `?tok=NAME` on the corpus chooses"
)
_WITH_WORDS = "; words and pairs of words count beside characters (nw:2)"
_TER = "TER of sacreBLEU over all texts: edits to the reference over its words, from 0; less is better"
_UNBOUNDED: dict[str, Any] = {"high": math.inf, "extremes": TER.extremes, "covered": False}
_OF_SLICE: dict[str, Any] = {
    "probes": ("slice",),
    "low": -1.0,
    "extremes": extremes_of_sides(lambda sums: (CHRF.best(sums), CHRF.worst(sums))),
    "title": "chrF gap",
    "meaning": "chrF on the texts outside the slice minus chrF on the texts in it",
}

METRICS = (
    *_score("chrf", CHRF, chrf_counts),
    *_score("chrf_pp", CHRF_PP, chrf_pp_counts, _WITH_WORDS),
    *_score("bleu", BLEU, bleu_counts, _WORDS),
    Metric("ter", ter_counts, TER.now, of_clean=True, title="TER", meaning=_TER, **_UNBOUNDED),
    Metric("chrf_gap", sided_chrf, chrf_gap, of_clean=True, **_OF_SLICE),
)
