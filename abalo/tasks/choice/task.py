"""The multiple-choice task."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from abalo.bundled import QUESTIONS
from abalo.core.documents.rewording import Rewordings
from abalo.core.protocols.corpus_spec import CorpusKind, CorpusSpec, source_in
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.task import Task
from abalo.core.records.example import Example, JsonObject, Variant
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.estimates import Measurement
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import Bound
from abalo.corpora.loading import BUNDLED
from abalo.corpora.peek import beginning, first_record
from abalo.corpora.unpacking import format_ending
from abalo.models.prompts.template import Prompting, Shot, in_words_or_json
from abalo.questions import shapes
from abalo.questions.answers import ORIG
from abalo.questions.question import Prompt
from abalo.questions.replies import variant_id
from abalo.tasks.choice.blocks import finding
from abalo.tasks.choice.corpus import WRITERS, Questionnaire
from abalo.tasks.choice.files import bundled_names, load_noticing
from abalo.tasks.choice.models.black_box import OVERLAP
from abalo.tasks.choice.models.loading import load as load_model
from abalo.tasks.choice.models.prompted import QuestionForm
from abalo.tasks.choice.models.protocol import ChoiceModel
from abalo.tasks.choice.predictor import AnswerPredictor
from abalo.tasks.choice.report import QuestionReport, put
from abalo.tasks.choice.rewordings import REWORDINGS, QuestionSettings, carry_edits, prompt
from abalo.tasks.choice.templates import QuestionTemplates
from perturbations import Perturbation


class MultipleChoice(Task):
    """Questions with options, reworded by fixed lists instead of perturbations."""

    name = "choice"
    title = "Multiple-choice questions"
    metrics = Registry[Metric]("metric", "abalo.tasks.choice.metrics", "METRICS", several=True)
    views = ("",)
    usual_view = ""
    resized_view = ""
    floor = "accuracy"
    headline = "fragility_score"
    probes = (BASELINE, "rewording", "prompt")
    noun = "question"
    group_noun = "variant"
    held_noun = "answers"
    default_corpus = QUESTIONS
    corpus_kind = CorpusKind('JSON lines with a "question", or a table with question, A, B and so on, and answer')
    rewordings = Rewordings(
        QuestionSettings,
        prompt,
        REWORDINGS,
        (ORIG,),
        repeated=lambda question: Variant(question, {}),
        finding=finding,
    )
    templates = QuestionTemplates()
    writers = WRITERS

    def read(self, spec: str, options: RunOptions) -> Questionnaire:
        return Questionnaire(
            spec, *load_noticing(CorpusSpec.read(spec, self.corpus_kind.settings).source, limit=options.limit)
        )

    def recognises(self, spec: str) -> bool:
        file = source_in(spec)
        if file.startswith(BUNDLED):
            return file.removeprefix(BUNDLED) in bundled_names()
        if format_ending(file) in shapes.ENDINGS:
            return shapes.is_table(beginning(file))
        return shapes.is_question(dict.fromkeys(first_record(file)))

    def load(self, spec: str | None, options: RunOptions, corpus: Questionnaire) -> ChoiceModel:
        logs = options.reports / "inspect" if options.with_text else None
        return load_model(OVERLAP if spec is None else spec, options, logs, self._prompting(corpus))

    def _prompting(self, corpus: Questionnaire) -> Prompting:
        def shots(name: str) -> list[Shot]:
            read = enumerate(self.read(name, RunOptions()).examples, start=1)
            return [Shot(number, self.input(each), each.gold) for number, each in read]

        forms = in_words_or_json(QuestionForm())
        return Prompting(lambda: forms, shots, lambda: [self.input(example) for example in corpus.examples])

    def predictor(self, model: ChoiceModel, corpus: Questionnaire, store: Path | None = None) -> AnswerPredictor:
        return AnswerPredictor(model, [self.input(example) for example in corpus.examples], store)

    # Variants ---------------------------------------------------------------------------------------------------------

    def accepts(self, perturbation: Perturbation) -> bool:
        return False

    def input(self, example: Example) -> Prompt:
        return prompt(example, BASELINE, QuestionSettings())

    carry = staticmethod(carry_edits)

    # Counting ---------------------------------------------------------------------------------------------------------

    groups = staticmethod(put)

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        put = [variant_id(outcome) == group for outcome in outcomes for group in groups]
        return np.array(put, dtype=np.int64).reshape(len(outcomes), len(groups))

    def uninformed(self, evidence: Evidence, facts: JsonObject) -> Bound | None:
        return Bound(self.floor, "min", facts["chance"])

    def undecidable(self, bound: Bound, measurement: Measurement, evidence: Evidence, where: str) -> str | None:
        if bound.type is not None and not measurement.support.get(bound.type):
            return f"no question was asked as {bound.type}"
        if not any(measurement.support.values()):
            return super().undecidable(bound, measurement, evidence, where)
        if self.metrics()[bound.metric].compares:
            if not evidence.changed.any():
                return "no question could be asked in another way"
            if ORIG in evidence.groups:
                right, missing = _of_originals(evidence)
                if missing.all():
                    return "no original was answered, so no answer could change"
                if bound.metric == "delta_accuracy" and not right.any():
                    return "no original was answered correctly, so nothing can be lost"
        return None

    @cached_property
    def report(self) -> QuestionReport:
        return QuestionReport(self)


def _of_originals(evidence: Evidence) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    (table,) = evidence.tables.values()
    own = table["answer_counts"][evidence.held[:, evidence.groups.index(ORIG)] > 0, 1 + evidence.groups.index(ORIG)]
    return own[:, 0] > 0, own[:, 2] > 0


TASK = MultipleChoice()
