"""The coreference section of reports."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from abalo.core.documents.document import CorpusFacts
from abalo.core.documents.found import LabelledExample, LabelledUnit, Result, WrongUnit
from abalo.core.protocols.results import probe_of
from abalo.core.protocols.subject import Subject
from abalo.core.protocols.task_report import TaskReport
from abalo.core.records.example import JsonObject
from abalo.core.records.outcome import Outcome
from abalo.core.records.words import count
from abalo.tasks.coreference import blocks, shown
from abalo.tasks.coreference.metrics.clusters import links_of, size_of


class CoreferenceReport(TaskReport):
    """Reports on clusters, units of resampling and singletons."""

    unit = LabelledUnit
    example = LabelledExample
    scores = ("conll_f1", "lea")
    tells_notices = True
    sentences = staticmethod(blocks.sentences)
    records = staticmethod(shown.wrong)
    line = staticmethod(shown.line)

    def corpus_facts(self, subject: Subject) -> JsonObject:
        corpus = subject.corpus
        return {
            "sentences": len(subject.examples),
            "tokens": sum(len(each.sentence) for each in subject.examples),
            **corpus.sizes,
            "keeps_singletons": corpus.rules.singletons,
            "window": corpus.window,
            "repairs": corpus.repairs,
            "notices": list(corpus.notices),
        }

    def sizes(self, corpus: CorpusFacts) -> Sequence[str]:
        alone = count(corpus.more["singletons"], "singleton")
        return [
            f"{count(corpus.more['documents'], 'window' if corpus.more['window'] else 'document')}",
            f"{count(corpus.distinct, 'independent unit')}",
            count(corpus.tokens, "word"),
            f"{count(corpus.more['mentions'], 'mention')} in {count(corpus.more['clusters'], 'cluster')}",
            f"{alone} {'kept' if corpus.more['keeps_singletons'] else 'left out'}",
        ]

    def examples(self, outcomes: Sequence[Outcome], view: str) -> list[JsonObject]:
        return shown.worst(outcomes, shown.broken_links)

    def mistakes(self, outcomes: Sequence[Outcome]) -> list[JsonObject]:
        return shown.worst(outcomes, shown.missed_links)

    def concerned(self, record: WrongUnit) -> Collection[str]:
        return {size_of(link.size) for link in links_of(shown.outcome_of(record)) if not link.after}

    def as_examples(self, records: Iterable[WrongUnit], result: Result) -> list[JsonObject]:
        errors = shown.broken_links if probe_of(result).perturbs else shown.missed_links
        return shown.worst(map(shown.outcome_of, records), errors, every=True)
