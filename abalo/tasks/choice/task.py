"""The task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from abalo.bundled import QUESTIONS
from abalo.core.case import BASELINE
from abalo.core.evidence import Evidence
from abalo.core.example import Example, Json, Outcome, Variant
from abalo.core.filling import Filled, Filling
from abalo.core.gate import SEVERAL, UNDETERMINED
from abalo.core.metrics import Metric
from abalo.core.numbers import estimate_of, number_of
from abalo.core.registry import Registry
from abalo.core.session import Session
from abalo.core.statistics import Measurement
from abalo.core.task import Corpus, Task
from abalo.core.verdicts import Bound
from abalo.corpora.peek import beginning, first_record
from abalo.corpora.unpacking import format_ending
from abalo.tasks.choice import blocks as report
from abalo.tasks.choice import shapes, templates
from abalo.tasks.choice.answers import ORIG
from abalo.tasks.choice.audit import audited
from abalo.tasks.choice.corpus import OPTIONS, QUESTION, Questionnaire
from abalo.tasks.choice.files import BUNDLED, bundled_names, load_noticing
from abalo.tasks.choice.mcnemar import McNemar, corrected, mcnemar
from abalo.tasks.choice.metrics.answers import original_of, reply_of, variant_id
from abalo.tasks.choice.models.black_box import OVERLAP
from abalo.tasks.choice.models.loading import load as load_model
from abalo.tasks.choice.models.protocol import ChoiceModel, Picked
from abalo.tasks.choice.places import mean_shares
from abalo.tasks.choice.predictor import AnswerPredictor
from abalo.tasks.choice.question import LETTERS, Prompt, in_order, reorders
from abalo.tasks.choice.replies import AnswerSet
from abalo.tasks.choice.rewordings import REWORDINGS, Settings, carried, prompt
from perturbations import Perturbation
from perturbations.function_words import language_of
from perturbations.suggestions import did_you_mean


class MultipleChoice(Task):
    """Multiple-choice questions: a question, its options, and the place of the right one."""

    name = "choice"
    title = "Multiple-choice questions"
    metrics = Registry[Metric]("metric", "abalo.tasks.choice.metrics", "METRICS", several=True)
    views = ("",)
    usual_view = ""
    resized_view = ""
    floor = "accuracy"
    headline = "fragility_score"
    probes = (BASELINE, "rewording")
    noun = "question"
    group_noun = "variant"
    held_noun = "answers"
    corpus_option = "questions"
    model_option = "choice_model"
    default_corpus = QUESTIONS
    corpus_kind = 'JSON lines with a "question", or a table with question, A, B and so on, and answer'
    showing = Settings
    tabled = True
    shipped = OVERLAP
    rewordings = REWORDINGS
    clean_groups = (ORIG,)
    template_fields = templates.FIELDS
    labels_whole = True
    result_fields: ClassVar[Mapping[str, Any]] = {"questions": None}

    def read(self, spec: str, options: Any) -> Questionnaire:
        """A file of JSON or a table, or questions that ship."""
        return Questionnaire(spec, *load_noticing(spec, limit=options.limit))

    def recognises(self, spec: str) -> bool:
        """Questions that ship, or records or rows that have a question."""
        if spec.startswith(BUNDLED):
            return spec.removeprefix(BUNDLED) in bundled_names()
        if format_ending(spec) in shapes.ENDINGS:
            return shapes.is_table(beginning(spec))
        return shapes.is_question(dict.fromkeys(first_record(spec)))

    def language(self, corpus: Corpus) -> str:
        """The one that all questions name, `SEVERAL` where they name different ones; else that of their words."""
        named = {example.source.language for example in corpus.examples}
        if not named or None in named:
            return language_of([example.fields[QUESTION] for example in corpus.examples]) or UNDETERMINED
        return SEVERAL if len(named) > 1 else str(*named)

    def load(self, spec: str | None, options: Any, corpus: Questionnaire) -> ChoiceModel:
        """A callable, a model of Inspect, or the baseline that ships."""
        logs = options.reports / "inspect" if options.with_text else None
        return load_model(OVERLAP if spec is None else spec, options.choice_args, logs, options.model_version)

    def is_bundled(self, options: Any) -> bool:
        """Whether the baseline answers."""
        return getattr(options, self.model_option, None) in (None, OVERLAP)

    def predictor(self, model: ChoiceModel, corpus: Questionnaire, store: Path | None = None) -> AnswerPredictor:
        """The model with the questions as they are."""
        return AnswerPredictor(model, [self.input(example) for example in corpus.examples], store)

    # Variants ---------------------------------------------------------------------------------------------------------

    def accepts(self, perturbation: Perturbation) -> bool:
        """None: questions are reworded by fixed lists."""
        return False

    def input(self, example: Example) -> Prompt:
        """The question as it is, under the usual seed."""
        return self.shown(example, BASELINE, Settings(), None)

    shown = staticmethod(prompt)
    carry = staticmethod(carried)

    # Capabilities -----------------------------------------------------------------------------------------------------

    fault = staticmethod(templates.fault)
    said = staticmethod(templates.said)

    def swapped(self, example: Example, key: str, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
        """The question with the other text everywhere, in its options too."""
        return templates.swapped(example, old, new)

    def foreign(self, fillings: Iterable[Filling], labels: Collection[str], session: Session) -> str:
        """They expect answers that are no options."""
        options = {text for each in fillings for text in each.example.fields[OPTIONS].tokens}
        unknown = sorted({*labels} - options)
        return f"no question has an option {unknown[0]!r}{did_you_mean(unknown[0], sorted(options))}" if unknown else ""

    def written(self, filled: Mapping[str, Filled | Sequence[Filled]], corpus: Any) -> Filling:
        """The question with its options and the right one."""
        return templates.written(filled)

    def differing(
        self, before: Filling, first: Picked, after: Filling, second: Picked, free: Collection[str] = ()
    ) -> str:
        """Both answers, where they are not the same."""
        return templates.differing(before, first, after, second)

    def predicted(self, filling: Filling, prediction: Picked, key: str = "") -> Collection[str]:
        """The option chosen."""
        return templates.predicted(filling, prediction)

    # Counting ---------------------------------------------------------------------------------------------------------

    def repeated(self, example: Example) -> Variant:
        """The question as it is: answers are compared with those of variants."""
        return Variant(example, {})

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The variants that were put, the original first, then others in their order."""
        return sorted({variant_id(outcome) for outcome in outcomes}, key=in_order)

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        """1 for the variant of each outcome."""
        put = [variant_id(outcome) == group for outcome in outcomes for group in groups]
        return np.array(put, dtype=np.int64).reshape(len(outcomes), len(groups))

    def uninformed(self, evidence: Evidence, facts: Json) -> Bound | None:
        """The accuracy of a guess among the options."""
        return Bound(self.floor, "min", facts["chance"])

    def undecidable(self, bound: Bound, measurement: Measurement, evidence: Evidence, where: str) -> str | None:
        """There are no answers to tell anything by."""
        if bound.type is not None and not measurement.support.get(bound.type):
            return f"no question was put as {bound.type}"
        if not any(measurement.support.values()):
            return super().undecidable(bound, measurement, evidence, where)
        if self.metrics()[bound.metric].compares:
            if not evidence.changed.any():
                return "no question could be put in another way"
            if ORIG in evidence.groups:
                right, missing = _of_originals(evidence)
                if missing.all():
                    return "no original was answered, so no answer could change"
                if bound.metric == "delta_accuracy" and not right.any():
                    return "no original was answered right, so there is nothing to lose"
        return None

    # Reports ----------------------------------------------------------------------------------------------------------

    def facts(self, session: Session, baseline: Measurement) -> Json:
        """The model, the questions, and how good the one is on the other."""
        facts = super().facts(session, baseline)
        flagged = audited({example.id: example.source.options for example in session.examples})
        options = [len(example.fields[OPTIONS].tokens) for example in session.examples]
        facts["corpus"]["chance"] = fmean(1 / number for number in options)
        facts["corpus"]["flagged"] = {name: sorted({flag.rule for flag in flags}) for name, flags in flagged.items()}
        facts["notice"] = "\n".join([*filter(None, [facts["notice"]]), *session.corpus.notices]) or None
        del facts["seeds"]  # no question is drawn
        return facts

    def top_level(self, facts: Json) -> Json:
        """The questions and what answers them, as one object."""
        corpus = {key: value for key, value in facts["corpus"].items() if key != "distinct"}
        return {"questions": {"notice": facts["notice"], **corpus, "model": facts["model"]}}

    def result_facts(self, outcomes: Sequence[Outcome], *, with_text: bool) -> Json:
        """How answers to originals and to their variants differ."""
        groups = self.groups(outcomes)
        tests = {variant: mcnemar(_answer_sets(outcomes, variant)) for variant in groups if variant != ORIG}
        p_corrected = corrected(tests)
        majority = mcnemar(_answer_sets(outcomes))
        counts = Counter(variant_id(outcome) for outcome in outcomes)
        missing = Counter(variant_id(outcome) for outcome in outcomes if outcome.prediction.place is None)
        return {
            "questions": {
                "missing": missing.total(),
                "variants": [
                    {
                        "variant": variant,
                        "answers": counts[variant],
                        "missing": missing[variant],
                        "mcnemar": None
                        if variant not in tests
                        else _test(tests[variant]) | {"corrected": number_of(p_corrected[variant])},
                    }
                    for variant in groups
                ],
                "mcnemar": _test(majority) | {"biased": majority.biased},
                "places": _places(outcomes),
                "flips": list(_flips(outcomes, with_text=with_text)),
            }
        }

    def refreshed(self, facts: Json, measurement: Measurement) -> Json:
        """With accuracy and flip rate of each variant; of capabilities there is nothing more."""
        if facts["questions"] is None:
            return facts
        variants = [
            {
                **row,
                "accuracy": estimate_of(measurement.estimate("accuracy", row["variant"])),
                "flip_rate": estimate_of(measurement.estimate("fragility_score", row["variant"])),
            }
            for row in facts["questions"]["variants"]
        ]
        return {**facts, "questions": {**facts["questions"], "variants": variants}}

    sizes = staticmethod(report.sizes)
    remarks = staticmethod(report.remarks)
    blocks = staticmethod(report.summary)
    sentences = staticmethod(report.sentences)
    detail = staticmethod(report.detail)

    def records(self, outcomes: Sequence[Outcome]) -> Iterable[Json]:
        """Every answer that is wrong."""
        for outcome in outcomes:
            shown = outcome.example if outcome.variant is None else outcome.variant.example
            if outcome.prediction.place != shown.gold:
                yield {
                    "sentence_id": outcome.example.id,
                    "seed": outcome.seed,
                    **({"place": outcome.place} if outcome.place else {}),
                    "question": shown.fields[QUESTION].text,
                    "options": shown.fields[OPTIONS].tokens,
                    "edits": _edits(outcome),
                    "gold": shown.gold,
                    "clean": outcome.clean.place,
                    "predicted": outcome.prediction.place,
                    **_reply(outcome),
                }

    def concerned(self, record: Mapping[str, Any]) -> Collection[str]:
        """The variant that was answered wrong."""
        return (record.get("place") or ORIG,)

    def line(self, record: Mapping[str, Any]) -> str:
        """The question as it was put, with the option chosen, and after it the right one."""
        options, chosen = record["options"], record["predicted"]
        answer = "no answer" if chosen is None else options[chosen]
        shown = f" [{record['place']}]" if record.get("place") else ""
        listed = "; ".join(f"{letter} {option}" for letter, option in zip(LETTERS, options, strict=False))
        reply = f"; reply: {record['reply']}" if record.get("reply") is not None else ""
        right = f"right: {options[record['gold']]}; options: {listed}{reply}"
        return f"{record['question']}{shown}: {answer}   ({right})"


