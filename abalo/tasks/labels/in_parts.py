"""Corpora of examples with labels, read part after part: what only all of their labels can tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from abalo.core.parts import Source
from abalo.corpora.in_parts import FileInParts
from abalo.corpora.running_text import running_text
from abalo.corpora.stretches import Stretch
from abalo.tasks.labels.corpus import CorpusReader, LabelledCorpus, Row
from abalo.tasks.labels.unlabelled import PARAMETER, Unlabelled
from perturbations import Perturbation

C = TypeVar("C", bound=LabelledCorpus)

_SEVERAL = "several"


class LabelsInParts(FileInParts[C], Generic[C]):
    """Examples with labels: a part counts what the model says of every label of the whole, also where it holds none.

    The first part tells whether an example can have several labels, and which values stand for none, unless the spec
    names them.
    """

    def __init__(self, reader: CorpusReader[C], spec: str, *, lenient: bool) -> None:
        self.reader, self.asked = reader, reader.named(spec)
        super().__init__(spec, self.asked.source, reader.kinds, lenient=lenient)

    def parsed(self, stretch: Stretch, settled: Mapping[str, Any]) -> C:
        """The examples of a stretch."""
        told = settled.get(PARAMETER)
        absent = self.asked.unlabelled if told is None else Unlabelled.from_json(told)
        asked = replace(self.asked, source=stretch, unlabelled=absent, several=settled.get(_SEVERAL))
        return self.reader.read(asked, stretch.findings(self.spec, lenient=self.lenient))

    def settled_by(self, corpus: C) -> Mapping[str, Any]:
        """Whether an example can have several labels, and the values that stand for none."""
        absent = self.asked.unlabelled
        if absent is None:
            absent = self.reader.absent_in([*corpus.label_counts, *filter(None, corpus.unlabelled)])
        return {_SEVERAL: corpus.several, PARAMETER: absent.to_json()}

    def labels_of(self, corpus: C) -> Iterable[str]:
        """The labels."""
        return corpus.label_counts

    def labels_alone(self, source: Source) -> C:
        """An example for every label."""
        texts = (running_text("x"),) * len(self.reader.texts)
        rows = [Row(texts, (label,)) for label in source.labels]
        return self.as_part(self.reader.corpus_of(source.name, rows, several=source.settled[_SEVERAL]), source)

    def as_part(self, corpus: C, source: Source) -> C:
        """With the labels of the whole."""
        return replace(corpus, known_types=source.labels)

    def groups(self, source: Source) -> Sequence[str]:
        """The labels."""
        return source.labels

    def hindrance(self, member: Perturbation) -> str | None:
        """Whether all labels still hold after a change is a question of all examples."""
        if member.meaning == member.relation == "keeps":
            return None
        return "whether all labels still hold after its changes is a question of all of the corpus"
