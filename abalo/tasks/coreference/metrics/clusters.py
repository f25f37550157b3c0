"""MUC, B³, CEAFe, their mean, and LEA, and how much a change lowers them.

Counts are summed over documents, as in the CoNLL-2012 reference scorer. Edits update the gold clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Floats, Metric, extremes_of_sides, ratio, share, split_sides
from abalo.models.coreference.protocol import MentionPlace
from abalo.models.coreference.scoring import ClusterRules, Counts, count_clusters
from perturbations import Sentence, Span
from perturbations.carrying import carry_spans
from perturbations.documents import mentions_of

_BEFORE, _NOW = 0, len(Counts._fields)

_AT = {name: place for place, name in enumerate(Counts._fields)}
_HITS = ("muc_links", "b3_recall", "b3_precision", "ceafe", "lea_recall", "lea_precision")

SIZES = ("1 mention", "2 mentions", "3 to 5 mentions", "6 mentions or more")


def size_of(mentions: int) -> str:
    """The size group of a cluster."""
    return SIZES[0 if mentions < 2 else 1 if mentions == 2 else 2 if mentions < 6 else 3]


def document_now(outcome: Outcome) -> Sentence:
    """The document that the prediction refers to."""
    return (outcome.example if outcome.variant is None else outcome.variant.example).sentence


def cluster_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """`Counts` of each document before the change, then after it."""
    table = np.zeros((len(outcomes), 1 + len(groups), 2 * len(Counts._fields)))
    for rows, outcome in zip(table, outcomes, strict=True):
        rules: ClusterRules = outcome.example.source
        before = count_clusters(rules.gold(outcome.sentence), rules.counted(outcome.clean.clusters))
        after = before
        if outcome.changed:
            after = count_clusters(rules.gold(document_now(outcome)), rules.predicted(outcome))
        rows[0] = *before, *after
    return table


class Link(NamedTuple):
    """A gold mention and its predecessor in a cluster of ``size`` mentions, both still in the document.

    ``before`` and ``after`` tell if the model links them.
    """

    mentions: tuple[MentionPlace, MentionPlace]
    now: tuple[MentionPlace, MentionPlace]
    size: int
    before: bool
    after: bool


def links_of(outcome: Outcome) -> Iterator[Link]:
    """The links of all gold clusters, from left to right."""
    spans = [Span(each.start, each.stop, str(k)) for k, each in enumerate(mentions_of(outcome.sentence))]
    made = outcome.perturbed
    moved = spans if made is None else carry_spans(tuple(spans), made.origins, len(outcome.sentence))
    now = {each.type: (each.start, each.stop) for each in reversed(moved)}  # of copies the first
    homes = [
        {mention: number for number, cluster in enumerate(given.clusters) for mention in cluster}
        for given in (outcome.clean, outcome.prediction)
    ]
    clusters: dict[str, list[Span]] = {}
    for old, span in zip(mentions_of(outcome.sentence), spans, strict=True):
        clusters.setdefault(old.type, []).append(span)
    for mentions in clusters.values():
        for one, other in pairwise(sorted(mentions, key=lambda each: (each.start, each.stop))):
            if one.type in now and other.type in now:
                pair, kept = ((one.start, one.stop), (other.start, other.stop)), (now[one.type], now[other.type])
                yield Link(pair, kept, len(mentions), _together(pair, homes[0]), _together(kept, homes[1]))


def _together(pair: tuple[MentionPlace, MentionPlace], home: dict[MentionPlace, int]) -> bool:
    return pair[0] in home and home[pair[0]] == home.get(pair[1])


def link_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """Links by size of the gold cluster: all, right before, lost, and right now."""
    table = np.zeros((len(outcomes), len(groups), 4))
    for rows, outcome in zip(table, outcomes, strict=True):
        for link in links_of(outcome):
            rows[groups.index(size_of(link.size))] += 1, link.before, link.before and not link.after, link.after
    return table


def linked(outcome: Outcome) -> tuple[list[bool], list[bool]]:
    """Whether each link was found before, and after."""
    links = list(links_of(outcome))
    return [each.before for each in links], [each.after for each in links]


def sided_counts(outcomes: Sequence[Outcome], view: str, groups: Sequence[str]) -> Floats:
    """`cluster_counts` inside a slice, then outside."""
    return split_sides(cluster_counts(outcomes, view, groups), outcomes)


ClusterScore = Callable[[Floats, int], Floats]


def _harmonic(recall: Floats, precision: Floats) -> Floats:
    return ratio(2 * recall * precision, recall + precision, empty=0.0)


def _f1(recall: tuple[str, str], precision: tuple[str, str]) -> ClusterScore:
    """0 / 0 counts as 0, as in the reference scorer."""

    def score(sums: Floats, first: int) -> Floats:
        own = {name: sums[..., first + _AT[name]] for name in (*recall, *precision)}
        parts = (ratio(own[part], own[whole], empty=0.0) for part, whole in (recall, precision))
        return _harmonic(*parts)

    return score


muc = _f1(("muc_links", "muc_gold"), ("muc_links", "muc_predicted"))
b3 = _f1(("b3_recall", "mentions"), ("b3_precision", "predicted"))
ceafe = _f1(("ceafe", "clusters"), ("ceafe", "predicted_clusters"))
lea = _f1(("lea_recall", "mentions"), ("lea_precision", "predicted"))


def conll_f1(sums: Floats, first: int) -> Floats:
    """Mean F1 of MUC, B³ and CEAFe, 0 to 1; NaN without gold clusters."""
    mean = (muc(sums, first) + b3(sums, first) + ceafe(sums, first)) / 3
    return np.where(sums[..., first + _AT["clusters"]] > 0, mean, np.nan)


def _lost(sums: Floats) -> Floats:
    none = sums.copy()
    none[..., [_NOW + _AT[name] for name in _HITS]] = 0
    return none


_BEST = {
    **dict.fromkeys(("muc_links", "muc_predicted"), "muc_gold"),
    **dict.fromkeys(("b3_recall", "b3_precision", "predicted", "lea_recall", "lea_precision"), "mentions"),
    **dict.fromkeys(("ceafe", "predicted_clusters"), "clusters"),
}


def _extremes(sums: Floats) -> tuple[Floats, Floats]:
    best = sums.copy()
    for name, gold in _BEST.items():
        best[..., _NOW + _AT[name]] = sums[..., _NOW + _AT[gold]]
    return best, _lost(sums)


def _drop_extremes(sums: Floats) -> tuple[Floats, Floats]:
    same = sums.copy()
    same[..., _NOW:] = sums[..., :_NOW]
    return same, _lost(sums)


def _score(name: str, score: ClusterScore, title: str, meaning: str) -> tuple[Metric, ...]:
    def now(sums: Floats) -> Floats:
        return score(sums, _NOW)

    def clean(sums: Floats) -> Floats:
        return score(sums, _BEFORE)

    def drop(sums: Floats) -> Floats:
        return clean(sums) - now(sums)

    def loss(ending: str, over: str, *, changed_only: bool) -> Metric:
        return Metric(
            f"{name}_drop{ending}",
            cluster_counts,
            drop,
            changed_only=changed_only,
            per_group=False,
            low=-1.0,
            before=clean,
            lost=_lost,
            extremes=_drop_extremes,
            title=f"{title} drop{'' if changed_only else ' over all documents'}",
            meaning=f"{title} before the change minus {title} after it, over {over} documents",
        )

    return (
        Metric(
            name,
            cluster_counts,
            now,
            per_group=False,
            of_clean=True,
            more_is_better=True,
            lost=_lost,
            extremes=_extremes,
            least=0.15,
            title=title,
            meaning=meaning,
        ),
        loss("", "all", changed_only=False),
        loss("_changed", "the changed", changed_only=True),
    )


def conll_f1_gap(sums: Floats) -> Floats:
    """CoNLL F1 outside a slice minus inside, -1 to 1; NaN without clusters."""
    width = sums.shape[-1] // 2
    return conll_f1(sums[..., width:], _NOW) - conll_f1(sums[..., :width], _NOW)


METRICS = (
    *_score("conll_f1", conll_f1, "CoNLL F1", "mean of the F1s of MUC, B³ and CEAFe"),
    *_score("muc", muc, "MUC", "F1 of the links that hold clusters together")[:1],
    *_score("b3", b3, "B³", "F1 of the shares of its cluster that each mention is with")[:1],
    *_score("ceafe", ceafe, "CEAFe", "F1 of the similarity of clusters in the best one-to-one alignment")[:1],
    *_score("lea", lea, "LEA", "F1 of the links of each cluster that are found, weighted by its mentions")[:1],
    Metric(
        "link_recall",
        link_counts,
        share(3, 0),
        of_clean=True,
        more_is_better=True,
        meaning="share of the mentions with one before them in their cluster that the model puts together with it",
    ),
    Metric(
        "flip_rate",
        link_counts,
        share(2, 1),
        compares=True,
        flips=True,
        outputs=linked,
        meaning="share of the mentions put together with the one before them that no longer are after the change",
    ),
    Metric(
        "conll_f1_gap",
        sided_counts,
        conll_f1_gap,
        probes=("slice",),
        of_clean=True,
        per_group=False,
        low=-1.0,
        extremes=extremes_of_sides(_extremes),
        title="CoNLL F1 gap",
        meaning="CoNLL F1 on the documents outside the slice minus CoNLL F1 on the documents in it",
    ),
)
