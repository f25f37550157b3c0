"""The multiple-choice section of reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, ClassVar

from abalo.core.documents.found import EditFacts, Result, WrongUnit
from abalo.core.protocols.subject import Subject
from abalo.core.protocols.task_report import TaskReport
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import Count, as_json, declared, read
from abalo.core.records.outcome import Outcome, reply_of
from abalo.core.statistics.estimates import Measurement
from abalo.core.statistics.numbers import number_of
from abalo.questions.answers import ORIG
from abalo.questions.audit import audit_questions
from abalo.questions.mcnemar import correct, mcnemar_by_variant, mcnemar_orig_vs_variants
from abalo.questions.places import mean_shares
from abalo.questions.question import LETTERS, VARIANT_NAMES, in_order
from abalo.questions.replies import answers_of, variant_id
from abalo.tasks.choice import blocks as report
from abalo.tasks.choice.corpus import OPTIONS, QUESTION
from abalo.tasks.choice.facts import AnswersFields


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionUnit(WrongUnit):
    """A question with a wrong answer."""

    more: Mapping[str, Any] = field(default_factory=dict)
    question: str = declared("Question as put.")
    options: Sequence[str] = declared("Options as put.")
    edits: Mapping[str, Sequence[EditFacts]] = declared("Edits by field.")
    gold: Count = declared("Place of the right option, as put.")
    clean: Count | None = declared("Place chosen in the original; null for no answer.")
    predicted: Count | None = declared("Place chosen, as put; null for no answer.")


class QuestionReport(TaskReport):
    """Reports on questions and places of options."""

    unit = QuestionUnit
    example = None
    result_fields = AnswersFields
    group_names: ClassVar[Mapping[str, str]] = VARIANT_NAMES

    def facts(self, subject: Subject, baseline: Measurement) -> JsonObject:
        facts = super().facts(subject, baseline)
        notice = "\n".join([*filter(None, [facts["notice"]]), *subject.corpus.notices]) or None
        kept = {name: each for name, each in facts.items() if name not in ("seeds", "device")}  # no question is drawn
        return kept | {"notice": notice}

    def corpus_facts(self, subject: Subject) -> JsonObject:
        flagged = audit_questions({example.id: example.source.options for example in subject.examples})
        return {
            "chance": fmean(1 / len(example.fields[OPTIONS].tokens) for example in subject.examples),
            "flagged": {name: sorted({flag.rule for flag in flags}) for name, flags in flagged.items()},
        }

    def result_facts(self, outcomes: Sequence[Outcome], *, with_text: bool) -> JsonObject:
        rows, copies = answers_of(outcomes), {each.example.id: each.example.cluster for each in outcomes}
        tests = mcnemar_by_variant(rows, copies=copies)
        p_corrected = correct(tests)
        majority = mcnemar_orig_vs_variants(rows, copies=copies)
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
                        else as_json(tests[variant]) | {"corrected": p_corrected[variant]},
                    }
                    for variant in put(outcomes)
                ],
                "mcnemar": as_json(majority),
                "places": [
                    {"place": place, "answers": answers, "right": right, "p": number_of(p)}
                    for place, answers, right, p in mean_shares(rows, copies)
                ],
                "flips": list(_flips(outcomes, with_text=with_text)),
            }
        }

    def unanswered(self, result: Result) -> tuple[int, int]:
        asked = AnswersFields.of(result).questions
        return (0, 0) if asked is None else (asked.missing, sum(row.answers for row in asked.variants))

    sizes = staticmethod(report.sizes)
    remarks = staticmethod(report.remarks)
    blocks = staticmethod(report.summary)
    sentences = staticmethod(report.sentences)
    detail = staticmethod(report.detail)

    def records(self, outcomes: Sequence[Outcome]) -> Iterable[JsonObject]:
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
                    **reply_of(outcome.prediction),
                }

    def concerned(self, record: WrongUnit) -> Collection[str]:
        return (record.place or ORIG,)

    def line(self, record: WrongUnit) -> str:
        asked = read(QuestionUnit, record)
        options, chosen = asked.options, asked.predicted
        answer = "no answer" if chosen is None else options[chosen]
        shown = f" [{VARIANT_NAMES.get(record.place, record.place)}]" if record.place else ""
        listed = "; ".join(f"{letter} {option}" for letter, option in zip(LETTERS, options, strict=False))
        right = "; ".join((f"right: {options[asked.gold]}", f"options: {listed}", *record.replied))
        return f"{asked.question}{shown} → {answer}   ({right})"


def put(outcomes: Sequence[Outcome]) -> list[str]:
    """The variants that were asked, the original first."""
    return sorted({variant_id(outcome) for outcome in outcomes}, key=in_order)


def _edits(outcome: Outcome) -> JsonObject:
    made = {} if outcome.variant is None else outcome.variant.edits
    return {name: [edit.to_json() for edit in each.edits] for name, each in made.items()}


def _flips(outcomes: Sequence[Outcome], *, with_text: bool) -> Iterator[JsonObject]:
    for outcome in outcomes:
        variant, choice = outcome.variant, outcome.example.source
        if variant is not None and outcome.prediction.option != outcome.clean.option:
            question = variant.example.fields[QUESTION].text
            reply = {} if outcome.prediction.reply is None else {"reply": outcome.prediction.reply}
            text = {"question": question, "options": list(choice.options), **reply}
            yield {
                "id": outcome.example.id,
                "variant": variant_id(outcome),
                "before": outcome.clean.option,
                "after": outcome.prediction.option,
                "target": choice.target,
                **(text if with_text else {}),
            }
