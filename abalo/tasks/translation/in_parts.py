"""Parallel corpora, read in parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from abalo.core.documents.parts import Source
from abalo.corpora.chunks import Chunk
from abalo.corpora.in_parts import FileInParts
from abalo.corpora.parallel import ParallelCorpus, parse_spec, read
from abalo.corpora.running_text import running_text
from abalo.errors import AbaloError
from abalo.tasks.translation.metrics.scores import LENGTHS


class TextsInParts(FileInParts[ParallelCorpus]):
    """A table, JSON lines or Parquet."""

    def __init__(self, spec: str) -> None:
        self._asked = parse_spec(spec)
        if self._asked.files:
            raise AbaloError(f"{spec}: several files cannot be read in parts; write them as one table or JSON lines")
        super().__init__(spec, self._asked.source, ("table", "lines", "rows"))

    def parsed(self, chunk: Chunk, settled: Mapping[str, object]) -> ParallelCorpus:
        return read(replace(self._asked, source=chunk), chunk.findings(self.spec))

    def labels_of(self, corpus: ParallelCorpus) -> Iterable[str]:
        return ()

    def labels_alone(self, source: Source) -> ParallelCorpus:
        made = (running_text("x"),)
        return ParallelCorpus(source.name, made, references=(("x",),), direction=self._asked.direction)

    def groups(self, source: Source) -> Sequence[str]:
        return sorted(LENGTHS)
