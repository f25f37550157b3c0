"""Columns of scores: those of a model's own labels, read as labels of the corpus."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from abalo.models.joining import joins, spanned
from abalo.models.prediction import Scores


@dataclass(frozen=True, slots=True)
class Columns:
    """The label of the corpus for each of a model's own labels.

    ``labels`` are labels of the corpus, each once, in the order in which the model's own first name them. ``columns``
    holds, for each of the model's own labels, its place in ``labels``. ``kinds`` holds for each of them its kind in the
    model's own names, where touching spans of several kinds are joined; None where they are not. ``labels`` may then
    end with some that none of the model's own stands for: the insides of entities that can only be joined.
    """

    labels: tuple[str, ...]
    columns: tuple[int, ...]
    kinds: tuple[str, ...] | None = field(default=None, repr=False)

    def fold(self, scores: Scores) -> Scores:
        """Scores with one column per label of the corpus: the maximum of those of the model's own that mean it.

        A label that none of these means has the lowest score of the token.
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
        """The scores of tokens by label of the corpus, and the label with the highest one for each token.

        ``starts`` are the rows at which a sentence begins. Where a token is joined to the span before it, its scores
        for the beginning and for the inside of an entity change places: its label still has the highest score, and its
        type is as probable as before.
        """
        folded = self.fold(scores)
        best = folded.argmax(axis=1)
        tags = [self.labels[column] for column in best.tolist()]
        if self.kinds is None or not len(folded):
            return folded, tags
        meant = np.where(np.array(self.columns) == best[:, None], scores, -np.inf).argmax(axis=1)
        folded = folded.copy() if folded is scores else folded
        for row in joins(tags, [self.kinds[own] for own in meant.tolist()], starts):
            inside = spanned(tags[row])
            pair = [self.labels.index(tags[row]), self.labels.index(inside)]
            folded[row, pair] = folded[row, pair[::-1]]
            tags[row] = inside
        return folded, tags
