"""Corpora of tagged words, read part after part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from abalo.core.parts import Source
from abalo.corpora import Corpus
from abalo.corpora.in_parts import FileInParts
from abalo.corpora.stretches import Stretch
from abalo.corpora.unpacking import format_ending
from abalo.tasks.pos.conllu import parse
from abalo.tasks.pos.corpus import corpus_of, placed
from perturbations import Sentence


class TagsInParts(FileInParts[Corpus]):
    """CoNLL-U, or columns of a word and its tag."""

    def __init__(self, spec: str, *, lenient: bool) -> None:
        path, self._column = placed(spec)
        super().__init__(spec, path, ("blocks",), lenient=lenient)

    def parsed(self, stretch: Stretch, settled: Mapping[str, Any]) -> Corpus:
        """The sentences of a stretch."""
        findings = stretch.findings(self.spec, lenient=self.lenient)
        text = stretch.text(findings)
        found = parse(text, findings, column=self._column, suffix=format_ending(stretch.path.name))
        findings.raise_any()
        return corpus_of(self.spec, found, self._column, findings.notices)

    def labels_of(self, corpus: Corpus) -> Iterable[str]:
        """The tags."""
        return {tag for sentence in corpus.sentences for tag in sentence.tags or ()}

    def labels_alone(self, source: Source) -> Corpus:
        """One sentence with every tag."""
        sentence = Sentence(tuple("x" for _ in source.labels), source.labels, policy="each")
        return Corpus(source.name, (sentence,), scheme=self._column.upper())
