"""The dependency parsing task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from abalo.core.protocols.corpus_spec import CorpusKind, source_in
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.subject import Subject
from abalo.core.protocols.task import Task
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.plan import AnyBoundCase
from abalo.core.statistics.verdicts import Bound
from abalo.corpora.conllu_writing import WRITERS
from abalo.corpora.loading import BUNDLED
from abalo.models.parsers.loading import load as load_model
from abalo.models.parsers.predictor import ParsePredictor
from abalo.models.parsers.protocol import ParsingModel
from abalo.sources.resources import Resources
from abalo.tasks.parsing import corpus as corpora
from abalo.tasks.parsing.corpus import DEFAULT, SETTINGS, Trees
from abalo.tasks.parsing.in_parts import TreesInParts
from abalo.tasks.parsing.metrics.arcs import sentence_now
from abalo.tasks.parsing.report import ParsingReport
from perturbations import Perturbation
from perturbations.suggestions import did_you_mean

_SCHEMES = (None, "upos", "heads")


class DependencyParsing(Task):
    """The head and relation of each word."""

    name = "parsing"
    title = "Dependency parsing"
    metrics = Registry[Metric]("metric", "abalo.tasks.parsing.metrics", "METRICS", several=True)
    views = ("",)
    usual_view = resized_view = ""
    floor = "las"
    headline = "las_drop_changed"
    probes = ("baseline", "perturbation", "pipeline", "slice")
    group_noun = "relation"
    held_noun = "words with a head"
    labelled = "arcs"
    default_corpus = DEFAULT
    corpus_kind = CorpusKind("CoNLL-U or CoNLL-X with heads", SETTINGS)
    writers = WRITERS

    def read(self, spec: str, options: RunOptions) -> Trees:
        return corpora.load(spec, limit=options.limit)

    def in_parts(self, spec: str, options: RunOptions) -> TreesInParts:
        return TreesInParts(spec)

    def recognises(self, spec: str) -> bool:
        return source_in(spec) in map(BUNDLED.__add__, corpora.bundled_names())

    def load(self, spec: str | None, options: RunOptions, corpus: Trees) -> ParsingModel:
        return load_model(spec, options)

    def predictor(self, model: ParsingModel, corpus: Trees, store: Path | None = None) -> ParsePredictor:
        return ParsePredictor(model, corpus.sentences, store)

    def resources(self, corpus: Trees, model: ParsingModel, options: RunOptions, language: str) -> Resources:
        return Resources(corpus, options.mask_token, language)

    def accepts(self, perturbation: Perturbation) -> bool:
        return perturbation.level not in ("entity", "target") and perturbation.scheme in _SCHEMES

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        shown = [(each.example.source, each.sentence, sentence_now(each)) for each in outcomes]
        return sorted({own for rules, *both in shown for sentence in both for own in rules.relations(sentence)})

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        counts = [Counter(outcome.example.source.relations(outcome.sentence)) for outcome in outcomes]
        rows = [[each[group] for group in groups] for each in counts]
        return np.array(rows, dtype=np.int64).reshape(len(outcomes), len(groups))

    def check(self, cases: Iterable[AnyBoundCase], subject: Subject) -> Iterable[tuple[AnyBoundCase, Bound, str]]:
        known = subject.corpus.types
        for case in cases:
            for bound in case.bounds:
                if bound.type is not None and bound.type not in known:
                    there = f"{did_you_mean(bound.type, known)}; there are {', '.join(known)}"
                    yield case, bound, f"no relation {bound.type!r} in the corpus{there}"

    @cached_property
    def report(self) -> ParsingReport:
        return ParsingReport(self, "the bundled parser")


TASK = DependencyParsing()
