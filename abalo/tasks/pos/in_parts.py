"""Tagged corpora, read in parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from abalo.core.documents.parts import Source
from abalo.corpora import Corpus
from abalo.corpora.chunks import Chunk
from abalo.corpora.conllu import parse
from abalo.corpora.in_parts import FileInParts
from abalo.corpora.unpacking import format_ending
from abalo.tasks.pos.corpus import corpus_of, locate
from perturbations import Sentence


class TagsInParts(FileInParts[Corpus]):
    """CoNLL-U, or columns of words and tags."""

    def __init__(self, spec: str) -> None:
        path, self._column = locate(spec)
        super().__init__(spec, path, ("blocks",))

    def parsed(self, chunk: Chunk, settled: Mapping[str, object]) -> Corpus:
        findings = chunk.findings(self.spec)
        text = chunk.text(findings)
        found = parse(text, findings, column=self._column, suffix=format_ending(chunk.path.name))
        findings.raise_any()
        return corpus_of(self.spec, found, self._column, findings)

    def labels_of(self, corpus: Corpus) -> Iterable[str]:
        return {tag for sentence in corpus.sentences for tag in sentence.tags or ()}

    def labels_alone(self, source: Source) -> Corpus:
        sentence = Sentence(tuple("x" for _ in source.labels), source.labels, policy="each")
        return Corpus(source.name, (sentence,), scheme=self._column.upper())
