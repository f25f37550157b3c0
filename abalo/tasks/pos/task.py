"""The task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.core.evidence import Evidence
from abalo.core.example import Example, Json
from abalo.core.metrics import Metric
from abalo.core.options import RunOptions
from abalo.core.outcome import Outcome
from abalo.core.registry import Registry
from abalo.core.subject import Subject
from abalo.core.verdicts import Bound
from abalo.core.words import count
from abalo.corpora import Corpus
from abalo.corpora.loading import BUNDLED
from abalo.corpora.peek import holds_entities, holds_other_labels, labels_texts
from abalo.corpora.unpacking import format_ending
from abalo.models.fitting import (
    PREDICTED,
    Fit,
    Terms,
    doubt,
    fit_of,
    misfit,
    of_corpus,
    predicted_counts,
    summed,
    whole_fit,
)
from abalo.models.labels import PLAIN
from abalo.tasks.pos import blocks as report
from abalo.tasks.pos.conllu import SUFFIXES
from abalo.tasks.pos.corpus import DEFAULT, bundled_names
from abalo.tasks.pos.corpus import load as load_corpus
from abalo.tasks.pos.in_parts import TagsInParts
from abalo.tasks.pos.metrics.tokens import compared, renewed
from abalo.tasks.pos.model import ADAPTER
from abalo.tasks.pos.targets import WordTargets, seen
from abalo.tasks.tokens.task import TokenTask
from abalo.tasks.tokens.templates import TokenTemplates
from perturbations import Perturbation, Span
from perturbations.layers import UNLABELLED

TERMS = Terms(PLAIN, "never predicts these tags of the corpus", "that the corpus does not have", "tag", "tags", "tag")
"""The words of the notices about tags."""


def known_tags(session: Subject) -> set[str] | None:
    """The tags of corpus and model; None for a part of a corpus and a model that does not tell its labels."""
    if not session.model.labels and session.options.limit is not None:
        return None
    gold = {tag for sentence in session.corpus.sentences for tag in sentence.tags or ()}
    return {*gold, *session.model.labels} - {UNLABELLED}


class PartsOfSpeech(TokenTask):
    """Part-of-speech tagging: a tag per token, which is right or wrong by itself."""

    name = "pos"
    title = "Part-of-speech tagging"
    metrics = Registry[Metric]("metric", "abalo.tasks.pos.metrics", "METRICS", several=True)
    floor = "accuracy"
    headline = "accuracy_drop_changed"
    probes = ("baseline", "perturbation", "pipeline", "slice", "attack", "promise")
    targets = WordTargets()
    group_noun = "part of speech"
    held_noun = lone_noun = "labelled word"
    default_corpus = DEFAULT
    corpus_kind = "CoNLL-U, or columns of a word and its tag"
    default_model = "fixtures/pos-pt/weights.npz"
    labelling = PLAIN
    policy = "each"
    known_groups = staticmethod(known_tags)
    templates = TokenTemplates("each", group_noun, known_tags)
    adapters = (ADAPTER,)
    view_meanings = report.VIEW_MEANINGS

    def read(self, spec: str, options: RunOptions) -> Corpus:
        """A CoNLL-U or two-column file, or a bundled corpus."""
        return load_corpus(spec, limit=options.limit, lenient=options.lenient)

    def in_parts(self, spec: str, options: RunOptions) -> TagsInParts:
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

    def own_facts(self, session: Subject) -> Json:
        """The tags that model and corpus do not share."""
        return {"types": self._fit(session)}

    def _fit(self, session: Subject) -> Fit:
        corpus = session.corpus
        return fit_of(_counted(corpus), corpus.types, _predicted(session), session.model.labels)

    def part_facts(self, session: Subject) -> Json:
        """With the tags that the model predicts."""
        return {**super().part_facts(session), PREDICTED: _predicted(session)}

    def whole_facts(self, parts: Sequence[Json]) -> Json:
        """With the tags that model and corpus share in all parts."""
        found = super().whole_facts(parts)
        predicted = summed([part[PREDICTED] for part in parts])
        own = {name: value for name, value in found.items() if name != PREDICTED}
        return {**own, "types": whole_fit(found["types"], _tagged(found["corpus"]["tags"]), predicted)}

    def notice(self, facts: Json) -> str | None:
        """Those of all such tasks, then lines about tags of the corpus, and those that it shares with no model."""
        found = [super().notice(facts) or ""]
        if "corpus" in facts:
            tags, limit = _tagged(facts["corpus"]["tags"]), facts["corpus"]["limit"]
            found += of_corpus(tags, "word", whole=limit is None)
        if "types" in facts:
            found.append(misfit(facts["types"], TERMS))
        return "\n".join(filter(None, found)) or None

    def doubt(self, session: Subject) -> str:
        """A model that tells no labels never predicts a tag of the corpus, or predicts others."""
        return doubt(self._fit(session), TERMS)

    def uninformed(self, evidence: Evidence, facts: Json) -> Bound | None:
        """An accuracy of 1 if the corpus has one tag, which a model that reads nothing predicts right everywhere."""
        return Bound(self.floor, "min", 1.0) if len(_tagged(facts["tags"])) == 1 else None

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


def _tagged(tags: Mapping[str, int]) -> dict[str, int]:
    """The words by tag without those that have none."""
    return {tag: number for tag, number in tags.items() if tag != UNLABELLED}


def _counted(corpus: Corpus) -> dict[str, int]:
    """How many words have each tag."""
    return _tagged(Counter(tag for sentence in corpus.sentences for tag in sentence.tags or ()))


def _predicted(session: Subject) -> dict[str, int]:
    """How many words of the clean corpus the model gives each tag; words without one in gold do not count."""
    pairs = zip(session.examples, session.predictor.clean(), strict=True)
    return predicted_counts(
        tag
        for example, found in pairs
        for gold, tag in zip(example.sentence.tags or (), found.tags, strict=True)
        if gold != UNLABELLED
    )


TASK = PartsOfSpeech()
