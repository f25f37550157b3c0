"""Synonyms, in a loose sense, from a masked language model: words that fit the place."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.models.masked_lm import MaskedLM
from abalo.sources.candidates import SPARE, fitted
from abalo.sources.protocols import Synonym
from perturbations import Sentence


class MaskedSynonyms:
    """The words that a masked language model finds likeliest in a word's place: they fit, but may mean something else.

    The similarity of each is its probability there, which is no cosine; the ``most`` likeliest are given, however
    unlikely.
    """

    def __init__(self, model: MaskedLM, most: int) -> None:
        self._model = model
        self._most = most
        self.name = f"masked LM {model.name}, the {most} likeliest, with probabilities for similarities"

    def of(self, sites: Sequence[tuple[Sentence, int]]) -> list[Sequence[Synonym]]:
        """For each word what the model would put there."""
        proposals = self._model.proposals(sites, SPARE * self._most)
        return [
            fitted(sentence.tokens[place], proposed, self._most)
            for (sentence, place), proposed in zip(sites, proposals, strict=True)
        ]
