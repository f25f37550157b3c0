"""Corpora of documents with clusters."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from abalo.core.protocols.corpus_spec import CorpusSetting, CorpusSpec, chosen, source_in, switch
from abalo.core.records.example import Example
from abalo.core.records.words import count
from abalo.corpora import Corpus
from abalo.corpora.coreference import holds_clusters, holds_tags, parse
from abalo.corpora.examples import TEXT
from abalo.corpora.files import read_text
from abalo.corpora.findings import LENIENT, Findings, is_lenient
from abalo.corpora.loading import BUNDLED, file_of, files_that_ship
from abalo.corpora.peek import beginning
from abalo.corpora.unpacking import format_ending
from abalo.errors import AbaloError
from abalo.models.coreference.scoring import USUAL, ClusterRules, gold_clusters
from perturbations import Sentence, sentence_id
from perturbations.documents import mentions_of, sentences_of, windows

DEFAULT = "bundled:coreference-en"

IntervalUnit = Literal["document", "window"]

_FILE = "documents.jsonl"
_WINDOW, _UNIT, _SINGLETONS = "window", "unit", "singletons"

SETTINGS = (
    CorpusSetting(
        _WINDOW,
        "sentences to read at a time",
        "NUMBER",
        read=lambda text: int(text) if re.fullmatch("[1-9][0-9]{0,5}", text) else None,
        expected="how many sentences a window has, such as 20",
    ),
    chosen(_UNIT, "unit of the intervals", get_args(IntervalUnit)),
    switch(_SINGLETONS, "whether clusters of one mention count; if not given, they do if the corpus has some"),
    LENIENT,
)


@dataclass(frozen=True, slots=True)
class Documents(Corpus):
    """Documents, or windows of ``window`` sentences (0: whole documents).

    ``units`` names the text that each is resampled with. ``cut`` counts clusters that windows split.
    """

    units: tuple[str, ...] = ()
    window: int = 0
    unit: IntervalUnit = "document"
    cut: int = 0
    rules: ClusterRules = USUAL

    @property
    def examples(self) -> tuple[Example, ...]:
        return tuple(
            Example(sentence_id(each), {TEXT: each}, unit, source=self.rules)
            for each, unit in zip(self.sentences, self.units, strict=True)
        )

    @property
    def head(self) -> bytes:
        return ascii((self.rules, self.unit)).encode()

    @property
    def sizes(self) -> dict[str, int]:
        """Numbers of mentions, clusters and singletons."""
        clusters = [Counter(span.type for span in mentions_of(each)) for each in self.sentences]
        return {
            "mentions": sum(each.total() for each in clusters),
            "clusters": sum(map(len, clusters)),
            "singletons": sum(number == 1 for each in clusters for number in each.values()),
        }

    def hashed(self) -> Iterator[bytes]:
        for each in self.sentences:
            clusters = sorted(map(sorted, gold_clusters(each).values()))
            yield ascii((each.tokens, each.spaces, sentences_of(each), clusters)).encode()

    def first(self, limit: int | None) -> Documents:
        return replace(self, sentences=self.sentences[:limit], units=self.units[:limit])

    def chosen(self, places: Sequence[int]) -> Documents:
        sentences = tuple(self.sentences[place] for place in places)
        return replace(self, sentences=sentences, units=tuple(self.units[place] for place in places))


def load(spec: str, *, limit: int | None = None) -> Documents:
    """The first ``limit`` documents in CoNLL-2012 columns, CorefUD or JSON lines.

    ``?window=20`` reads 20 sentences at a time; ``unit=window`` resamples windows. ``singletons`` says whether
    clusters of one mention count. AbaloError lists all problems of the file.
    """
    if limit is not None and limit < 1:
        raise AbaloError(f"--abalo-limit {limit}: expected at least 1 document")
    asked = CorpusSpec.read(spec, SETTINGS)
    if asked.settings.get(_UNIT) == "window" and _WINDOW not in asked.settings:
        raise AbaloError(f"{spec}: {_UNIT}=window needs windows; add {_WINDOW}=20")
    path = file_of(asked.source, bundled_names())
    findings = Findings(str(path), is_lenient(spec))
    text = read_text(path, findings)
    documents = parse(text, findings, suffix=format_ending(str(path)))
    findings.raise_any()
    if holds_tags(text):
        findings.notices.append("Parts of speech are in the file, too: --abalo-task pos judges them.")
    return _corpus_of(spec, documents, asked.settings, findings).first(limit)


def _corpus_of(name: str, documents: Sequence[Sentence], asked: Mapping[str, Any], findings: Findings) -> Documents:
    window: int = asked.get(_WINDOW, 0)
    unit: IntervalUnit = asked.get(_UNIT, "document")
    texts: list[Sentence] = []
    units: list[str] = []
    cut = 0
    for document in documents:
        parts = windows(document, window) if window else [document]
        cut += sum(len(parts) > 1 for parts in _parts_by_cluster(document, window).values())
        texts += parts
        units += [sentence_id(each if unit == "window" else document) for each in parts]
    notices = list(findings.notices)
    if window:
        lost = f"; they cut {count(cut, 'cluster')}" if cut else ""
        apart = "windows of one document are one unit of the intervals, so windows help no bound and no comparison"
        counted = "intervals take windows as independent, which those of one document are not"
        notices.append(
            f"Documents are read in windows of {count(window, 'sentence')}{lost}; "
            f"{counted if unit == 'window' else apart}."
        )
    made = Documents(
        name,
        tuple(texts),
        scheme="clusters",
        repairs=findings.repairs,
        notices=(*notices, *findings.tally.lines()),
        tally=findings.tally,
        units=tuple(units),
        window=window,
        unit=unit,
        cut=cut,
    )
    return replace(made, rules=ClusterRules(asked.get(_SINGLETONS, made.sizes["singletons"] > 0)))


def _parts_by_cluster(document: Sentence, window: int) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    starts = [start for start, _ in sentences_of(document)][:: window or None]
    for span in mentions_of(document):
        found.setdefault(span.type, set()).add(bisect_right(starts, span.start))
    return found


def bundled_names() -> dict[str, Path]:
    """Bundled corpora by name."""
    return files_that_ship(_FILE)


def recognises(spec: str) -> bool:
    """True for bundled corpora and files with clusters."""
    file = source_in(spec)
    if file.startswith(BUNDLED):
        return file.removeprefix(BUNDLED) in bundled_names()
    return holds_clusters(beginning(file), format_ending(file))
