"""The coreference task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from abalo.core.protocols.corpus_spec import CorpusKind
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.task import Task, keeps_meaning
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import Metric
from abalo.corpora.coreference import WRITERS
from abalo.models.coreference.loading import load as load_model
from abalo.models.coreference.predictor import CoreferencePredictor
from abalo.models.coreference.protocol import CoreferenceModel
from abalo.sources.resources import Resources
from abalo.tasks.coreference import corpus as corpora
from abalo.tasks.coreference.corpus import DEFAULT, Documents
from abalo.tasks.coreference.metrics.clusters import SIZES, links_of, size_of
from abalo.tasks.coreference.report import CoreferenceReport
from perturbations import Perturbation

_SCHEME = "documents"


class CoreferenceTask(Task):
    """Documents with clusters of mentions."""

    name = "coreference"
    title = "Coreference"
    metrics = Registry[Metric]("metric", "abalo.tasks.coreference.metrics", "METRICS", several=True)
    views = ("",)
    usual_view = resized_view = ""
    floor = "conll_f1"
    headline = "conll_f1_drop_changed"
    probes = ("baseline", "perturbation", "pipeline", "slice")
    noun = "document"
    group_noun = "size of cluster"
    held_noun = "clusters of two mentions or more"
    labelled = "places"
    default_corpus = DEFAULT
    corpus_kind = CorpusKind(
        "columns of CoNLL-2012, CoNLL-U with Entity=, or JSON lines with sentences and clusters", corpora.SETTINGS
    )
    writers = WRITERS

    def read(self, spec: str, options: RunOptions) -> Documents:
        return corpora.load(spec, limit=options.limit)

    def recognises(self, spec: str) -> bool:
        return corpora.recognises(spec)

    def load(self, spec: str | None, options: RunOptions, corpus: Documents) -> CoreferenceModel:
        return load_model(spec, options)

    def predictor(self, model: CoreferenceModel, corpus: Documents, store: Path | None = None) -> CoreferencePredictor:
        return CoreferencePredictor(model, corpus.sentences, store)

    def resources(self, corpus: Documents, model: CoreferenceModel, options: RunOptions, language: str) -> Resources:
        return Resources(corpus, options.mask_token, language)

    def accepts(self, perturbation: Perturbation) -> bool:
        return keeps_meaning(perturbation) if perturbation.scheme is None else perturbation.scheme == _SCHEME

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        return [*SIZES[1:]] if outcomes else []

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        clean = [replace(outcome, variant=None, prediction=outcome.clean) for outcome in outcomes]
        counts = [Counter(size_of(link.size) for link in links_of(outcome)) for outcome in clean]
        rows = [[each[group] for group in groups] for each in counts]
        return np.array(rows, dtype=np.int64).reshape(len(outcomes), len(groups))

    @cached_property
    def report(self) -> CoreferenceReport:
        return CoreferenceReport(self, "the bundled rules")


TASK = CoreferenceTask()
