"""Tree corpora, read in parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from abalo.core.documents.parts import Source
from abalo.corpora.chunks import Chunk
from abalo.corpora.conllu import parse
from abalo.corpora.in_parts import FileInParts
from abalo.corpora.unpacking import format_ending
from abalo.tasks.parsing.corpus import Trees, corpus_of, locate
from perturbations import ROOT, Arcs, Sentence
from perturbations.layers import HEADS


class TreesInParts(FileInParts[Trees]):
    """CoNLL-U or CoNLL-X."""

    def __init__(self, spec: str) -> None:
        path, self._rules = locate(spec)
        super().__init__(spec, path, ("blocks",))

    def parsed(self, chunk: Chunk, settled: Mapping[str, object]) -> Trees:
        findings = chunk.findings(self.spec)
        text = chunk.text(findings)
        found = parse(text, findings, suffix=format_ending(chunk.path.name), trees=True)
        findings.raise_any()
        return corpus_of(self.spec, found, self._rules, findings)

    def labels_of(self, corpus: Trees) -> Iterable[str]:
        return corpus.types

    def labels_alone(self, source: Source) -> Trees:
        words = tuple("x" for _ in source.labels)
        arcs = Arcs(HEADS, tuple(ROOT if k == 0 else 0 for k in range(len(words))), tuple(source.labels))
        sentence = Sentence(words, ("",) * len(words), policy="each", layers=(arcs,))
        return Trees(source.name, (sentence,), known_types=tuple(source.labels), rules=self._rules)

    def groups(self, source: Source) -> Sequence[str]:
        return source.labels
