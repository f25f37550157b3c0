"""The task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.core.example import Example, Json, Outcome
from abalo.core.metrics import Metric
from abalo.core.registry import Registry
from abalo.core.session import Session
from abalo.core.targets import Target
from abalo.core.words import count
from abalo.corpora import Corpus
from abalo.corpora.loading import BUNDLED
from abalo.corpora.peek import holds_entities, holds_other_labels, labels_texts
from abalo.corpora.unpacking import format_ending
from abalo.models.labels import PLAIN
from abalo.tasks.pos import blocks as report
from abalo.tasks.pos.conllu import SUFFIXES
from abalo.tasks.pos.corpus import DEFAULT, bundled_names
from abalo.tasks.pos.corpus import load as load_corpus
from abalo.tasks.pos.in_parts import TagsInParts
from abalo.tasks.pos.metrics.tokens import compared, renewed
from abalo.tasks.pos.model import ADAPTER
from abalo.tasks.pos.targets import seen, words
from abalo.tasks.tokens.task import TokenTask
from perturbations import Perturbation, Span
from perturbations.layers import UNLABELLED


class PartsOfSpeech(TokenTask):
    """Part-of-speech tagging: a tag per token, which is right or wrong by itself."""

    name = "pos"
    title = "Part-of-speech tagging"
    metrics = Registry[Metric]("metric", "abalo.tasks.pos.metrics", "METRICS", several=True)
    floor = "accuracy"
    headline = "accuracy_drop_changed"
    gap = "accuracy_gap"
    probes = ("baseline", "perturbation", "pipeline", "slice", "attack", "promise")
    robust = "robust_accuracy"
    group_noun = "part of speech"
    target_nouns = ("word", "words")
    promise_words = ("", "tag of another word")
    held_noun = lone_noun = "labelled word"
    default_corpus = DEFAULT
    corpus_kind = "CoNLL-U, or columns of a word and its tag"
    default_model = "fixtures/pos-pt/weights.npz"
    labelling = PLAIN
    policy = "each"
    adapters = (ADAPTER,)
    view_meanings = report.VIEW_MEANINGS

    def read(self, spec: str, options: Any) -> Corpus:
        """A CoNLL-U or two-column file, or a bundled corpus."""
        return load_corpus(spec, limit=options.limit, lenient=options.lenient)

    def in_parts(self, spec: str, options: Any) -> TagsInParts:
        """A CoNLL-U or two-column file."""
        return TagsInParts(spec, lenient=options.lenient)

    def recognises(self, spec: str) -> bool:
        """A corpus that ships, a file in CoNLL-U, or columns that end in other tags than those of entities.

        A file whose name says CoNLL-U may hold entities all the same, as those of WikiNEuRal do.
        """
        if spec.startswith(BUNDLED):
            return spec.partition("?")[0].removeprefix(BUNDLED) in bundled_names()
        if format_ending(spec.partition("?")[0]) in SUFFIXES:
            return not holds_entities(spec)
        return holds_other_labels(spec) and not labels_texts(spec)

    def accepts(self, perturbation: Perturbation) -> bool:
        """All but those that are about entities."""
        return perturbation.level not in ("entity", "target") and perturbation.scheme in (None, "upos")

    def stated(self, example: Example, prediction: Any = None) -> tuple[Span, ...]:
        """The tag of each word that has one in gold."""
        gold = example.sentence.tags or ()
        tags = gold if prediction is None else prediction.tags
        return tuple(Span(k, k + 1, tags[k]) for k, tag in enumerate(gold) if tag != UNLABELLED)

    def known_groups(self, session: Session) -> set[str] | None:
        """The tags of corpus and model; None for a part of a corpus and a model that does not tell its labels."""
        if not session.model.labels and getattr(session.options, "limit", None) is not None:
            return None
        gold = {tag for sentence in session.corpus.sentences for tag in sentence.tags or ()}
        return {*gold, *session.model.labels} - {UNLABELLED}

    def targets(self, example: Example, prediction: Any, model: Any) -> Iterable[Target]:
        """The words that have a tag."""
        return words(example, prediction, getattr(model, "labels", ()))

    seen = staticmethod(seen)

    # Counting ---------------------------------------------------------------------------------------------------------

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The tags in gold, before and after."""
        tags: set[str] = set()
        for outcome in outcomes:
            made = outcome.perturbed
            tags.update(outcome.sentence.tags or (), () if made is None else made.sentence.tags or ())
        return sorted(tags - {UNLABELLED})

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        """Gold tags of each kind in the clean sentence."""
        counts = [Counter(outcome.sentence.tags or ()) for outcome in outcomes]
        return np.array([[each[tag] for tag in groups] for each in counts], dtype=np.int64).reshape(-1, len(groups))

    # Reports ----------------------------------------------------------------------------------------------------------

    def labels_in(self, corpus: Corpus) -> Json:
        """Words by tag."""
        return {"tags": dict(sorted(Counter(tag for each in corpus.sentences for tag in each.tags or ()).items()))}

    def labels_in_words(self, corpus: Mapping[str, Any]) -> str:
        """The number of tags."""
        return count(len(corpus["tags"]), "tag")

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

    sentences = staticmethod(report.sentences)


TASK = PartsOfSpeech()
