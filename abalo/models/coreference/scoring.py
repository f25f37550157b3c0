"""Summable numerators and denominators of MUC, B³, CEAFe and LEA."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.models.coreference.protocol import MentionPlace, Resolved
from perturbations import Sentence
from perturbations.documents import mentions_of

Clusters = Sequence[Collection[MentionPlace]]

_Common = Mapping[tuple[int, int], int]


class ClusterRules(NamedTuple):
    """Whether clusters of one mention (``singletons``) count."""

    singletons: bool = True

    def counted(self, clusters: Sequence[Collection[MentionPlace]]) -> list[Collection[MentionPlace]]:
        return [each for each in clusters if len(each) > 1 or self.singletons]

    def gold(self, document: Sentence) -> list[Collection[MentionPlace]]:
        """Gold clusters that count; merged mentions count once."""
        return self.counted(list(gold_clusters(document).values()))

    def predicted(self, outcome: Outcome) -> list[Collection[MentionPlace]]:
        """Predicted clusters that count, without mentions of new words only."""
        given: Resolved = outcome.prediction
        if outcome.perturbed is None:
            return self.counted(given.clusters)
        origins = outcome.perturbed.origins
        known = [[each for each in cluster if any(origins[slice(*each)])] for cluster in given.clusters]
        return self.counted([each for each in known if each])


def gold_clusters(document: Sentence) -> dict[str, set[MentionPlace]]:
    """The distinct mentions of each gold cluster, by name."""
    clusters: dict[str, set[MentionPlace]] = {}
    taken: set[MentionPlace] = set()
    for span in mentions_of(document):
        place = (span.start, span.stop)
        if place not in taken:
            taken.add(place)
            clusters.setdefault(span.type, set()).add(place)
    return clusters


USUAL = ClusterRules()


class Counts(NamedTuple):
    """The sums of a document.

    ``muc_gold`` and ``muc_predicted`` are spanning links; LEA sums are resolved links times mentions.
    """

    muc_links: float
    muc_gold: float
    muc_predicted: float
    b3_recall: float
    mentions: float
    b3_precision: float
    predicted: float
    ceafe: float
    clusters: float
    predicted_clusters: float
    lea_recall: float
    lea_precision: float


def count_clusters(gold: Clusters, predicted: Clusters) -> Counts:
    """Sums for MUC (Vilain et al. 1995), B³ (Bagga and Baldwin 1998), CEAFe (Luo 2005) and LEA.

    As in the CoNLL-2012 scorer; LEA as in Moosavi and Strube 2016, section 4.
    """
    home = {mention: number for number, cluster in enumerate(predicted) for mention in cluster}
    common = Counter(
        (number, home[mention]) for number, cluster in enumerate(gold) for mention in cluster if mention in home
    )
    sizes, others = [len(each) for each in gold], [len(each) for each in predicted]
    return Counts(
        sum(common.values()) - len(common),
        sum(sizes) - len(sizes),
        sum(others) - len(others),
        sum(shared**2 / sizes[one] for (one, _), shared in common.items()),
        sum(sizes),
        sum(shared**2 / others[other] for (_, other), shared in common.items()),
        sum(others),
        _aligned(common, sizes, others),
        len(sizes),
        len(others),
        _resolved(common, sizes, others),
        _resolved({(other, one): shared for (one, other), shared in common.items()}, others, sizes),
    )


def _aligned(common: _Common, sizes: Sequence[int], others: Sequence[int]) -> float:
    """Luo 2005, φ4."""
    from scipy.optimize import linear_sum_assignment

    if not common:
        return 0.0
    table = np.zeros((len(sizes), len(others)))
    for (one, other), shared in common.items():
        table[one, other] = 2 * shared / (sizes[one] + others[other])
    return float(table[linear_sum_assignment(-table)].sum())


def _resolved(common: _Common, sizes: Sequence[int], others: Sequence[int]) -> float:
    total = 0.0
    for (one, other), shared in common.items():
        if sizes[one] == 1:
            total += others[other] == 1
        else:
            total += sizes[one] * shared * (shared - 1) / (sizes[one] * (sizes[one] - 1))
    return total
