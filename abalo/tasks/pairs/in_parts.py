"""Pair corpora, read in parts."""

from __future__ import annotations

from abalo.errors import AbaloError
from abalo.tasks.labels.in_parts import LabelsInParts
from abalo.tasks.pairs.corpus import LabelledPairs


class PairsInParts(LabelsInParts[LabelledPairs]):
    """Labelled pairs; scores raise AbaloError, because ranks need all pairs."""

    def taken(self, corpus: LabelledPairs) -> None:
        if any(score is not None for score in corpus.scores):
            raise AbaloError(
                f"{self.spec}: its pairs have similarity scores, which need the ranks of all pairs, so it cannot "
                "be read in parts; expected only labels: remove the column of scores"
            )
