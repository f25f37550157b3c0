"""Corpora of labelled texts, read part after part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from abalo.core.parts import Source
from abalo.corpora.running_text import running_text
from abalo.corpora.stretches import Stretch
from abalo.tasks.classification.corpus import LabelledTexts, named, read_texts
from abalo.tasks.labels.in_parts import LabelsInParts
from abalo.tasks.labels.unlabelled import PARAMETER, Unlabelled, unlabelled_in

_SEVERAL = "several"


class TextsInParts(LabelsInParts[LabelledTexts]):
    """A table, JSON lines or Parquet. The first part tells whether a text can have several labels."""

    kinds = ("table", "lines", "rows")

    def __init__(self, spec: str, *, lenient: bool) -> None:
        source, self._asked, self._unlabelled = named(spec)
        super().__init__(spec, source, lenient=lenient)

    def parsed(self, stretch: Stretch, settled: Mapping[str, Any]) -> LabelledTexts:
        """The texts of a stretch."""
        findings = stretch.findings(self.spec, lenient=self.lenient)
        told = settled.get(PARAMETER)
        absent = self._unlabelled if told is None else Unlabelled.from_json(told)
        return read_texts(stretch, self._asked, findings, settled.get(_SEVERAL), absent)

    def settled_by(self, corpus: LabelledTexts) -> dict[str, Any]:
        """Whether a text can have several labels, and the values that stand for none."""
        return {_SEVERAL: corpus.several, PARAMETER: self.absent_in(corpus).to_json()}

    def absent_in(self, corpus: LabelledTexts) -> Unlabelled:
        """The values that stand for no label, by those of the first part unless they were named."""
        if self._unlabelled is not None:
            return self._unlabelled
        return unlabelled_in([*corpus.label_counts, *filter(None, corpus.unlabelled)], graded=True)

    def labels_of(self, corpus: LabelledTexts) -> Iterable[str]:
        """The labels."""
        return corpus.label_counts

    def labels_alone(self, source: Source) -> LabelledTexts:
        """A text for every label."""
        texts, golds = [running_text("x") for _ in source.labels], [(label,) for label in source.labels]
        return LabelledTexts(source.name, tuple(texts), golds=tuple(golds), several=source.settled[_SEVERAL])
