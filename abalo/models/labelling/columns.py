"""Maps score columns to corpus labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from abalo.models.labelling.joining import inside_label, joins
from abalo.models.labelling.prediction import Scores


@dataclass(frozen=True, slots=True)
class Columns:
    """The corpus label for each of a model's own labels.

    ``columns`` are indices in ``labels``, where labels from joining come last. ``kinds`` are set only if spans are
    joined.
    """

    labels: tuple[str, ...]
    columns: tuple[int, ...]
    kinds: tuple[str, ...] | None = field(default=None, repr=False)

    def fold(self, scores: Scores) -> Scores:
        """Scores by corpus label: the maximum over own labels.

        A label without any gets the token's lowest score.
        """
        if self.columns == tuple(range(len(self.labels))):
            return scores
        folded = np.full((len(scores), len(self.labels)), -np.inf, dtype=scores.dtype)
        for own, column in enumerate(self.columns):
            np.maximum(folded[:, column], scores[:, own], out=folded[:, column])
        for column in set(range(len(self.labels))) - set(self.columns):
            folded[:, column] = scores.min(axis=1)
        return folded

    def read(self, scores: Scores, starts: Iterable[int] = (0,)) -> tuple[Scores, list[str]]:
        """Token scores by corpus label, and the best labels.

        ``starts`` are first rows of sentences. A token that joins the previous span swaps its begin and inside scores,
        so its label keeps the highest score.
        """
        folded = self.fold(scores)
        best = folded.argmax(axis=1)
        tags = [self.labels[column] for column in best.tolist()]
        if self.kinds is None or not len(folded):
            return folded, tags
        meant = np.where(np.array(self.columns) == best[:, None], scores, -np.inf).argmax(axis=1)
        folded = folded.copy() if folded is scores else folded
        for row in joins(tags, [self.kinds[own] for own in meant.tolist()], starts):
            inside = inside_label(tags[row])
            pair = [self.labels.index(tags[row]), self.labels.index(inside)]
            folded[row, pair] = folded[row, pair[::-1]]
            tags[row] = inside
        return folded, tags
