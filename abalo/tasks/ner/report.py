"""The part of reports about entities."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from abalo.core.example import Json
from abalo.core.outcome import Outcome
from abalo.core.subject import Subject
from abalo.core.words import count
from abalo.corpora import Corpus
from abalo.models.fitting import PREDICTED, single, summed
from abalo.models.prediction import Prediction
from abalo.tasks.ner import blocks as report
from abalo.tasks.ner.fitting import doubt, notices, predicted_types, types_of_run, whole_types
from abalo.tasks.ner.marked import worst
from abalo.tasks.ner.metrics.attack import broken
from abalo.tasks.ner.metrics.entities import entities as entities_in
from abalo.tasks.ner.metrics.entities import entity_counts, f1
from abalo.tasks.ner.types import entity_types
from abalo.tasks.tokens.alignment import aligned
from abalo.tasks.tokens.report import TokenReport

_SUMS = "extra_sums"


class EntityReport(TokenReport):
    """The report of entities."""

    result_fields: ClassVar[Mapping[str, Any]] = {"unscored": None}
    scores = ("precision", "recall", "f1")
    view_meanings = report.VIEW_MEANINGS
    remarks = staticmethod(report.remarks)
    blocks = staticmethod(report.summary)
    sentences = staticmethod(worst)
    detail = staticmethod(report.detail)

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

    def own_facts(self, subject: Subject) -> Json:
        """The entity types of model and corpus."""
        return {"types": types_of_run(subject)}

    def notice(self, facts: Json) -> str | None:
        """Those of all such tasks, then a line for each way in which types fit only in part."""
        types, bounds = facts.get("types"), super().notice(facts)
        lines = [*([bounds] if bounds else []), *(notices(types) if types else [])]
        if "corpus" in facts and facts["corpus"]["limit"] is None:
            lines += single(facts["corpus"]["entities"], "entity")
        return "\n".join(lines) or None

    def doubt(self, subject: Subject) -> str:
        """A model that tells no labels never predicts a type of the corpus, or predicts others."""
        return doubt(types_of_run(subject))

    def baseline_extras(self, subject: Subject) -> Json:
        """Clean F1 under the other aggregation of word pieces, from the same forward; None where there is none."""
        return self.extras_of(self.extra_sums(subject))

    def part_facts(self, subject: Subject) -> Json:
        """With what further numbers are made of, and the types that the model predicts."""
        own = {_SUMS: self.extra_sums(subject), PREDICTED: predicted_types(subject)}
        return {**super().part_facts(subject), **own}

    def whole_facts(self, parts: Sequence[Json]) -> Json:
        """With the entity types of all parts, and the further numbers."""
        predicted = summed([part[PREDICTED] for part in parts])
        sums = [part[_SUMS] for part in parts]
        found = super().whole_facts(parts)
        types = whole_types([part["types"] for part in parts], found["corpus"]["entities"], predicted)
        extras = self.extras_of(None if None in sums else [float(each) for each in np.sum(sums, axis=0)])
        own = {name: value for name, value in found.items() if name not in (_SUMS, PREDICTED)}
        return {**own, "baseline": {**own["baseline"], **extras}, "types": types}

    def extra_sums(self, subject: Subject) -> list[float] | None:
        """The sums that the further numbers about the clean corpus are made of; those of its parts add up."""
        outcomes = []
        for example, prediction in zip(subject.examples, subject.predictor.clean(), strict=True):
            if prediction.alternative is None:
                return None
            other = Prediction(prediction.alternative)
            outcomes.append(Outcome(example, 0, other, None, other))
        counts = entity_counts(outcomes, "projected", entity_types(outcomes))
        return [float(each) for each in counts.sum(axis=(0, 1))]

    def extras_of(self, sums: list[float] | None) -> Json:
        """The further numbers that the sums make."""
        return {"f1_other_aggregation": None if sums is None else float(f1(np.array(sums)))}
