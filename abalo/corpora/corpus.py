"""A corpus in any file format."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self, TypeAlias

from abalo.core.records.example import Example
from abalo.core.records.tally import Tally
from abalo.corpora.examples import example_of
from perturbations import Sentence, entity_spans

Notes: TypeAlias = Sequence[Mapping[str, object]]
"""JSON values by name, per sentence; readers skip them."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Sentences with well-formed BIO tags.

    Attributes:
        scheme: the scheme read: "BIO", "IOB1" or "BIOES".
        repairs: number of problems repaired.
        parts_of_speech: a universal tag per token and sentence, or None.
        document_starts: first sentence of each document; empty if unknown.
        notices: assumptions made while reading.
        judged: the only entity types annotated; None means all.
        left_out: entities of other types, by type.
        known_types: types of the whole corpus if this is its beginning.
        unlabelled: examples dropped for lack of a label, by the value found.
        doubtful: labels that may mean "no label".
        tally: what was read and lost.
    """

    name: str
    sentences: tuple[Sentence, ...]
    scheme: str = "BIO"
    repairs: int = 0
    parts_of_speech: tuple[tuple[str, ...], ...] | None = None
    document_starts: tuple[int, ...] = ()
    notices: tuple[str, ...] = ()
    judged: tuple[str, ...] | None = None
    left_out: Mapping[str, int] = field(default_factory=dict, hash=False)
    known_types: tuple[str, ...] = ()
    unlabelled: Mapping[str, int] = field(default_factory=dict, hash=False)
    doubtful: tuple[str, ...] = ()
    tally: Tally = field(default_factory=Tally, compare=False)

    def first(self, limit: int | None) -> Self:
        """The first ``limit`` sentences; None keeps all."""
        sentences, parts = self.sentences[:limit], self.parts_of_speech
        return replace(
            self,
            sentences=sentences,
            parts_of_speech=None if parts is None else parts[:limit],
            document_starts=tuple(place for place in self.document_starts if place < len(sentences)),
            known_types=self.types if len(sentences) < len(self.sentences) else self.known_types,
        )

    def chosen(self, places: Sequence[int]) -> Corpus:
        """The sentences at increasing places, without document starts."""
        parts = self.parts_of_speech
        return replace(
            self,
            sentences=tuple(self.sentences[place] for place in places),
            parts_of_speech=None if parts is None else tuple(parts[place] for place in places),
            document_starts=(),
            known_types=self.types,
        )

    def only(self, types: Sequence[str]) -> Corpus:
        """The corpus with other entity types replaced by O."""
        kept = frozenset(types)
        return replace(
            self,
            sentences=tuple(_only(sentence, kept) for sentence in self.sentences),
            judged=tuple(types),
            left_out={kind: count for kind, count in self.entity_counts.items() if kind not in kept},
            known_types=tuple(sorted(kept)),
        )

    def alike(self, other: Corpus) -> Corpus:
        """The other corpus, limited to this one's judged types."""
        return other if self.judged is None else other.only(self.judged)

    @property
    def types(self) -> tuple[str, ...]:
        """Sorted entity types of the whole corpus."""
        return self.known_types or tuple(self.entity_counts)

    @property
    def examples(self) -> tuple[Example, ...]:
        return tuple(map(example_of, self.sentences))

    @property
    def entity_counts(self) -> dict[str, int]:
        spans = (span for sentence in self.sentences for span in entity_spans(sentence.tags or ()))
        return dict(sorted(Counter(span.type for span in spans).items()))

    @property
    def sha256(self) -> str:
        """Digest of everything that affects predictions or scores."""
        digest = hashlib.sha256(self.head)
        for each in self.hashed():
            digest.update(each)
        return digest.hexdigest()

    @property
    def head(self) -> bytes:
        """The digest's part common to all examples."""
        return b""

    def hashed(self) -> Iterator[bytes]:
        """Each example's part of the digest."""
        for sentence in self.sentences:
            rows = zip(sentence.tokens, sentence.tags or (), sentence.spaces, strict=True)
            yield b"".join("\t".join(row).encode("utf-8", "surrogatepass") + b"\n" for row in rows) + b"\n"


def _only(sentence: Sentence, kept: frozenset[str]) -> Sentence:
    tags = tuple(tag if tag[2:] in kept else "O" for tag in sentence.tags or ())
    return sentence if tags == sentence.tags else replace(sentence, tags=tags)
