"""Corpora read in parts: cut once into shards of so many sentences, of which each can be read by itself.

Shards are stretches of the file, so the corpus is copied nowhere; every machine reads it under the same path.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from abalo.corpora.conll import DOCUMENT_START, parse_conll
from abalo.corpora.corpus import Corpus, hashed
from abalo.corpora.drafts import Draft
from abalo.corpora.encodings import encoding_of, text_of
from abalo.corpora.findings import Findings
from abalo.corpora.foreign import refuse_conllu
from abalo.corpora.json_text import is_json
from abalo.corpora.jsonl import parse_json
from abalo.corpora.loading import guessed, located
from abalo.corpora.records import draft_of
from abalo.corpora.schemes import IOB1, Scheme, detect, lacks_beginnings, scheme_called, to_bio
from abalo.corpora.types import check_types
from abalo.corpora.unpacking import format_ending, is_packed
from abalo.errors import AbaloError, visible
from abalo.scale.manifest import Part, Source
from perturbations import Sentence
from perturbations.function_words import SAMPLE

CONLL, JSONL, PARQUET = "conll", "jsonl", "parquet"

_SNIFFED = 2**16


@dataclass
class _Whole:
    """The facts of a corpus that reading part after part has shown."""

    digest: Any = field(default_factory=hashlib.sha256)
    tokens: int = 0
    sentences: int = 0
    repairs: int = 0
    types: Counter[str] = field(default_factory=Counter)
    entities: Counter[str] = field(default_factory=Counter)
    labels: set[str] = field(default_factory=set)

    def add(self, corpus: Corpus, judged: Sequence[str] | None) -> None:
        """Takes in the next part."""
        self.types.update(corpus.entity_counts)
        kept = corpus if judged is None else corpus.only(judged)
        self.entities.update(kept.entity_counts)
        for sentence in kept.sentences:
            self.digest.update(hashed(sentence))
            self.tokens += len(sentence)
            self.labels.update(sentence.tags or ())
        self.sentences += len(kept.sentences)
        self.repairs += kept.repairs


def cut(
    spec: str,
    shard_size: int,
    *,
    lenient: bool = False,
    scheme: str | None = None,
    types: Sequence[str] | None = None,
) -> tuple[Source, tuple[Part, ...]]:
    """The corpus called ``spec``, and its shards of ``shard_size`` sentences, of which the last may have fewer.

    The first shard tells the tagging scheme where none is given. The whole corpus is read, a shard at a time; raises
    `AbaloError` with the problems of the first shard that has any.
    """
    path, kind = _kind_of(spec)
    whole, parts = _Whole(), list[Part]()
    notices: tuple[str, ...] = ()
    used = None if scheme is None else scheme_called(scheme)
    for part in _parquet_parts(path, shard_size) if kind == PARQUET else _text_parts(path, kind, shard_size):
        findings = Findings(spec, lenient, before=part.before)
        drafts = _drafts(path, kind, part, findings)
        if used is None:
            used = detect(drafts)
            notices = (guessed(spec),) if used is IOB1 and lacks_beginnings(drafts) else ()
        corpus = _corpus(spec, drafts, used, findings)
        whole.add(corpus, types)
        if corpus.sentences:
            parts.append(replace(part, sentences=len(corpus.sentences)))
    if not parts or used is None:
        raise AbaloError(f"{spec}: no sentences; expected at least one token with its tag; is it the right file?")
    known = tuple(sorted(whole.types))
    if types is not None:
        check_types(types, known, spec)
    source = Source(
        name=spec,
        path=str(path.resolve()),
        kind=kind,
        sha256=whole.digest.hexdigest(),
        scheme=used.name,
        sentences=whole.sentences,
        tokens=whole.tokens,
        entities=dict(sorted(whole.entities.items())),
        labels=tuple(sorted(whole.labels)),
        repairs=whole.repairs,
        notices=notices,
        judged=None if types is None else tuple(types),
        left_out={} if types is None else {kind: n for kind, n in sorted(whole.types.items()) if kind not in types},
        known_types=known if types is None else tuple(sorted(types)),
        lenient=lenient,
    )
    return source, tuple(parts)


def part_of(source: Source, part: Part) -> Corpus:
    """The sentences of a shard; raises `AbaloError` where the file is no longer what was cut."""
    findings = Findings(source.name, source.lenient, before=part.before)
    drafts = _drafts(Path(source.path), source.kind, part, findings)
    corpus = _corpus(source.name, drafts, scheme_called(source.scheme), findings)
    if len(corpus.sentences) != part.sentences:
        raise AbaloError(
            f"{source.name}: has changed since it was cut: {len(corpus.sentences):,} sentences from line "
            f"{part.before + 1:,}, where there were {part.sentences:,}; begin anew with another --out"
        )
    return replace(corpus, known_types=source.known_types) if source.judged is None else corpus.only(source.judged)


def labels_alone(source: Source) -> Corpus:
    """A corpus of one made-up sentence with every label that occurs, by which a model is loaded."""
    begun = [tag for tag in source.labels if not tag.startswith("I-")]
    tags = [tag for first in begun for tag in (first, f"I-{first[2:]}") if tag == first or tag in source.labels]
    sentence = Sentence(tuple("x" for _ in tags), tuple(tags))
    return Corpus(source.name, (sentence,), source.scheme, judged=source.judged, known_types=source.known_types)


def sampled(source: Source, parts: Sequence[Part]) -> list[Sentence]:
    """The sentences by whose words the language of the whole corpus is found: as of a corpus read at once."""
    step = max(1, -(-source.sentences // SAMPLE))
    every = chain.from_iterable(part_of(source, part).sentences for part in parts)
    return [sentence for place, sentence in enumerate(every) if place % step == 0]


def _kind_of(spec: str) -> tuple[Path, str]:
    path = located(spec)
    remedy = "expected a CoNLL file, JSON lines or Parquet, not packed, in UTF-8"
    try:
        with path.open("rb") as file:
            begin = file.read(_SNIFFED)
    except OSError as error:
        raise AbaloError(f"{visible(spec)}: cannot be read: {error.strerror or error}; {remedy}") from error
    if begin.startswith(b"PAR1"):
        return path, PARQUET
    if is_packed(begin):
        raise AbaloError(f"{spec}: is packed, so it cannot be read in parts; unpack it first (gunzip)")
    if encoding_of(begin) != "utf-8-sig":
        raise AbaloError(f"{spec}: is not in UTF-8, so it cannot be read in parts; save it as UTF-8")
    text = begin.decode("utf-8", "replace").removeprefix("\ufeff")
    if is_json(text, format_ending(path.name)):
        if text.lstrip().startswith("["):
            raise AbaloError(f"{spec}: is an array, which cannot be read in parts; write an object on each line")
        return path, JSONL
    refuse_conllu(text, spec)
    return path, CONLL


def _text_parts(path: Path, kind: str, size: int) -> Iterator[Part]:
    """Stretches of so many records, or blocks of lines: what is no sentence in them makes a shard smaller."""
    start = stop = before = line = found = 0
    inside = False
    with path.open("rb") as file:
        for text in file:
            stop, line = stop + len(text), line + 1
            blank = not text.strip() or (kind == CONLL and text.startswith(DOCUMENT_START.encode()))
            ended = not blank if kind == JSONL else blank and inside
            inside = not blank
            found += ended
            if ended and found == size:
                yield Part(start, stop, before, size)
                start, before, found = stop, line, 0
    if stop > start:
        yield Part(start, stop, before, found)


def _parquet_parts(path: Path, size: int) -> Iterator[Part]:
    rows = _parquet(path).metadata.num_rows
    for start in range(0, rows, size):
        stop = min(rows, start + size)
        yield Part(start, stop, start, stop - start)


def _drafts(path: Path, kind: str, part: Part, findings: Findings) -> list[Draft]:
    if kind == PARQUET:
        found = (draft_of(row, place, findings) for place, row in enumerate(_rows(path, part), start=1))
        return [draft for draft in found if draft is not None]
    try:
        with path.open("rb") as file:
            file.seek(part.start)
            data = file.read(part.stop - part.start)
    except OSError as error:
        raise AbaloError(f"{path}: cannot be read: {error.strerror or error}; put it back") from error
    text = text_of(data, findings)
    return parse_json(text, findings) if kind == JSONL else parse_conll(text, findings)


def _corpus(name: str, drafts: Sequence[Draft], scheme: Scheme, findings: Findings) -> Corpus:
    tags = [to_bio(draft, scheme, findings) for draft in drafts]
    findings.raise_any()
    sentences = (
        Sentence(tuple(draft.tokens), bio, tuple(draft.spaces or ())) for draft, bio in zip(drafts, tags, strict=True)
    )
    return Corpus(name, tuple(sentences), scheme.name, findings.repairs)


def _rows(path: Path, part: Part) -> Iterator[dict[str, Any]]:
    """The rows of a stretch of a Parquet file as records."""
    table = _parquet(path)
    names = [name for name in ("tokens", "tags", "ner_tags", "spaces") if name in table.schema_arrow.names]
    first = 0
    for group in range(table.num_row_groups):
        rows = table.metadata.row_group(group).num_rows
        if first < part.stop and part.start < first + rows:
            found = table.read_row_group(group, columns=names)
            begin, end = max(0, part.start - first), min(rows, part.stop - first)
            yield from found.slice(begin, end - begin).to_pylist()
        first += rows


def _parquet(path: Path) -> Any:
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise AbaloError(f"{path}: Parquet needs pyarrow: pip install 'abalo[parquet]'") from None
    try:
        return ParquetFile(path)
    except (OSError, ValueError) as error:
        raise AbaloError(f"{path}: no Parquet file that can be read: {error}") from error
