"""The task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from abalo.bundled import CORPUS
from abalo.core.example import Example, Json, Outcome
from abalo.core.metrics import Metric
from abalo.core.registry import Registry
from abalo.core.session import Session
from abalo.core.words import count
from abalo.corpora import Corpus
from abalo.corpora import load as load_corpus
from abalo.corpora.loading import BUNDLED, bundled_names
from abalo.corpora.peek import first_record, last_columns
from abalo.corpora.schemes import looks_like_tag
from abalo.models.labels import types_of
from abalo.models.prediction import Prediction
from abalo.tasks.ner import blocks as report
from abalo.tasks.ner.metrics.attack import broken
from abalo.tasks.ner.metrics.entities import entity_counts, f1
from abalo.tasks.ner.types import entities_held, entity_types
from abalo.tasks.tokens.alignment import aligned
from abalo.tasks.tokens.task import TokenTask
from perturbations import Perturbation, Span, entity_spans


class NamedEntities(TokenTask):
    """Named-entity recognition: tokens with BIO labels, entities that are right in type and both ends."""

    name = "ner"
    title = "Named-entity recognition"
    metrics = Registry[Metric]("metric", "abalo.tasks.ner.metrics", "METRICS", several=True)
    floor = "f1"
    headline = "f1_drop"
    gap = "f1_gap"
    scores = ("precision", "recall", "f1")
    view_meanings = report.VIEW_MEANINGS
    probes = ("baseline", "perturbation", "pipeline", "slice", "attack", "promise")
    group_noun = "entity type"
    held_noun = "entities"
    lone_noun = "entity"
    default_corpus = CORPUS
    corpus_kind = 'columns that end in O or B-, I-, E-, S-, L-, U- and a type; JSON lines with "tokens" and "tags"'
    default_model = "fixtures/model"
    aims = True
    leads = True
    result_fields: ClassVar[Mapping[str, Any]] = {"unscored": None}

    def read(self, spec: str, options: Any) -> Corpus:
        """A CoNLL or JSONL file, a bundled corpus, or a data set of the hub."""
        return load_corpus(spec, limit=options.limit, lenient=options.lenient, scheme=options.scheme)

    def recognises(self, spec: str) -> bool:
        """A corpus that ships, columns that end in tags of a scheme, or records that have tags."""
        if spec.startswith(BUNDLED):
            return spec.removeprefix(BUNDLED) in bundled_names()
        columns, keys = last_columns(spec), first_record(spec)
        return bool(columns and all(map(looks_like_tag, columns))) or {"tokens", "tags"} <= keys

    def accepts(self, perturbation: Perturbation) -> bool:
        """All but those that look at other labels than entities."""
        return perturbation.scheme in (None, "bio")

    def spans(self, example: Example, prediction: Any = None) -> tuple[Span, ...]:
        """Gold entities, or those of a prediction."""
        tags = example.sentence.tags if prediction is None else prediction.tags
        return tuple(entity_spans(tags or ()))

    groups = staticmethod(entity_types)
    held = staticmethod(entities_held)

    def known_groups(self, session: Session) -> set[str]:
        """The entity types of corpus and model."""
        return types_of(session.model.labels) | set(session.corpus.entity_counts)

    def result_facts(self, outcomes: Sequence[Outcome], *, with_text: bool) -> Json:
        """Tokens in gold entities, counted once, whose label is none of the model's; None where there are no scores."""
        once = {id(outcome.sentence): outcome for outcome in outcomes}.values()
        if any(outcome.scale is None or outcome.clean.scores is None for outcome in once):
            return {"unscored": None}
        labels = {label for outcome in once for label in outcome.scale.labels}
        return {"unscored": sum(tag not in {"O", *labels} for each in once for tag in each.sentence.tags or ())}

    def errors_added(self, outcome: Outcome, view: str) -> int:
        """Entities missed or invented after the change, less those of the clean prediction.

        Of an attack that searches 0 unless it broke its target.
        """
        if outcome.searched is not None and not broken(outcome):
            return 0
        gold, predicted = aligned(outcome.sentence, outcome.perturbed, outcome.prediction.tags, view)
        before = set(entity_spans(outcome.sentence.tags or ())) ^ set(entity_spans(outcome.clean.tags))
        return len(set(entity_spans(gold)) ^ set(entity_spans(predicted))) - len(before)

    def labels_in(self, corpus: Corpus) -> Json:
        """Entities by type."""
        return {"entities": corpus.entity_counts}

    def labels_in_words(self, corpus: Mapping[str, Any]) -> str:
        """The number of entities."""
        return count(sum(corpus["entities"].values()), "entity", "entities")

    remarks = staticmethod(report.remarks)
    blocks = staticmethod(report.summary)
    detail = staticmethod(report.detail)

    def baseline_extras(self, session: Session) -> Json:
        """Clean F1 under the other aggregation of word pieces, from the same forward; None where there is none."""
        outcomes = []
        for example, prediction in zip(session.examples, session.predictor.clean(), strict=True):
            if prediction.alternative is None:
                return {"f1_other_aggregation": None}
            other = Prediction(prediction.alternative)
            outcomes.append(Outcome(example, 0, other, None, other))
        counts = entity_counts(outcomes, "projected", entity_types(outcomes))
        return {"f1_other_aggregation": float(f1(counts.sum(axis=(0, 1))))}


TASK = NamedEntities()
