"""The reading comprehension section of reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from abalo.core.documents.document import CorpusFacts
from abalo.core.documents.found import AnsweredExample, AnsweredUnit
from abalo.core.protocols.subject import Subject
from abalo.core.protocols.task_report import TaskReport
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import Count, Share, declared
from abalo.core.records.outcome import Outcome
from abalo.core.records.words import count
from abalo.models.questions.scoring import answers_of
from abalo.tasks.reading import blocks, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageUnit(AnsweredUnit):
    """A question with a wrong answer."""

    tokens: Sequence[str] = declared("Passage, `⇒`, and question.")
    f1: Share = declared("F1 of the answer to the variant.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageExample(AnsweredExample):
    """A question whose answer lost F1."""

    clean_place: Sequence[Count] | None = declared("[start, stop] of the answer to the clean text; null if none.")
    place: Sequence[Count] | None = declared("[start, stop] of the answer; null if none.")


class ReadingReport(TaskReport):
    """Reports on questions and normalisation."""

    scores = ("f1", "exact_match")
    unit = PassageUnit
    example = PassageExample
    tells_notices = True
    records = staticmethod(shown.wrong)
    line = staticmethod(shown.line)
    sentences = staticmethod(blocks.sentences)

    def corpus_facts(self, subject: Subject) -> JsonObject:
        corpus = subject.corpus
        return {
            "sentences": len(subject.examples),
            "normalisation": corpus.rules.normalisation,
            "unanswerable": sum(not answers_of(each.gold, corpus.rules) for each in subject.examples),
            "unplaced": corpus.unplaced,
            "repairs": corpus.repairs,
            "notices": list(corpus.notices),
        }

    def sizes(self, corpus: CorpusFacts) -> Sequence[str]:
        none = corpus.more["unanswerable"]
        without = [f"{none:,} without an answer"] if none else []
        passages = f"{count(corpus.more['questions'], 'question')} about {count(corpus.distinct, 'passage')}"
        return [passages, *without, f"answers normalised as {corpus.more['normalisation']}"]

    def examples(self, outcomes: Sequence[Outcome], view: str) -> list[JsonObject]:
        return shown.lost_most(outcomes, changed=True)

    def mistakes(self, outcomes: Sequence[Outcome]) -> list[JsonObject]:
        return shown.lost_most(outcomes, changed=False)
