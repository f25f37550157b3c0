"""The translation section of reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from abalo.core.documents.blocks import Block
from abalo.core.documents.document import CorpusFacts, Document
from abalo.core.documents.found import AnsweredExample, AnsweredUnit, Result
from abalo.core.protocols.preflight import percent
from abalo.core.protocols.subject import Subject
from abalo.core.protocols.task_report import TaskReport
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import Share, declared
from abalo.core.records.outcome import Outcome
from abalo.models.translators.scoring import chrf_statistics, signatures
from abalo.tasks.translation import shown
from abalo.tasks.translation.blocks import scores, sentences

WORDS, LONGEST = "words", "longest"
"""Facts: the reference words of all texts, and of the longest."""

_HEAVY, _MOST = 0.1, 10

_SUMS = "Intervals of BLEU and TER, which are made of sums, are too narrow if few texts decide the sum."


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslatedUnit(AnsweredUnit):
    """A translation that is no reference, or that a change made worse."""

    chrf: Share = declared("chrF of the translation of the variant.")


class TranslationReport(TaskReport):
    """Reports on translations, languages and sacreBLEU signatures.

    ``copied`` holds chrF statistics of untranslated texts.
    """

    scores = ("chrf", "chrf_pp", "bleu", "ter")
    unit = TranslatedUnit
    example = AnsweredExample
    tells_notices = True
    records = staticmethod(shown.worse)
    line = staticmethod(shown.line)
    sentences = staticmethod(sentences)

    def corpus_facts(self, subject: Subject) -> JsonObject:
        corpus, examples = subject.corpus, subject.examples
        # The statistics of a model that returns every text unchanged.
        copied = np.array([chrf_statistics(each.sentence.text, each.gold) for each in examples]).sum(axis=0)
        lengths = Counter[str]()
        for each in examples:
            lengths[each.cluster] += sum(len(gold.split()) for gold in each.gold)
        references = dict(sorted(Counter(str(len(each.gold)) for each in examples).items()))
        return {
            "sentences": len(examples),
            "from": corpus.direction.source,
            "to": corpus.direction.target,
            "references": references,
            "tokenizer": corpus.direction.tokenizer,
            "signatures": signatures([*map(int, references)], corpus.direction.tokenizer),
            "copied": {str(place): int(number) for place, number in enumerate(copied)},
            WORDS: sum(lengths.values()),
            LONGEST: _longest(lengths),
            "repairs": corpus.repairs,
            "notices": list(corpus.notices),
        }

    def whole_facts(self, parts: Sequence[JsonObject]) -> JsonObject:
        found = super().whole_facts(parts)
        counts, tokenizer = found["corpus"]["references"], found["corpus"]["tokenizer"]
        found["corpus"]["signatures"] = signatures([*map(int, counts)], tokenizer)
        found["corpus"][LONGEST] = _longest(found["corpus"][LONGEST])
        return {**found, "notice": self.notice(found)}

    def notice(self, facts: JsonObject) -> str | None:
        corpus = facts.get("corpus", {})
        heavy = {name: own for name, own in corpus.get(LONGEST, {}).items() if own >= _HEAVY * corpus[WORDS]}
        if len(heavy) == corpus.get("distinct"):
            heavy = {}
        named = ", ".join(f"{name} ({percent(own / corpus[WORDS])})" for name, own in heavy.items())
        told = f"Texts with a tenth or more of all reference words: {named}. {_SUMS}" if heavy else None
        return "\n".join(filter(None, [super().notice(facts), told])) or None

    def sizes(self, corpus: CorpusFacts) -> Sequence[str]:
        more = corpus.more
        languages = [f"from {more['from'] or '?'} to {more['to'] or '?'}"] if more["from"] or more["to"] else []
        several = [] if [*more["references"]] == ["1"] else [f"{' or '.join(more['references'])} references each"]
        return [*super().sizes(corpus), *languages, *several]

    def blocks(self, results: Sequence[Result], document: Document) -> Sequence[Block]:
        return scores(document)

    def examples(self, outcomes: Sequence[Outcome], view: str) -> list[JsonObject]:
        return shown.lost_most(outcomes, changed=True)

    def mistakes(self, outcomes: Sequence[Outcome]) -> list[JsonObject]:
        return shown.lost_most(outcomes, changed=False)


def _longest(words: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(words.items(), key=lambda each: (-each[1], each[0]))[:_MOST])
