"""The part of reports about tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from abalo.core.example import Json
from abalo.core.outcome import Outcome
from abalo.core.subject import Subject
from abalo.core.words import count
from abalo.corpora import Corpus
from abalo.models.fitting import (
    PREDICTED,
    Fit,
    Terms,
    doubt,
    fit_of,
    misfit,
    of_corpus,
    predicted_counts,
    with_whole_fit,
)
from abalo.models.labels import PLAIN
from abalo.tasks.pos import blocks as report
from abalo.tasks.pos.metrics.tokens import compared, renewed
from abalo.tasks.pos.targets import seen
from abalo.tasks.tokens.report import TokenReport
from perturbations.layers import UNLABELLED

TERMS = Terms(PLAIN, "never predicts these tags of the corpus", "that the corpus does not have", "tag", "tags", "tag")
"""The words of the notices about tags."""


class TagReport(TokenReport):
    """The report of tags."""

    policy = "each"
    view_meanings = report.VIEW_MEANINGS
    sentences = staticmethod(report.sentences)

    def labels_in(self, corpus: Corpus) -> Json:
        """Words by tag."""
        return {"tags": dict(sorted(Counter(tag for each in corpus.sentences for tag in each.tags or ()).items()))}

    def labels_in_words(self, corpus: Mapping[str, Any]) -> str:
        """The number of tags."""
        return count(len(corpus["tags"]), "tag")

    def own_facts(self, subject: Subject) -> Json:
        """The tags that model and corpus do not share."""
        return {"types": self._fit(subject)}

    def _fit(self, subject: Subject) -> Fit:
        corpus = subject.corpus
        return fit_of(_counted(corpus), corpus.types, _predicted(subject), subject.model.labels)

    def part_facts(self, subject: Subject) -> Json:
        """With the tags that the model predicts."""
        return {**super().part_facts(subject), PREDICTED: _predicted(subject)}

    def whole_facts(self, parts: Sequence[Json]) -> Json:
        """With the tags that model and corpus share in all parts."""
        found = super().whole_facts(parts)
        return with_whole_fit(found, parts, tagged(found["corpus"]["tags"]))

    def notice(self, facts: Json) -> str | None:
        """Those of all such tasks, then lines about tags of the corpus, and those that it shares with no model."""
        found = [super().notice(facts) or ""]
        if "corpus" in facts:
            tags, limit = tagged(facts["corpus"]["tags"]), facts["corpus"]["limit"]
            found += of_corpus(tags, "word", whole=limit is None)
        if "types" in facts:
            found.append(misfit(facts["types"], TERMS))
        return "\n".join(filter(None, found)) or None

    def doubt(self, subject: Subject) -> str:
        """A model that tells no labels never predicts a tag of the corpus, or predicts others."""
        return doubt(self._fit(subject), TERMS)

    def errors_added(self, outcome: Outcome, view: str) -> int:
        """Words that are wrong after the change, less those that were before; of a search that failed 0."""
        if outcome.searched is not None and not seen(outcome).broken:
            return 0
        return sum(tag != predicted for tag, predicted, _ in compared(outcome, view)) - self.errors_before(outcome)

    def errors_before(self, outcome: Outcome) -> int:
        """Words that are wrong on the clean sentence, without those that have no tag after the change."""
        gold, clean, left_out = outcome.sentence.tags or (), outcome.clean.tags, renewed(outcome)
        pairs = enumerate(zip(gold, clean, strict=True))
        return sum(tag not in (UNLABELLED, predicted) for i, (tag, predicted) in pairs if i not in left_out)


def tagged(tags: Mapping[str, int]) -> dict[str, int]:
    """The words by tag without those that have none."""
    return {tag: number for tag, number in tags.items() if tag != UNLABELLED}


def _counted(corpus: Corpus) -> dict[str, int]:
    """How many words have each tag."""
    return tagged(Counter(tag for sentence in corpus.sentences for tag in sentence.tags or ()))


def _predicted(session: Subject) -> dict[str, int]:
    """How many words of the clean corpus the model gives each tag; words without one in gold do not count."""
    pairs = zip(session.examples, session.predictor.clean(), strict=True)
    return predicted_counts(
        tag
        for example, found in pairs
        for gold, tag in zip(example.sentence.tags or (), found.tags, strict=True)
        if gold != UNLABELLED
    )
