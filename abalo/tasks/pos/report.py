"""The tagging section of reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from abalo.core.documents.document import CorpusFacts, TypeFacts
from abalo.core.protocols.subject import Subject
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import as_json, read
from abalo.core.records.outcome import Outcome
from abalo.core.records.words import count
from abalo.corpora import Corpus
from abalo.models.labelling.fitting import (
    PREDICTED,
    Terms,
    doubt,
    fit_of,
    misfit,
    of_corpus,
    predicted_counts,
    with_whole_fit,
)
from abalo.models.labelling.labels import PLAIN
from abalo.tasks.pos import blocks as report
from abalo.tasks.pos.metrics.tokens import compare_tokens, renewed_tokens
from abalo.tasks.pos.targets import seen_word
from abalo.tasks.tokens.report import TokenReport
from perturbations.layers import UNLABELLED

TERMS = Terms(PLAIN, "never predicts these tags of the corpus", "that the corpus does not have", "tag", "tags", "tag")


class TagReport(TokenReport):
    """Reports on tags."""

    policy = "each"
    view_meanings = report.VIEW_MEANINGS
    sentences = staticmethod(report.sentences)

    def labels_in(self, corpus: Corpus) -> JsonObject:
        return {"tags": dict(sorted(Counter(tag for each in corpus.sentences for tag in each.tags or ()).items()))}

    def labels_in_words(self, corpus: CorpusFacts) -> str:
        return count(len(corpus.more["tags"]), "tag")

    def own_facts(self, subject: Subject) -> JsonObject:
        return {"types": as_json(self._fit(subject))}

    def _fit(self, subject: Subject) -> TypeFacts:
        corpus = subject.corpus
        return fit_of(_count_tags(corpus), corpus.types, _count_predicted(subject), subject.model.labels)

    def part_facts(self, subject: Subject) -> JsonObject:
        return {**super().part_facts(subject), PREDICTED: _count_predicted(subject)}

    def whole_facts(self, parts: Sequence[JsonObject]) -> JsonObject:
        found = super().whole_facts(parts)
        return with_whole_fit(found, parts, tagged_counts(found["corpus"]["tags"]))

    def notice(self, facts: JsonObject) -> str | None:
        found = [super().notice(facts) or ""]
        if "corpus" in facts:
            tags, limit = tagged_counts(facts["corpus"]["tags"]), facts["corpus"]["limit"]
            found += of_corpus(tags, "word", whole=limit is None)
        if "types" in facts:
            found.append(misfit(read(TypeFacts, facts["types"]), TERMS))
        return "\n".join(filter(None, found)) or None

    def doubt(self, subject: Subject) -> str:
        return doubt(self._fit(subject), TERMS)

    def errors_added(self, outcome: Outcome, view: str) -> int:
        if outcome.searched is not None and not seen_word(outcome).broken:
            return 0
        return sum(tag != predicted for tag, predicted, _ in compare_tokens(outcome, view)) - self.errors_before(
            outcome
        )

    def errors_before(self, outcome: Outcome) -> int:
        gold, clean, left_out = outcome.sentence.tags or (), outcome.clean.tags, renewed_tokens(outcome)
        pairs = enumerate(zip(gold, clean, strict=True))
        return sum(tag not in (UNLABELLED, predicted) for i, (tag, predicted) in pairs if i not in left_out)


def tagged_counts(tags: Mapping[str, int]) -> dict[str, int]:
    """Words by tag, without untagged words."""
    return {tag: number for tag, number in tags.items() if tag != UNLABELLED}


def _count_tags(corpus: Corpus) -> dict[str, int]:
    return tagged_counts(Counter(tag for sentence in corpus.sentences for tag in sentence.tags or ()))


def _count_predicted(subject: Subject) -> dict[str, int]:
    pairs = zip(subject.examples, subject.predictor.clean(), strict=True)
    return predicted_counts(
        tag
        for example, found in pairs
        for gold, tag in zip(example.sentence.tags or (), found.tags, strict=True)
        if gold != UNLABELLED
    )
