"""Corpora of named entities, read part after part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from abalo.core.parts import Source
from abalo.corpora import Corpus
from abalo.corpora.conll import parse_conll
from abalo.corpora.drafts import Draft
from abalo.corpora.findings import Findings
from abalo.corpora.foreign import refuse_conllu
from abalo.corpora.in_parts import FileInParts
from abalo.corpora.loading import data_set, guessed, located
from abalo.corpora.records import TAG_KEYS, drafts_of
from abalo.corpora.schemes import IOB1, detect, lacks_beginnings, scheme_called, to_bio
from abalo.corpora.stretches import Stretch
from abalo.corpora.types import check_types
from perturbations import Sentence


class EntitiesInParts(FileInParts[Corpus]):
    """Columns, JSON lines or Parquet. The first part tells the tagging scheme, unless ``scheme`` does.

    Only entities of the ``types`` are judged, all for None.
    """

    kinds = ("blocks", "lines", "rows")

    def __init__(self, spec: str, *, lenient: bool, scheme: str | None, types: Sequence[str] | None) -> None:
        super().__init__(spec, data_set(spec) or located(spec), lenient=lenient)
        self._scheme, self._types = scheme, types
        self._counts: Counter[str] = Counter()

    def parsed(self, stretch: Stretch, settled: Mapping[str, Any]) -> Corpus:
        """The sentences of a stretch, their tags in BIO."""
        findings = stretch.findings(self.spec, lenient=self.lenient)
        drafts = _drafts(stretch, findings)
        given = settled.get("scheme", self._scheme)
        scheme = detect(drafts) if given is None else scheme_called(given)
        notices = (guessed(self.spec),) if given is None and scheme is IOB1 and lacks_beginnings(drafts) else ()
        tags = [to_bio(draft, scheme, findings) for draft in drafts]
        findings.raise_any()
        sentences = tuple(
            Sentence(tuple(draft.tokens), bio, tuple(draft.spaces or ()))
            for draft, bio in zip(drafts, tags, strict=True)
        )
        told = tuple(settled.get("notices", (*notices, *(f"{each} So the first part." for each in findings.notices))))
        corpus = Corpus(self.spec, sentences, scheme.name, findings.repairs, notices=told)
        return corpus if self._types is None else corpus.only(self._types)

    def settled_by(self, corpus: Corpus) -> dict[str, Any]:
        """The scheme, and what is to be said of it."""
        return {"scheme": corpus.scheme, "notices": list(corpus.notices)}

    def taken(self, corpus: Corpus) -> None:
        """Counts entities by type."""
        self._counts.update({**corpus.entity_counts, **corpus.left_out})

    def settled_at_the_end(self) -> dict[str, Any]:
        """The entity types of the whole corpus; raises `AbaloError` for types asked for that it has not."""
        known = sorted(self._counts)
        if self._types is None:
            return {"known_types": known, "left_out": {}}
        check_types(self._types, tuple(known), self.spec)
        left_out = {name: self._counts[name] for name in known if name not in self._types}
        return {"known_types": sorted(self._types), "left_out": left_out}

    def labels_of(self, corpus: Corpus) -> Iterable[str]:
        """The tags."""
        return {tag for sentence in corpus.sentences for tag in sentence.tags or ()}

    def as_part(self, corpus: Corpus, source: Source) -> Corpus:
        """With the entity types of the whole."""
        return replace(corpus, known_types=tuple(source.settled["known_types"]))

    def labels_alone(self, source: Source) -> Corpus:
        """One sentence with every tag."""
        begun = [tag for tag in source.labels if not tag.startswith("I-")]
        tags = [tag for first in begun for tag in (first, f"I-{first[2:]}") if tag == first or tag in source.labels]
        sentence = Sentence(tuple("x" for _ in tags), tuple(tags))
        judged = None if self._types is None else tuple(self._types)
        left_out = source.settled["left_out"]
        made = Corpus(source.name, (sentence,), source.settled["scheme"], judged=judged, left_out=left_out)
        return self.as_part(made, source)


def _drafts(stretch: Stretch, findings: Findings) -> list[Draft]:
    if stretch.kind == "blocks":
        text = stretch.text(findings)
        refuse_conllu(text, findings.source)
        return parse_conll(text, findings)
    records = stretch.records(findings, columns=("tokens", *TAG_KEYS, "spaces"))
    return drafts_of(records, findings)
