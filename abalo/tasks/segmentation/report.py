"""The segmentation section of reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import ClassVar

from abalo.core.documents.document import CorpusFacts
from abalo.core.documents.found import WrongUnit
from abalo.core.records.example import JsonObject
from abalo.core.records.outcome import Outcome
from abalo.core.records.words import count
from abalo.corpora import Corpus
from abalo.corpora.word_labels import words_in
from abalo.tasks.segmentation import blocks
from abalo.tasks.segmentation.metrics.words import compared_words, length_of, seen_words
from abalo.tasks.tokens.examples import changes, outcome_of
from abalo.tasks.tokens.report import TokenReport
from perturbations import Policy


class WordReport(TokenReport):
    """Reports on words and the training list."""

    policy: ClassVar[Policy] = "bmes"
    scores = ("precision", "recall", "f1", "oov_recall")
    view_meanings = blocks.VIEW_MEANINGS
    group_names: ClassVar[Mapping[str, str]] = {
        "1": "1 character",
        "2": "2 characters",
        "3": "3 characters",
        "4+": "4 or more characters",
    }
    sentences = staticmethod(blocks.sentences)

    def labels_in(self, corpus: Corpus) -> JsonObject:
        words = (length_of(word) for each in corpus.sentences for word in words_in(each.tags or ()))
        return {"lengths": dict(sorted(Counter(words).items())), "training": getattr(corpus, "trained_on", "")}

    def labels_in_words(self, corpus: CorpusFacts) -> str:
        return count(sum(corpus.more["lengths"].values()), "word")

    def wrong_groups(self, gold: Sequence[str], predicted: Sequence[str]) -> Collection[str]:
        return {length_of(word) for word in {*words_in(tuple(gold))} ^ {*words_in(tuple(predicted))}}

    def line(self, record: WrongUnit) -> str:
        outcome = outcome_of(record, self.policy)
        now = outcome.made.sentence
        text = blocks.cut_words(now.tokens, now.tags or (), outcome.prediction.tags)
        made = "; ".join(changes(outcome.sentence, outcome.made))
        return text + (f"   ({made})" if made else "")

    def errors_before(self, outcome: Outcome) -> int:
        return _missed(*compared_words(outcome.sentence, outcome.clean.tags))

    def errors_added(self, outcome: Outcome, view: str) -> int:
        return _missed(*seen_words(outcome)) - self.errors_before(outcome)


def _missed(gold: Iterable[Hashable], predicted: Iterable[Hashable]) -> int:
    """Counts the gold words with other ends, but not the predicted words in their place."""
    return len({*gold} - {*predicted})
