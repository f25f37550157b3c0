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
from abalo.tasks.choice.mcnemar import McNemar, corrected, mcnemar_by_variant, mcnemar_orig_vs_variants
from abalo.tasks.choice.places import mean_shares
from abalo.tasks.choice.question import LETTERS, in_order
from abalo.tasks.choice.replies import answers_of, variant_id


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
        rows, copies = answers_of(outcomes), {each.example.id: each.example.cluster for each in outcomes}
        tests = mcnemar_by_variant(rows, copies=copies)
        p_corrected = corrected(tests)
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
                        else _test(tests[variant]) | {"corrected": number_of(p_corrected[variant])},
                    }
                    for variant in put(outcomes)
                ],
                "mcnemar": _test(majority) | {"biased": majority.biased},
                "places": [
                    {"place": place, "answers": answers, "right": right}
                    for place, answers, right in mean_shares(rows, copies)
                ],
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


def _test(test: McNemar) -> Json:
    return {"p": number_of(test.p), "lost": test.lost, "gained": test.gained, "n": test.n}


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
