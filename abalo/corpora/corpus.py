"""A corpus, independent of its file format."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from abalo.core.example import Example
from abalo.corpora.examples import example_of
from perturbations import Sentence, entity_spans

Notes: TypeAlias = Sequence[Mapping[str, object]]
"""Notes to write beside the sentences of a corpus, values of JSON by name for each; readers skip them."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Sentences with well-formed BIO tags.

    ``name`` is what the user called it. ``scheme`` is the one that was read: "BIO", "IOB1" or "BIOES".
    ``repairs`` counts what a lenient reading mended, 0 for a strict one. ``parts_of_speech`` holds for each sentence a
    universal tag per token, None where the corpus has none. ``document_starts`` are the places of the sentences that
    begin a document, none where the corpus does not tell. ``notices`` say in words what reading has taken for granted.
    ``judged`` are the only entity types that tags tell of, None for all; ``left_out`` counts the entities of others, by
    type. ``known_types`` are those of a longer corpus that this is the beginning of; of labels that are no entities
    always all. ``unlabelled`` counts the examples that were left out because they have no label, by the value in its
    place; ``doubtful`` are labels that are kept and may stand for none.
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

    def first(self, limit: int | None) -> Corpus:
        """The first ``limit`` sentences; all of them for None."""
        sentences, parts = self.sentences[:limit], self.parts_of_speech
        return replace(
            self,
            sentences=sentences,
            parts_of_speech=None if parts is None else parts[:limit],
            document_starts=tuple(place for place in self.document_starts if place < len(sentences)),
            known_types=self.types if len(sentences) < len(self.sentences) else self.known_types,
        )

    def only(self, types: Sequence[str]) -> Corpus:
        """The same with entities of these ``types`` alone: tokens of all others are O."""
        kept = frozenset(types)
        return replace(
            self,
            sentences=tuple(_only(sentence, kept) for sentence in self.sentences),
            judged=tuple(types),
            left_out={kind: count for kind, count in self.entity_counts.items() if kind not in kept},
            known_types=tuple(sorted(kept)),
        )

    def alike(self, other: Corpus) -> Corpus:
        """Another corpus with the same entity types judged, if it has them."""
        return other if self.judged is None else other.only(self.judged)

    @property
    def types(self) -> tuple[str, ...]:
        """The entity types, in alphabetical order; of the beginning of a corpus those of the whole."""
        return self.known_types or tuple(self.entity_counts)

    @property
    def examples(self) -> tuple[Example, ...]:
        """The sentences as examples."""
        return tuple(map(example_of, self.sentences))

    @property
    def entity_counts(self) -> dict[str, int]:
        """How many entities of each type there are, by type name."""
        spans = (span for sentence in self.sentences for span in entity_spans(sentence.tags or ()))
        return dict(sorted(Counter(span.type for span in spans).items()))

    @property
    def sha256(self) -> str:
        """Digest of all that could change a prediction or its being right, whatever file format it was read from."""
        digest = hashlib.sha256(self.head)
        for each in self.hashed():
            digest.update(each)
        return digest.hexdigest()

    @property
    def head(self) -> bytes:
        """The part of the digest that is about no example; nothing here."""
        return b""

    def hashed(self) -> Iterator[bytes]:
        """The part of each example in the digest: tokens, tags and spacing."""
        for sentence in self.sentences:
            rows = zip(sentence.tokens, sentence.tags or (), sentence.spaces, strict=True)
            yield b"".join("\t".join(row).encode("utf-8", "surrogatepass") + b"\n" for row in rows) + b"\n"


def _only(sentence: Sentence, kept: frozenset[str]) -> Sentence:
    tags = tuple(tag if tag[2:] in kept else "O" for tag in sentence.tags or ())
    return sentence if tags == sentence.tags else replace(sentence, tags=tags)
