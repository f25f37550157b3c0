"""Labelled corpora, read in parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from abalo.core.documents.parts import Source
from abalo.corpora.chunks import Chunk
from abalo.corpora.in_parts import FileInParts
from abalo.corpora.running_text import running_text
from abalo.tasks.labels.corpus import CorpusReader, LabelledCorpus, LabelledRow
from abalo.tasks.labels.unlabelled import PARAMETER, Unlabelled
from perturbations import Perturbation

C = TypeVar("C", bound=LabelledCorpus)

_SEVERAL = "several"


class LabelsInParts(FileInParts[C], Generic[C]):
    """Labelled examples; each part counts every label of the whole.

    The first part decides whether examples can have several labels and which values mean none, unless the spec does.
    """

    def __init__(self, reader: CorpusReader[C], spec: str) -> None:
        self.reader, self.asked = reader, reader.named(spec)
        super().__init__(spec, self.asked.source, reader.kinds)

    def parsed(self, chunk: Chunk, settled: Mapping[str, Any]) -> C:
        told = settled.get(PARAMETER)
        absent = self.asked.unlabelled if told is None else Unlabelled.from_json(told)
        asked = replace(self.asked, source=chunk, unlabelled=absent, several=settled.get(_SEVERAL))
        return self.reader.read(asked, chunk.findings(self.spec))

    def settled_by(self, corpus: C) -> Mapping[str, object]:
        absent = self.asked.unlabelled
        if absent is None:
            absent = self.reader.absent_in([*corpus.label_counts, *filter(None, corpus.unlabelled)])
        return {_SEVERAL: corpus.several, PARAMETER: absent.to_json()}

    def labels_of(self, corpus: C) -> Iterable[str]:
        return corpus.label_counts

    def labels_alone(self, source: Source) -> C:
        texts = (running_text("x"),) * len(self.reader.texts)
        rows = [LabelledRow(texts, (label,)) for label in source.labels]
        return self.as_part(self.reader.corpus_of(source.name, rows, several=source.settled[_SEVERAL]), source)

    def as_part(self, corpus: C, source: Source) -> C:
        return replace(corpus, known_types=source.labels)

    def groups(self, source: Source) -> Sequence[str]:
        return source.labels

    def hindrance(self, member: Perturbation) -> str | None:
        if member.meaning == member.relation == "keeps":
            return None
        return "whether all labels still hold after its changes is a question of all of the corpus"
