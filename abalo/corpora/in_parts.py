"""Corpora in files that are read part after part: cut once into parts of so many examples, each read by itself.

Parts are stretches of the file, so the corpus is copied nowhere; every machine reads it under the same path.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

from abalo.core.parts import Part, Source
from abalo.corpora.corpus import Corpus
from abalo.corpora.hub import HubName
from abalo.corpora.stretches import Kind, Stretch, as_kind, ends, kind_of
from abalo.errors import AbaloError
from perturbations import Perturbation

C = TypeVar("C", bound=Corpus)


class FileInParts(ABC, Generic[C]):
    """A corpus in a file, read part after part: each task says how a stretch is read, and what the whole settles.

    ``spec`` is what the user calls it, ``kinds`` are the forms of files that can be cut. A part has an example for each
    of its sentences.
    """

    def __init__(self, spec: str, source: Path | Stretch | HubName, kinds: Sequence[Kind], *, lenient: bool) -> None:
        if not isinstance(source, Path):
            raise AbaloError(
                f"{spec}: is no file, so it cannot be read in parts; save it as Parquet or JSON lines first"
            )
        self.spec, self.lenient = spec, lenient
        self._path, self._kinds = source, kinds

    @abstractmethod
    def parsed(self, stretch: Stretch, settled: Mapping[str, Any]) -> C:
        """The examples of a stretch; for nothing ``settled``, the first stretch decides. Raises `AbaloError`."""

    def settled_by(self, corpus: C) -> Mapping[str, Any]:
        """The decisions of the first part that hold for all others, as values of JSON."""
        return {}

    def taken(self, corpus: C) -> None:
        """Takes notice of the next part while the corpus is cut; raises `AbaloError` for what it cannot follow."""

    def settled_at_the_end(self) -> dict[str, Any]:
        """The decisions that only the whole corpus allows, all parts taken."""
        return {}

    @abstractmethod
    def labels_of(self, corpus: C) -> Iterable[str]:
        """The labels that occur in a part."""

    def as_part(self, corpus: C, source: Source) -> C:
        """A part, with what is known of the whole."""
        return corpus

    @abstractmethod
    def labels_alone(self, source: Source) -> C:
        """A corpus of made-up examples with every label that occurs, by which a model is loaded."""

    def groups(self, source: Source) -> Sequence[str]:
        """The groups of labels that are counted in every part, also in one that holds none of them."""
        return ()

    def hindrance(self, member: Perturbation) -> str | None:
        """Why a case with that perturbation cannot be run part after part; None where it can."""
        return None

    def cut(self, size: int) -> tuple[Source, tuple[Part, ...]]:
        """The corpus, and its parts of ``size`` examples, of which the last may have fewer.

        The whole corpus is read, a part at a time; raises `AbaloError` with the problems of the first part that has
        any.
        """
        kind = kind_of(self._path, self.spec, self._kinds)
        digest, parts, labels = hashlib.sha256(), list[Part](), set[str]()
        sentences, settled = 0, dict[str, Any]()
        for part, corpus in self._parts(kind, size, settled):
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
        """The corpus that a part is; raises `AbaloError` where the file is no longer what was cut."""
        stretch = Stretch(Path(source.path), as_kind(source.kind), part.start, part.stop, part.before)
        corpus = self.parsed(stretch, source.settled)
        if len(corpus.sentences) != part.examples:
            raise AbaloError(
                f"{source.name}: has changed since it was cut: {len(corpus.sentences):,} examples from line "
                f"{part.before + 1:,}, where there were {part.examples:,}; begin anew with another --out"
            )
        return self.as_part(corpus, source)

    def _parts(self, kind: Kind, size: int, settled: Mapping[str, Any]) -> Iterator[tuple[Part, C]]:
        """Stretches of so many records, and of more where some of them are no examples."""
        records = ends(self._path, kind)
        start = before = 0
        while taken := [*islice(records, size)]:
            corpus = self._stretch(kind, start, taken[-1], before, settled)
            while len(corpus.sentences) < size and (more := [*islice(records, size - len(corpus.sentences))]):
                taken = more
                corpus = self._stretch(kind, start, taken[-1], before, settled)
            stop, lines = taken[-1]
            if corpus.sentences:
                yield Part(start, stop, before, len(corpus.sentences)), corpus
            start, before = stop, lines

    def _stretch(self, kind: Kind, start: int, end: tuple[int, int], before: int, settled: Mapping[str, Any]) -> C:
        return self.parsed(Stretch(self._path, kind, start, end[0], before), settled)
