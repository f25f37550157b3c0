"""Relation corpora, read in parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from abalo.core.documents.parts import Source
from abalo.corpora.chunks import Chunk
from abalo.tasks.labels.in_parts import LabelsInParts
from abalo.tasks.relations.corpus import Relations, negative_in, with_negative
from abalo.tasks.relations.sentences import mark_spans


class RelationsInParts(LabelsInParts[Relations]):
    """Sentences with two spans."""

    def parsed(self, chunk: Chunk, settled: Mapping[str, object]) -> Relations:
        return replace(super().parsed(chunk, settled), negative=negative_in(self.spec))

    def settled_by(self, corpus: Relations) -> Mapping[str, object]:
        return {}

    def labels_alone(self, source: Source) -> Relations:
        sentence = mark_spans(("x", "x"), (" ", ""), [(0, 1, "subject"), (1, 2, "object")])
        made = Relations(source.name, (sentence,) * len(source.labels), scheme="one label", gold=tuple(source.labels))
        return with_negative(self.as_part(made, source), self.spec)
