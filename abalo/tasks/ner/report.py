"""The entity section of reports."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from abalo.core.documents.document import CorpusFacts, TypeFacts
from abalo.core.protocols.subject import Subject
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import as_json, read
from abalo.core.records.outcome import Outcome
from abalo.core.records.words import count
from abalo.core.statistics.estimates import Measurement
from abalo.corpora import Corpus
from abalo.models.labelling.fitting import PREDICTED, add_counts, single
from abalo.models.labelling.prediction import Prediction
from abalo.tasks.ner import blocks as report
from abalo.tasks.ner.facts import ScoredFields
from abalo.tasks.ner.fitting import doubt, notices, predicted_types, types_of_run, whole_types
from abalo.tasks.ner.marked import worst
from abalo.tasks.ner.metrics.attack import is_broken
from abalo.tasks.ner.metrics.entities import entities as entities_in
from abalo.tasks.ner.metrics.entities import entity_counts, f1
from abalo.tasks.ner.types import entity_types
from abalo.tasks.tokens.alignment import align_labels
from abalo.tasks.tokens.report import TokenReport

_SUMS = "extra_sums"


class EntityReport(TokenReport):
    """Reports on entities. A failed search adds no errors."""

    result_fields = ScoredFields
    scores = ("precision", "recall", "f1")
    view_meanings = report.VIEW_MEANINGS
    remarks = staticmethod(report.remarks)
    blocks = staticmethod(report.summary)
    sentences = staticmethod(worst)
    detail = staticmethod(report.detail)

    def result_facts(self, outcomes: Sequence[Outcome], *, with_text: bool) -> JsonObject:
        once = {id(outcome.sentence): outcome for outcome in outcomes}.values()
        if any(outcome.scale is None or outcome.clean.scores is None for outcome in once):
            return {"unscored": None}
        labels = {label for outcome in once for label in outcome.scale.labels}
        return {"unscored": sum(tag not in {"O", *labels} for each in once for tag in each.sentence.tags or ())}

    def errors_added(self, outcome: Outcome, view: str) -> int:
        if outcome.searched is not None and not is_broken(outcome):
            return 0
        gold, predicted = align_labels(outcome.sentence, outcome.perturbed, outcome.prediction.tags, view)
        return len(entities_in(gold) ^ entities_in(predicted)) - self.errors_before(outcome)

    def errors_before(self, outcome: Outcome) -> int:
        return len(entities_in(outcome.sentence.tags or ()) ^ entities_in(outcome.clean.tags))

    def wrong_groups(self, gold: Sequence[str], predicted: Sequence[str]) -> Collection[str]:
        return {span.type for span in entities_in(tuple(gold)) ^ entities_in(tuple(predicted))}

    def labels_in(self, corpus: Corpus) -> JsonObject:
        return {"entities": corpus.entity_counts}

    def labels_in_words(self, corpus: CorpusFacts) -> str:
        return count(sum(corpus.entities.values()), "entity", "entities")

    def own_facts(self, subject: Subject) -> JsonObject:
        return {"types": as_json(types_of_run(subject))}

    def notice(self, facts: JsonObject) -> str | None:
        types, bounds = facts.get("types"), super().notice(facts)
        lines = [*([bounds] if bounds else []), *(notices(read(TypeFacts, types)) if types else [])]
        if "corpus" in facts and facts["corpus"]["limit"] is None:
            lines += single(facts["corpus"]["entities"], "entity")
        return "\n".join(lines) or None

    def doubt(self, subject: Subject) -> str:
        return doubt(types_of_run(subject))

    def facts(self, subject: Subject, baseline: Measurement) -> JsonObject:
        found = super().facts(subject, baseline)
        return {**found, "baseline": {**found["baseline"], **self.extras_of(self.extra_sums(subject))}}

    def part_facts(self, subject: Subject) -> JsonObject:
        own = {_SUMS: self.extra_sums(subject), PREDICTED: predicted_types(subject)}
        return {**super().part_facts(subject), **own}

    def whole_facts(self, parts: Sequence[JsonObject]) -> JsonObject:
        predicted = add_counts([part[PREDICTED] for part in parts])
        sums = [part[_SUMS] for part in parts]
        found = super().whole_facts(parts)
        types = whole_types([read(TypeFacts, part["types"]) for part in parts], found["corpus"]["entities"], predicted)
        extras = self.extras_of(None if None in sums else [float(each) for each in np.sum(sums, axis=0)])
        own = {name: value for name, value in found.items() if name not in (_SUMS, PREDICTED)}
        return {**own, "baseline": {**own["baseline"], **extras}, "types": as_json(types)}

    def extra_sums(self, subject: Subject) -> list[float] | None:
        """Additive sums behind further clean numbers."""
        outcomes = []
        for example, prediction in zip(subject.examples, subject.predictor.clean(), strict=True):
            if prediction.alternative is None:
                return None
            other = Prediction(prediction.alternative)
            outcomes.append(Outcome(example, 0, other, None, other))
        counts = entity_counts(outcomes, "projected", entity_types(outcomes))
        return [float(each) for each in counts.sum(axis=(0, 1))]

    def extras_of(self, sums: list[float] | None) -> JsonObject:
        """Further clean numbers from these sums."""
        return {"f1_other_aggregation": None if sums is None else float(f1(np.array(sums)))}
