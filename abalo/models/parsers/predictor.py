"""The predictor of parsers."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.protocols.predictor import Arrays, CacheKey, Predictor, pack_rows, unpack_rows
from abalo.errors import AbaloError
from abalo.models.parsers.protocol import Parse
from perturbations import Sentence


class ParsePredictor(Predictor[Sentence, Parse]):
    """A parser with its trees so far."""

    def key(self, given: Sentence) -> CacheKey:
        return (given.tokens, given.spaces)

    def checked(self, given: Sequence[Sentence], predictions: Sequence[Parse]) -> list[Parse]:
        if [len(each.heads) for each in predictions] != [len(each) for each in given]:
            raise AbaloError(f"model {self.model.name}: gave trees that do not fit the sentences; expected one each")
        return list(predictions)

    def labels(self, prediction: Parse) -> Sequence[str]:
        pairs = zip(prediction.heads, prediction.relations, strict=True)
        return tuple(f"{head} {relation}" for head, relation in pairs)

    def pack(self, predictions: Sequence[Parse]) -> Arrays:
        rows = [(each.heads, each.relations, each.inputs) for each in predictions]
        return pack_rows(rows)

    def unpack(self, stored: Arrays) -> list[Parse]:
        rows = unpack_rows(stored)
        return [Parse(tuple(heads), tuple(relations), inputs) for heads, relations, inputs in rows]
