"""Segmented corpora, read in parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from abalo.core.documents.parts import Part, Source
from abalo.corpora.chunks import Chunk, FileKind
from abalo.corpora.findings import Findings
from abalo.corpora.in_parts import FileInParts
from abalo.corpora.peek import beginning
from abalo.corpora.segmented import in_lines, parse
from abalo.corpora.unpacking import format_ending
from abalo.corpora.word_labels import sentence_of
from abalo.tasks.segmentation.corpus import Segmented, corpus_of, parse_spec
from abalo.tasks.segmentation.metrics.words import LENGTHS


class WordsInParts(FileInParts[Segmented]):
    """CoNLL-U, columns of characters, or lines of words."""

    def __init__(self, spec: str) -> None:
        self._asked = parse_spec(spec)
        super().__init__(spec, self._asked.path, ("blocks",))

    def parsed(self, chunk: Chunk, settled: Mapping[str, object]) -> Segmented:
        findings = chunk.findings(self.spec)
        found = parse(chunk.text(findings), findings, suffix=format_ending(chunk.path.name))
        findings.raise_any()
        return corpus_of(self.spec, found, self._asked, findings)

    def labels_of(self, corpus: Segmented) -> Iterable[str]:
        return {label for sentence in corpus.sentences for label in sentence.tags or ()}

    def labels_alone(self, source: Source) -> Segmented:
        made = [sentence_of(["一", "一一", "一一一"])]
        return corpus_of(source.name, made, self._asked, Findings("", lenient=False))

    def groups(self, source: Source) -> Sequence[str]:
        return LENGTHS

    def _parts(self, kind: FileKind, size: int, settled: Mapping[str, object]) -> Iterator[tuple[Part, Segmented]]:
        lines = in_lines(beginning(str(self._asked.path)), format_ending(self._asked.path.name))
        return super()._parts("lines" if lines else kind, size, settled)
