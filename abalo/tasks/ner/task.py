"""The task."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from abalo.bundled import CORPUS
from abalo.core.example import Example, Json
from abalo.core.metrics import Metric
from abalo.core.options import RunOptions
from abalo.core.outcome import Outcome
from abalo.core.plan import AnyRow
from abalo.core.registry import Registry
from abalo.core.subject import Subject
from abalo.core.verdicts import Bound
from abalo.core.words import count
from abalo.corpora import Corpus
from abalo.corpora import load as load_corpus
from abalo.corpora.loading import BUNDLED, bundled_names, names_columns
from abalo.corpora.peek import first_record, holds_entities, holds_texts_with_spans
from abalo.corpora.records import TAG_KEYS
from abalo.corpora.types import parse_types
from abalo.models.fitting import PREDICTED, single, summed
from abalo.models.prediction import Prediction
from abalo.tasks.ner import blocks as report
from abalo.tasks.ner.fitting import doubt, known_types, notices, predicted_types, types_of_run, whole_types
from abalo.tasks.ner.in_parts import EntitiesInParts
from abalo.tasks.ner.marked import worst
from abalo.tasks.ner.metrics.attack import broken
from abalo.tasks.ner.metrics.entities import entities as entities_in
from abalo.tasks.ner.metrics.entities import entity_counts, f1
from abalo.tasks.ner.targets import EntityTargets
from abalo.tasks.ner.types import entities_held, entity_types
from abalo.tasks.tokens.alignment import aligned
from abalo.tasks.tokens.task import TokenTask
from abalo.tasks.tokens.templates import TokenTemplates
from perturbations import Perturbation, Span, entity_spans

_SUMS = "extra_sums"


class NamedEntities(TokenTask):
    """Named-entity recognition: tokens with BIO labels, entities that are right in type and both ends."""

    name = "ner"
    title = "Named-entity recognition"
    metrics = Registry[Metric]("metric", "abalo.tasks.ner.metrics", "METRICS", several=True)
    floor = "f1"
    headline = "f1_drop_changed"
    scores = ("precision", "recall", "f1")
    view_meanings = report.VIEW_MEANINGS
    probes = ("baseline", "perturbation", "pipeline", "slice", "attack", "promise")
    group_noun = "entity type"
    held_noun = "entities"
    lone_noun = "entity"
    default_corpus = CORPUS
    corpus_kind = (
        'columns that end in O or B-, I-, E-, S-, L-, U-, M- and a type; JSON with "tokens" and "tags", or with "text" '
        "and spans of start, end and label"
    )
    default_model = "fixtures/model"
    labelled = "spans"
    known_groups = staticmethod(known_types)
    templates = TokenTemplates("bio", group_noun, known_types)
    targets = EntityTargets()
    result_fields: ClassVar[Mapping[str, Any]] = {"unscored": None}

    def read(self, spec: str, options: RunOptions) -> Corpus:
        """A CoNLL or JSON file, a bundled corpus, or a data set of the hub or of a folder."""
        asked = options.types
        types = None if asked is None else parse_types(asked)
        return load_corpus(spec, limit=options.limit, lenient=options.lenient, scheme=options.scheme, types=types)

    def in_parts(self, spec: str, options: RunOptions) -> EntitiesInParts:
        """A CoNLL file, JSON lines or Parquet."""
        types = None if options.types is None else parse_types(options.types)
        return EntitiesInParts(spec, lenient=options.lenient, scheme=options.scheme, types=types)

    def recognises(self, spec: str) -> bool:
        """A corpus that ships, columns or records with tags of entities, spans of a text, or columns that are named."""
        if spec.startswith(BUNDLED):
            return spec.removeprefix(BUNDLED) in bundled_names()
        if names_columns(spec):
            return True
        keys = first_record(spec)
        tagged = "tokens" in keys and not keys.isdisjoint(TAG_KEYS)
        return tagged or holds_entities(spec) or holds_texts_with_spans(spec)

    def accepts(self, perturbation: Perturbation) -> bool:
        """All but those that look at other labels than entities."""
        return perturbation.scheme in (None, "bio")

    def stated(self, example: Example, prediction: Any = None) -> tuple[Span, ...]:
        """Gold entities, or those of a prediction."""
        tags = example.sentence.tags if prediction is None else prediction.tags
        return tuple(entity_spans(tags or ()))

    groups = staticmethod(entity_types)
    held = staticmethod(entities_held)

    def check(self, cases: Iterable[AnyRow], session: Subject) -> Iterable[tuple[AnyRow, Bound, str]]:
        """Bounds on types that neither corpus nor model has, or that are left out."""
        for case, bound, problem in super().check(cases, session):
            if bound.type in session.corpus.left_out:
                problem = f"the entity type {bound.type!r} is left out by --abalo-types; remove the bound, or judge it"
            yield case, bound, problem

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
        return len(entities_in(gold) ^ entities_in(predicted)) - self.errors_before(outcome)

    def errors_before(self, outcome: Outcome) -> int:
        """Entities missed or invented on the clean sentence."""
        return len(entities_in(outcome.sentence.tags or ()) ^ entities_in(outcome.clean.tags))

    def wrong_groups(self, gold: Sequence[str], predicted: Sequence[str]) -> Collection[str]:
        """The types of entities that are missed or invented."""
        return {span.type for span in entities_in(tuple(gold)) ^ entities_in(tuple(predicted))}

    def labels_in(self, corpus: Corpus) -> Json:
        """Entities by type."""
        return {"entities": corpus.entity_counts}

    def labels_in_words(self, corpus: Mapping[str, Any]) -> str:
        """The number of entities."""
        return count(sum(corpus["entities"].values()), "entity", "entities")

    def own_facts(self, session: Subject) -> Json:
        """The entity types of model and corpus."""
        return {"types": types_of_run(session)}

    def notice(self, facts: Json) -> str | None:
        """Those of all such tasks, then a line for each way in which types fit only in part."""
        types, bounds = facts.get("types"), super().notice(facts)
        lines = [*([bounds] if bounds else []), *(notices(types) if types else [])]
        if "corpus" in facts and facts["corpus"]["limit"] is None:
            lines += single(facts["corpus"]["entities"], self.lone_noun)
        return "\n".join(lines) or None

    def doubt(self, session: Subject) -> str:
        """A model that tells no labels never predicts a type of the corpus, or predicts others."""
        return doubt(types_of_run(session))

    remarks = staticmethod(report.remarks)
    blocks = staticmethod(report.summary)
    sentences = staticmethod(worst)
    detail = staticmethod(report.detail)

    def baseline_extras(self, session: Subject) -> Json:
        """Clean F1 under the other aggregation of word pieces, from the same forward; None where there is none."""
        return self.extras_of(self.extra_sums(session))

    def part_facts(self, session: Subject) -> Json:
        """With what further numbers are made of, and the types that the model predicts."""
        own = {_SUMS: self.extra_sums(session), PREDICTED: predicted_types(session)}
        return {**super().part_facts(session), **own}

    def whole_facts(self, parts: Sequence[Json]) -> Json:
        """With the entity types of all parts, and the further numbers."""
        predicted = summed([part[PREDICTED] for part in parts])
        sums = [part[_SUMS] for part in parts]
        found = super().whole_facts(parts)
        types = whole_types([part["types"] for part in parts], found["corpus"]["entities"], predicted)
        extras = self.extras_of(None if None in sums else [float(each) for each in np.sum(sums, axis=0)])
        own = {name: value for name, value in found.items() if name not in (_SUMS, PREDICTED)}
        return {**own, "baseline": {**own["baseline"], **extras}, "types": types}

    def extra_sums(self, session: Subject) -> list[float] | None:
        """The sums that the further numbers about the clean corpus are made of; those of its parts add up."""
        outcomes = []
        for example, prediction in zip(session.examples, session.predictor.clean(), strict=True):
            if prediction.alternative is None:
                return None
            other = Prediction(prediction.alternative)
            outcomes.append(Outcome(example, 0, other, None, other))
        counts = entity_counts(outcomes, "projected", entity_types(outcomes))
        return [float(each) for each in counts.sum(axis=(0, 1))]

    def extras_of(self, sums: list[float] | None) -> Json:
        """The further numbers that the sums make."""
        return {"f1_other_aggregation": None if sums is None else float(f1(np.array(sums)))}


TASK = NamedEntities()