def _reply(outcome: Outcome) -> Json:
    """The text in which the model answered, if it gave any."""
    reply = outcome.prediction.reply
    return {} if reply is None else {"reply": reply}


def _edits(outcome: Outcome) -> Json:
    made = {} if outcome.variant is None else outcome.variant.edits
    return {name: [edit.to_json() for edit in each.edits] for name, each in made.items()}


def _answer_sets(outcomes: Iterable[Outcome], variant: str | None = None) -> list[list[AnswerSet]]:
    """The answers to each question, those to its copies together; of variants all, or the one."""
    clusters: dict[str, dict[str, list[Outcome]]] = {}
    for outcome in outcomes:
        if variant is None or variant_id(outcome) in (ORIG, variant):
            clusters.setdefault(outcome.example.cluster, {}).setdefault(outcome.example.id, []).append(outcome)
    return [
        [
            AnswerSet(original_of(own), tuple(reply_of(each) for each in own if each.variant is not None))
            for own in questions.values()
        ]
        for questions in clusters.values()
    ]


def _test(test: McNemar) -> Json:
    return {"p": number_of(test.p_value), "lost": test.lost, "gained": test.gained, "n": test.n}


def _places(outcomes: Iterable[Outcome]) -> list[Json]:
    """Shares at each place over all orders of the questions that were reordered; copies are one question."""
    orders: dict[str, list[tuple[str, int | None, int]]] = {}
    for outcome in outcomes:
        variant = variant_id(outcome)
        if variant == ORIG or reorders(variant):
            shown = outcome.example if outcome.variant is None else outcome.variant.example
            orders.setdefault(outcome.example.cluster, []).append((variant, outcome.prediction.place, shown.gold))
    moved = [own for own in orders.values() if any(reorders(variant) for variant, _, _ in own)]
    return [
        {"place": place, "answers": answers, "right": right}
        for place, answers, right in mean_shares([[(place, gold) for _, place, gold in own] for own in moved])
    ]


def _of_originals(evidence: Evidence) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Of each original that was put, whether it was answered right, and whether it was not answered."""
    (table,) = evidence.tables.values()
    own = table["answer_counts"][evidence.held[:, evidence.groups.index(ORIG)] > 0, 1 + evidence.groups.index(ORIG)]
    return own[:, 0] > 0, own[:, 2] > 0


def _flips(outcomes: Sequence[Outcome], *, with_text: bool) -> Iterator[Json]:
    """Every variant that was answered otherwise than its original, in the order they were put."""
    for outcome in outcomes:
        variant, choice = outcome.variant, outcome.example.source
        if variant is not None and outcome.prediction.option != outcome.clean.option:
            question = variant.example.fields[QUESTION].text
            text = {"question": question, "options": list(choice.options), **_reply(outcome)}
            yield {
                "id": outcome.example.id,
                "variant": variant_id(outcome),
                "before": outcome.clean.option,
                "after": outcome.prediction.option,
                "target": choice.target,
                **(text if with_text else {}),
            }


TASK = MultipleChoice()
