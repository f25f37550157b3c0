"""The part-of-speech tagging task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from abalo.core.protocols.corpus_spec import CorpusKind, source_in
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.subject import Subject
from abalo.core.records.example import Example, JsonObject
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.verdicts import Bound
from abalo.corpora import Corpus
from abalo.corpora.conllu import SUFFIXES
from abalo.corpora.conllu_writing import WRITERS
from abalo.corpora.coreference import holds_clusters
from abalo.corpora.loading import BUNDLED
from abalo.corpora.peek import beginning, holds_entities, holds_other_labels, labels_texts
from abalo.corpora.unpacking import format_ending
from abalo.models.labelling.labels import PLAIN
from abalo.models.labelling.prediction import Prediction
from abalo.tasks.pos.corpus import DEFAULT, SETTINGS, bundled_names
from abalo.tasks.pos.corpus import load as load_corpus
from abalo.tasks.pos.in_parts import TagsInParts
from abalo.tasks.pos.model import ADAPTER
from abalo.tasks.pos.report import TagReport, tagged_counts
from abalo.tasks.pos.targets import WordTargets
from abalo.tasks.tokens.task import TokenModels, TokenTask
from abalo.tasks.tokens.templates import TokenTemplates
from perturbations import Perturbation, Span
from perturbations.layers import UNLABELLED


def known_tags(subject: Subject) -> set[str] | None:
    """The tags of corpus and model; None if incomplete."""
    if not subject.model.labels and subject.options.limit is not None:
        return None
    gold = {tag for sentence in subject.corpus.sentences for tag in sentence.tags or ()}
    return {*gold, *subject.model.labels} - {UNLABELLED}


class PosTask(TokenTask):
    """Part-of-speech tagging, one tag per token.

    If the corpus has only one tag, the uninformed accuracy is 1.
    """

    name = "pos"
    title = "Part-of-speech tagging"
    metrics = Registry[Metric]("metric", "abalo.tasks.pos.metrics", "METRICS", several=True)
    floor = "accuracy"
    headline = "accuracy_drop_changed"
    probes = ("baseline", "perturbation", "pipeline", "slice", "attack", "invariance", "prompt")
    targets = WordTargets()
    group_noun = "part of speech"
    held_noun = "labelled words"
    default_corpus = DEFAULT
    corpus_kind = CorpusKind("CoNLL-U, or columns of a word and its tag", SETTINGS)
    models = TokenModels("fixtures/pos-pt/weights.npz", "the bundled model", known_tags, PLAIN, (ADAPTER,))
    writers = WRITERS
    templates = TokenTemplates("each", group_noun, known_tags)

    def read(self, spec: str, options: RunOptions) -> Corpus:
        return load_corpus(spec, limit=options.limit)

    def in_parts(self, spec: str, options: RunOptions) -> TagsInParts:
        return TagsInParts(spec)

    def recognises(self, spec: str) -> bool:
        file = source_in(spec)
        if file.startswith(BUNDLED):
            return file.removeprefix(BUNDLED) in bundled_names()
        if (ending := format_ending(file)) in SUFFIXES:
            return not holds_entities(file) and not holds_clusters(beginning(file), ending)
        return holds_other_labels(file) and not labels_texts(file)

    def accepts(self, perturbation: Perturbation) -> bool:
        return perturbation.level not in ("entity", "target") and perturbation.scheme in (None, "upos")

    def stated(self, example: Example, prediction: Prediction | None = None) -> tuple[Span, ...]:
        gold = example.sentence.tags or ()
        tags = gold if prediction is None else prediction.tags
        return tuple(Span(k, k + 1, tags[k]) for k, tag in enumerate(gold) if tag != UNLABELLED)

    # Counting ---------------------------------------------------------------------------------------------------------

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        tags: set[str] = set()
        for outcome in outcomes:
            made = outcome.perturbed
            tags.update(outcome.sentence.tags or (), () if made is None else made.sentence.tags or ())
        return sorted(tags - {UNLABELLED})

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        counts = [Counter(outcome.sentence.tags or ()) for outcome in outcomes]
        rows = [[each[tag] for tag in groups] for each in counts]
        return np.array(rows, dtype=np.int64).reshape(len(outcomes), len(groups))

    # Reports ----------------------------------------------------------------------------------------------------------

    def uninformed(self, evidence: Evidence, facts: JsonObject) -> Bound | None:
        return Bound(self.floor, "min", 1.0) if len(tagged_counts(facts["tags"])) == 1 else None

    @cached_property
    def report(self) -> TagReport:
        return TagReport(self, self.models.name)


TASK = PosTask()
