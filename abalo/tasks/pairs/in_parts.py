"""Corpora of pairs of sentences, read part after part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from abalo.core.example import joined
from abalo.core.parts import Source
from abalo.corpora.running_text import running_text
from abalo.corpora.stretches import Stretch
from abalo.corpora.xml_text import ENDING
from abalo.errors import AbaloError
from abalo.tasks.labels.in_parts import LabelsInParts
from abalo.tasks.labels.unlabelled import PARAMETER, Unlabelled
from abalo.tasks.pairs.corpus import LabelledPairs, absent_in, named, read_pairs
from abalo.tasks.pairs.pair import HYPOTHESIS, PREMISE


class PairsInParts(LabelsInParts[LabelledPairs]):
    """A table, JSON lines or Parquet with labels; of scores the ranks among all pairs would have to be known."""

    kinds = ("table", "lines", "rows")

    def __init__(self, spec: str, *, lenient: bool) -> None:
        source, self._asked, self._unlabelled = named(spec)
        if isinstance(source, Path) and source.suffix == ENDING:
            raise AbaloError(f"{spec}: is XML, which cannot be read in parts; write it as a table or JSON lines")
        super().__init__(spec, source, lenient=lenient)

    def parsed(self, stretch: Stretch, settled: Mapping[str, Any]) -> LabelledPairs:
        """The pairs of a stretch."""
        told = settled.get(PARAMETER)
        absent = self._unlabelled if told is None else Unlabelled.from_json(told)
        return read_pairs(stretch, self._asked, stretch.findings(self.spec, lenient=self.lenient), absent)

    def settled_by(self, corpus: LabelledPairs) -> dict[str, Any]:
        """The values that stand for no label."""
        absent = self._unlabelled
        return {PARAMETER: (absent or absent_in([*corpus.labels, *filter(None, corpus.unlabelled)])).to_json()}

    def taken(self, corpus: LabelledPairs) -> None:
        """Raises `AbaloError` for pairs with scores."""
        if any(score is not None for score in corpus.scores):
            raise AbaloError(
                f"{self.spec}: its pairs have scores of similarity, of which the ranks among all pairs count, so it "
                "cannot be read in parts; expected labels alone: remove the column of scores"
            )

    def labels_of(self, corpus: LabelledPairs) -> Iterable[str]:
        """The labels."""
        return corpus.labels

    def as_part(self, corpus: LabelledPairs, source: Source) -> LabelledPairs:
        """With the labels of the whole."""
        return replace(corpus, labels=source.labels)

    def labels_alone(self, source: Source) -> LabelledPairs:
        """A pair for every label."""
        pair, count = (running_text("x"), running_text("x")), len(source.labels)
        sentence = joined(dict(zip((PREMISE, HYPOTHESIS), pair, strict=True)))
        return LabelledPairs(
            source.name,
            (sentence,) * count,
            pairs=(pair,) * count,
            golds=tuple((label,) for label in source.labels),
            scores=(None,) * count,
            labels=source.labels,
        )
