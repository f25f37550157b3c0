"""Corpora in files, read part by part."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

from abalo.core.documents.parts import Part, Source
from abalo.corpora.chunks import Chunk, FileKind, as_kind, ends, kind_of
from abalo.corpora.corpus import Corpus
from abalo.corpora.hub import HubName
from abalo.errors import AbaloError
from perturbations import Perturbation

C = TypeVar("C", bound=Corpus)


class FileInParts(ABC, Generic[C]):
    """An `InParts` corpus in a file; subclasses read chunks.

    ``spec`` is what the user called it; only ``kinds`` of file can be cut. A sentence is an example.
    """

    def __init__(self, spec: str, source: Path | Chunk | HubName, kinds: Sequence[FileKind]) -> None:
        if not isinstance(source, Path):
            raise AbaloError(
                f"{spec}: is no file, so it cannot be read in parts; save it as Parquet or JSON lines first"
            )
        self.spec, self._path, self._kinds = spec, source, kinds

    @abstractmethod
    def parsed(self, chunk: Chunk, settled: Mapping[str, object]) -> C:
        """Parses a chunk; if nothing is ``settled``, the first chunk decides."""

    def settled_by(self, corpus: C) -> Mapping[str, object]:
        """The first part's decisions for all others, as JSON."""
        return {}

    def taken(self, corpus: C) -> None:
        """Checks the next part during cutting; raises `AbaloError` for contradictions."""

    def settled_at_the_end(self) -> dict[str, object]:
        """Decisions that need all parts."""
        return {}

    @abstractmethod
    def labels_of(self, corpus: C) -> Iterable[str]:
        """The labels in a part."""

    def as_part(self, corpus: C, source: Source) -> C:
        """Adds facts about the whole to a part."""
        return corpus

    @abstractmethod
    def labels_alone(self, source: Source) -> C: ...

    def groups(self, source: Source) -> Sequence[str]:
        return ()

    def hindrance(self, member: Perturbation) -> str | None:
        return None

    def cut(self, size: int) -> tuple[Source, tuple[Part, ...]]:
        kind = kind_of(self._path, self.spec, self._kinds)
        digest, parts, labels = hashlib.sha256(), list[Part](), set[str]()
        sentences, settled = 0, dict[str, Any]()
        for part, corpus in self._parts(kind, size, settled):
            if not part.examples:  # the rest of the file, with what is left out
                parts[-1:] = [replace(each, stop=part.stop) for each in parts[-1:]]
                continue
            if not parts:
                settled.update(self.settled_by(corpus))
                digest.update(corpus.head)
            parts.append(part)
            self.taken(corpus)
            for each in corpus.hashed():
                digest.update(each)
            labels.update(self.labels_of(corpus))
            sentences += part.examples * len(corpus.first(1).examples[0].fields)
        if not parts:
            raise AbaloError(f"{self.spec}: no examples; expected at least one with its label; is it the right file?")
        return Source(
            self.spec,
            str(self._path.resolve()),
            kind,
            digest.hexdigest(),
            sum(part.examples for part in parts),
            sentences,
            tuple(sorted(labels)),
            {**settled, **self.settled_at_the_end()},
        ), tuple(parts)

    def read(self, source: Source, part: Part) -> C:
        chunk = Chunk(Path(source.path), as_kind(source.kind), part.start, part.stop, part.before)
        corpus = self.parsed(chunk, source.settled)
        if len(corpus.sentences) != part.examples:
            raise AbaloError(
                f"{source.name}: has changed since it was cut: {len(corpus.sentences):,} examples from line "
                f"{part.before + 1:,}, where there were {part.examples:,}; begin anew with another --out"
            )
        return self.as_part(corpus, source)

    def _parts(self, kind: FileKind, size: int, settled: Mapping[str, object]) -> Iterator[tuple[Part, C]]:
        records = ends(self._path, kind)
        start = before = 0
        while taken := [*islice(records, size)]:
            corpus = self._chunk(kind, start, taken[-1], before, settled)
            while len(corpus.sentences) < size and (more := [*islice(records, size - len(corpus.sentences))]):
                taken = more
                corpus = self._chunk(kind, start, taken[-1], before, settled)
            stop, lines = taken[-1]
            if corpus.sentences or corpus.tally.lines():
                yield Part(start, stop, before, len(corpus.sentences)), corpus
            start, before = stop, lines

    def _chunk(self, kind: FileKind, start: int, end: tuple[int, int], before: int, settled: Mapping[str, object]) -> C:
        return self.parsed(Chunk(self._path, kind, start, end[0], before), settled)
