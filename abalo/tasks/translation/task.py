"""The translation task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.core.protocols.corpus_spec import CorpusKind
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.task import Task, edits_text
from abalo.core.records.example import Example, JsonObject
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.fields import Fields
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.verdicts import Bound
from abalo.corpora import parallel
from abalo.corpora.examples import TEXT
from abalo.corpora.parallel import ParallelCorpus, beside, record_of, words_of
from abalo.corpora.writing import writers_of
from abalo.errors import AbaloError
from abalo.models.prompts.template import Prompting, Shot, in_words_or_json
from abalo.models.prompts.translations import TranslationForm
from abalo.models.translators.loading import load as load_model
from abalo.models.translators.predictor import TranslationPredictor
from abalo.models.translators.protocol import TranslationModel
from abalo.models.translators.scoring import check_installed, chrf_of
from abalo.sources.resources import Resources
from abalo.tasks.translation.in_parts import TextsInParts
from abalo.tasks.translation.metrics.scores import LENGTHS, length_of
from abalo.tasks.translation.report import TranslationReport
from abalo.tasks.translation.targets import KeptWords
from perturbations import Perturbation, Perturbed, Pipeline, apply
from perturbations.parallel import follow_edits

_SCHEME = "parallel"
_OTHER_TEXT = ("chat_style", "sentence_order", "token_masking", "word_insertion")
"""Changes that keep labels but require another translation."""


def _unfit(change: Perturbation | Pipeline, _examples: Sequence[Example]) -> str | None:
    if change.relation in ("keeps", _SCHEME):
        return None
    return "a step that changes references too stands beside other steps; make a case of its own of it"


class Translation(Task):
    """Texts with reference translations.

    The uninformed baseline copies the text.
    """

    name = "translation"
    title = "Translation"
    metrics = Registry[Metric]("metric", "abalo.tasks.translation.metrics", "METRICS", several=True)
    views = ("",)
    usual_view = resized_view = ""
    floor = "chrf"
    headline = "chrf_drop_changed"
    probes = ("baseline", "perturbation", "pipeline", "slice", "invariance", "prompt")
    noun = "text"
    group_noun = "length"
    held_noun = "texts"
    corpus_kind = CorpusKind(
        "texts and references: two files with a comma between, a table or JSON with source and reference, TMX, XLIFF",
        parallel.SETTINGS,
    )
    labelled = "texts"
    fields = Fields(unfit=_unfit)
    targets = KeptWords()
    writers = writers_of(record_of)

    def read(self, spec: str, options: RunOptions) -> ParallelCorpus:
        return parallel.load(spec, limit=options.limit)

    def in_parts(self, spec: str, options: RunOptions) -> TextsInParts:
        return TextsInParts(spec)

    def recognises(self, spec: str) -> bool:
        return parallel.recognises(spec)

    def load(self, spec: str | None, options: RunOptions, corpus: ParallelCorpus) -> TranslationModel:
        check_installed()
        if spec is None:
            raise AbaloError("no translation model ships; name one: --abalo-model FOLDER, or module:factory")

        return load_model(spec, options, self._prompting(corpus))

    def _prompting(self, corpus: ParallelCorpus) -> Prompting:
        def shots(name: str) -> list[Shot]:
            read = enumerate(self.read(name, RunOptions()).examples, start=1)
            return [Shot(number, each.sentence.text, each.gold) for number, each in read]

        forms = in_words_or_json(TranslationForm(corpus.direction.codes))
        return Prompting(lambda: forms, shots, lambda: [each.text for each in corpus.sentences])

    def predictor(self, model: Any, corpus: ParallelCorpus, store: Path | None = None) -> TranslationPredictor:
        return TranslationPredictor(model, [each.text for each in corpus.sentences], store)

    def resources(self, corpus: ParallelCorpus, model: Any, options: RunOptions, language: str) -> Resources:
        return Resources(corpus, options.mask_token, language)

    def accepts(self, perturbation: Perturbation) -> bool:
        if perturbation.scheme is not None:
            return perturbation.scheme == _SCHEME
        keeps = perturbation.meaning == perturbation.relation == "keeps" and perturbation.name not in _OTHER_TEXT
        return keeps and edits_text(perturbation)

    def input(self, example: Example) -> str:
        return example.sentence.text

    def carry(self, example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
        made = edits.get(TEXT)
        if made is None:
            return example
        if made.relation == "keeps":
            return replace(example, fields={TEXT: made.sentence})
        if made.relation != _SCHEME:
            return None
        try:
            sides = [(side, follow_edits(example.sentence, made.edits, side)) for side in map(words_of, example.gold)]
        except ValueError:
            return None
        gold = tuple(apply(side, own).sentence.text for side, own in sides)
        return replace(example, fields={TEXT: beside(made.sentence, gold)}, gold=gold)

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        return sorted(LENGTHS) if outcomes else []

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        rows = [[length_of(outcome.example) == group for group in groups] for outcome in outcomes]
        return np.array(rows, dtype=np.int64).reshape(len(outcomes), len(groups))

    def uninformed(self, evidence: Evidence, facts: JsonObject) -> Bound | None:
        copied = [float(facts["copied"][str(place)]) for place in range(len(facts["copied"]))]
        return Bound(self.floor, "min", float(chrf_of(np.array(copied))))

    @cached_property
    def report(self) -> TranslationReport:
        return TranslationReport(self)


TASK = Translation()
