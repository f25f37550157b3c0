"""Corpora of labelled texts, read part after part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from abalo.core.parts import Source
from abalo.corpora.running_text import running_text
from abalo.corpora.stretches import Stretch
from abalo.tasks.classification.corpus import LabelledTexts, named, read_texts
from abalo.tasks.labels.in_parts import LabelsInParts

_SEVERAL = "several"


class TextsInParts(LabelsInParts[LabelledTexts]):
    """A table, JSON lines or Parquet. The first part tells whether a text can have several labels."""

    kinds = ("table", "lines", "rows")

    def __init__(self, spec: str, *, lenient: bool) -> None:
        source, self._asked = named(spec)
        super().__init__(spec, source, lenient=lenient)

    def parsed(self, stretch: Stretch, settled: Mapping[str, Any]) -> LabelledTexts:
        """The texts of a stretch."""
        findings = stretch.findings(self.spec, lenient=self.lenient)
        return read_texts(stretch, self._asked, findings, settled.get(_SEVERAL))

    def settled_by(self, corpus: LabelledTexts) -> dict[str, Any]:
        """Whether a text can have several labels."""
        return {_SEVERAL: corpus.several}

    def labels_of(self, corpus: LabelledTexts) -> Iterable[str]:
        """The labels."""
        return corpus.label_counts

    def labels_alone(self, source: Source) -> LabelledTexts:
        """A text for every label."""
        texts, golds = [running_text("x") for _ in source.labels], [(label,) for label in source.labels]
        return LabelledTexts(source.name, tuple(texts), golds=tuple(golds), several=source.settled[_SEVERAL])
