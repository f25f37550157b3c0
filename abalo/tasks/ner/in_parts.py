"""Named-entity corpora, read in parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from abalo.core.documents.parts import Source
from abalo.core.protocols.corpus_spec import CorpusSpec
from abalo.corpora import Corpus
from abalo.corpora.chunks import Chunk
from abalo.corpora.conll import ColumnFile, parse_conll
from abalo.corpora.findings import Findings
from abalo.corpora.foreign import refuse_conllu
from abalo.corpora.forms import form_called
from abalo.corpora.in_parts import FileInParts
from abalo.corpora.loading import (
    COLUMNS,
    SETTINGS,
    as_scheme,
    bundled_names,
    find_form,
    odd_words,
    source_of,
    tally_entities,
    with_names,
)
from abalo.corpora.records import TAG_KEYS, drafts_of
from abalo.corpora.schemes import SCHEME, SCHEMES, to_bio
from abalo.corpora.token_columns import TAGS, TOKENS
from abalo.corpora.types import check_types
from perturbations import Sentence


class EntitiesInParts(FileInParts[Corpus]):
    """Columns, JSON lines or Parquet. The first part decides the tagging scheme unless the spec does.

    ``types`` are judged (None: all); AbaloError if the corpus lacks one.
    """

    def __init__(self, spec: str, types: Sequence[str] | None) -> None:
        asked = CorpusSpec.read(spec, SETTINGS)
        self._asked, self._scheme = asked.among(COLUMNS), asked.settings.get(SCHEME.name)
        super().__init__(spec, source_of(asked.source, bundled_names()), ("blocks", "lines", "rows"))
        self._types = types
        self._counts: Counter[str] = Counter()
        self._decided: dict[str, object] = {}

    def parsed(self, chunk: Chunk, settled: Mapping[str, Any]) -> Corpus:
        findings = chunk.findings(self.spec)
        read = _read(chunk, findings, settled.get("columns", self._asked))
        written = form_called(settled["form"]) if settled.get("form") else find_form(read.drafts)
        given = SCHEMES[settled[SCHEME.name].lower()] if settled else self._scheme
        drafts, scheme, told = as_scheme(read.drafts, written, given, self.spec)
        part = "" if chunk.kind == "blocks" else " So the first part."
        notices = (*(f"{each}{part}" for each in findings.notices), *odd_words(read.drafts, self.spec), *told)
        self._decided = {"columns": dict(read.columns), "form": "" if written is None else written.name}
        drafts = with_names(drafts, findings)
        tags = [to_bio(draft, scheme, findings) for draft in drafts]
        findings.raise_any()
        sentences = tuple(
            Sentence(tuple(draft.tokens), bio, tuple(draft.spaces or ()))
            for draft, bio in zip(drafts, tags, strict=True)
        )
        said = tuple(settled.get("notices", notices))
        tally_entities(sentences, findings)
        said = (*said, *findings.tally.lines())
        corpus = Corpus(self.spec, sentences, scheme.name, findings.repairs, notices=said, tally=findings.tally)
        return corpus if self._types is None else corpus.only(self._types)

    def settled_by(self, corpus: Corpus) -> dict[str, object]:
        return {SCHEME.name: corpus.scheme, "notices": _without_tally(corpus), **self._decided}

    def taken(self, corpus: Corpus) -> None:
        self._counts.update({**corpus.entity_counts, **corpus.left_out})

    def settled_at_the_end(self) -> dict[str, object]:
        known = sorted(self._counts)
        if self._types is None:
            return {"known_types": known, "left_out": {}}
        check_types(self._types, tuple(known), self.spec)
        left_out = {name: self._counts[name] for name in known if name not in self._types}
        return {"known_types": sorted(self._types), "left_out": left_out}

    def labels_of(self, corpus: Corpus) -> Iterable[str]:
        return {tag for sentence in corpus.sentences for tag in sentence.tags or ()}

    def as_part(self, corpus: Corpus, source: Source) -> Corpus:
        return replace(corpus, known_types=tuple(source.settled["known_types"]))

    def labels_alone(self, source: Source) -> Corpus:
        begun = [tag for tag in source.labels if not tag.startswith("I-")]
        tags = [tag for first in begun for tag in (first, f"I-{first[2:]}") if tag == first or tag in source.labels]
        sentence = Sentence(tuple("x" for _ in tags), tuple(tags))
        judged = None if self._types is None else tuple(self._types)
        left_out = source.settled["left_out"]
        made = Corpus(source.name, (sentence,), source.settled[SCHEME.name], judged=judged, left_out=left_out)
        return self.as_part(made, source)


def _without_tally(corpus: Corpus) -> list[str]:
    return [each for each in corpus.notices if each not in corpus.tally.lines()]


def _read(chunk: Chunk, findings: Findings, asked: Mapping[str, str]) -> ColumnFile:
    if chunk.kind == "blocks":
        text = chunk.text(findings)
        if not asked:
            refuse_conllu(text, findings.source)
        return parse_conll(text, findings, asked)
    wanted = (asked.get(TOKENS, TOKENS), *([asked[TAGS]] if TAGS in asked else TAG_KEYS), "spaces")
    records = chunk.records(findings, columns=wanted)
    return ColumnFile(drafts_of(records, findings, asked), asked)
