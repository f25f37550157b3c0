"""The reading comprehension task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from abalo.core.protocols.corpus_spec import CorpusKind
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.task import Task, keeps_meaning
from abalo.core.records.example import Example
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.estimates import Measurement
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.fields import Fields
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.verdicts import TOO_FEW_CHANGED, Bound
from abalo.corpora.writing import writers_of
from abalo.models.prompts.answers import AnswerForm
from abalo.models.prompts.template import Prompting, Shot, in_words_or_json
from abalo.models.questions.predictor import ReadingPredictor
from abalo.models.questions.protocol import Answered, Input, ReadingModel
from abalo.models.questions.shared_words import NAME
from abalo.sources.resources import Resources
from abalo.tasks.reading import corpus as corpora
from abalo.tasks.reading.corpus import DEFAULT, Questions, record_of
from abalo.tasks.reading.example import CONTEXT, QUESTION, carry_edits, open_answers, texts
from abalo.tasks.reading.in_parts import QuestionsInParts
from abalo.tasks.reading.loading import load as load_model
from abalo.tasks.reading.metrics.answers import groups_of
from abalo.tasks.reading.report import ReadingReport
from abalo.tasks.reading.targets import AnswerTargets
from abalo.tasks.reading.templates import ReadingTemplates
from perturbations import Perturbation, Perturbed, Pipeline

_CHOICES = {
    CONTEXT: (CONTEXT,),
    QUESTION: (QUESTION,),
    "both": (CONTEXT, QUESTION),
    "inside_answers": (CONTEXT,),
}

_SCHEME = "reading"
_FEWEST_QUESTIONS = 50
_NEVER_NONE = (
    "no question of the corpus is without an answer, and the model gives no score for there being none; if it can say "
    "so, name the corpus with ?no_answer=true"
)
_OF_QUESTIONS = ("perturb_question", "no_question_mark")


def _usual(change: Perturbation | Pipeline) -> str:
    return QUESTION if change.name in _OF_QUESTIONS else CONTEXT


def _answered(examples: Sequence[Example], clean: Sequence[Answered]) -> Sequence[Example]:
    if not any(each.null is not None for each in clean):
        return examples
    return [replace(each, source=replace(each.source, droppable=True)) for each in examples]


def _unfit(change: Perturbation | Pipeline, examples: Sequence[Example]) -> str | None:
    loses = isinstance(change, Perturbation) and change.relation == "loses"
    return _NEVER_NONE if loses and not any(each.source.droppable for each in examples) else None


class ReadingComprehension(Task):
    """A passage and a question, with gold answers in the passage, or none."""

    name = "reading"
    title = "Reading comprehension"
    metrics = Registry[Metric]("metric", "abalo.tasks.reading.metrics", "METRICS", several=True)
    views = ("",)
    usual_view = resized_view = ""
    floor = "f1"
    headline = "f1_drop_changed"
    probes = ("baseline", "perturbation", "pipeline", "slice", "attack", "invariance", "prompt")
    noun = "question"
    group_noun = "kind of question"
    held_noun = "questions"
    default_corpus = DEFAULT
    corpus_kind = CorpusKind(
        "JSON of SQuAD, or JSON lines with a context, a question and its answers", corpora.SETTINGS
    )
    labelled = "places"
    fields = Fields(_CHOICES, _usual, open_answers, _answered, _unfit, fewest_clusters=20, cluster_noun="passage")
    targets = AnswerTargets()
    templates = ReadingTemplates()
    writers = writers_of(record_of, tables=False)

    def read(self, spec: str, options: RunOptions) -> Questions:
        return corpora.load(spec, limit=options.limit)

    def in_parts(self, spec: str, options: RunOptions) -> QuestionsInParts:
        return QuestionsInParts(spec)

    def recognises(self, spec: str) -> bool:
        return corpora.recognises(spec)

    def load(self, spec: str | None, options: RunOptions, corpus: Questions) -> ReadingModel:
        def shots(name: str) -> list[Shot]:
            read = enumerate(self.read(name, RunOptions()).examples, start=1)
            return [Shot(number, texts(each), each.gold) for number, each in read]

        forms = in_words_or_json(AnswerForm())
        prompting = Prompting(lambda: forms, shots, lambda: [texts(each) for each in corpus.examples])
        return load_model(spec, options, corpus.rules, prompting)

    def predictor(self, model: ReadingModel, corpus: Questions, store: Path | None = None) -> ReadingPredictor:
        return ReadingPredictor(model, [texts(each) for each in corpus.examples], store)

    def resources(self, corpus: Questions, model: ReadingModel, options: RunOptions, language: str) -> Resources:
        return Resources(corpus, options.mask_token or getattr(model, "mask_token", None), language)

    def accepts(self, perturbation: Perturbation) -> bool:
        return keeps_meaning(perturbation) if perturbation.scheme is None else perturbation.scheme == _SCHEME

    def input(self, example: Example) -> Input:
        return texts(example)

    def carry(self, example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
        return carry_edits(example, edits)

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        return sorted({group for outcome in outcomes for group in groups_of(outcome.example)})

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        rows = [[group in groups_of(outcome.example) for group in groups] for outcome in outcomes]
        return np.array(rows, dtype=np.int64).reshape(len(outcomes), len(groups))

    def undecidable(self, bound: Bound, measurement: Measurement, evidence: Evidence, where: str) -> str | None:
        if (reason := super().undecidable(bound, measurement, evidence, where)) is not None:
            return reason
        changed_only = self.metrics()[bound.metric].changed_only
        counted = evidence.only(evidence.changed) if changed_only else evidence
        questions, passages = len(np.unique(counted.ids)), counted.distinct
        if bound.type is None and questions < _FEWEST_QUESTIONS:
            few = TOO_FEW_CHANGED if changed_only else f"fewer than {_FEWEST_QUESTIONS} distinct questions"
            return f"{few} ({questions})"
        if bound.type is None and passages < self.fields.fewest_clusters:
            return f"fewer than {self.fields.fewest_clusters} passages ({passages})"
        return None

    @cached_property
    def report(self) -> ReadingReport:
        return ReadingReport(self, f"the bundled reader, {NAME}")


TASK = ReadingComprehension()
