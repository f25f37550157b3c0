"""The part of reports about multiple-choice questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, ClassVar

from abalo.core.example import Json
from abalo.core.numbers import number_of
from abalo.core.outcome import Outcome
from abalo.core.statistics import Measurement
from abalo.core.subject import Subject
from abalo.core.task_report import TaskReport
from abalo.tasks.choice import blocks as report
from abalo.tasks.choice.answers import ORIG
from abalo.tasks.choice.audit import audited
from abalo.tasks.choice.corpus import OPTIONS, QUESTION
from abalo.tasks.choice.mcnemar import McNemar, corrected, mcnemar
from abalo.tasks.choice.metrics.answers import original_of, reply_of, variant_id
from abalo.tasks.choice.places import mean_shares
from abalo.tasks.choice.question import LETTERS, in_order, reorders
from abalo.tasks.choice.replies import AnswerSet


class QuestionReport(TaskReport):
    """The report of questions, with the places of options."""

    result_fields: ClassVar[Mapping[str, Any]] = {"questions": None}

    def facts(self, subject: Subject, baseline: Measurement) -> Json:
        """The model, the questions, and how good the one is on the other."""
        facts = super().facts(subject, baseline)
        flagged = audited({example.id: example.source.options for example in subject.examples})
        options = [len(example.fields[OPTIONS].tokens) for example in subject.examples]
        facts["corpus"]["chance"] = fmean(1 / number for number in options)
        facts["corpus"]["flagged"] = {name: sorted({flag.rule for flag in flags}) for name, flags in flagged.items()}
        facts["notice"] = "\n".join([*filter(None, [facts["notice"]]), *subject.corpus.notices]) or None
        del facts["seeds"]  # no question is drawn
        return facts

    def result_facts(self, outcomes: Sequence[Outcome], *, with_text: bool) -> Json:
        """How answers to originals and to their variants differ."""
        groups = put(outcomes)
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


def put(outcomes: Sequence[Outcome]) -> list[str]:
    """The variants that were put, the original first, then others in their order."""
    return sorted({variant_id(outcome) for outcome in outcomes}, key=in_order)


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
