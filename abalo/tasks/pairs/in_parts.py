"""Corpora of pairs of sentences, read part after part."""

from __future__ import annotations

from abalo.errors import AbaloError
from abalo.tasks.labels.in_parts import LabelsInParts
from abalo.tasks.pairs.corpus import LabelledPairs


class PairsInParts(LabelsInParts[LabelledPairs]):
    """Pairs with labels; of scores the ranks among all pairs would have to be known."""

    def taken(self, corpus: LabelledPairs) -> None:
        """Raises `AbaloError` for pairs with scores."""
        if any(score is not None for score in corpus.scores):
            raise AbaloError(
                f"{self.spec}: its pairs have scores of similarity, of which the ranks among all pairs count, so it "
                "cannot be read in parts; expected labels alone: remove the column of scores"
            )
