"""The pair section of reports."""

from __future__ import annotations

from abalo.core.protocols.subject import Subject
from abalo.core.records.example import JsonObject, join_edits, join_fields
from abalo.core.records.outcome import Outcome
from abalo.tasks.labels.report import LabelReport
from abalo.tasks.pairs import blocks as report
from abalo.tasks.pairs.artefacts import artefacts
from perturbations import Perturbed, Sentence

BOTH = "both"


class PairReport(LabelReport):
    """Adds baselines that do not compare sentences, for whole corpora."""

    def corpus_facts(self, subject: Subject) -> JsonObject:
        return {
            **super().corpus_facts(subject),
            "scores": any(each is not None for each in subject.corpus.scores),
            "artefacts": None if subject.predictor.is_part else artefacts(subject.examples),
        }

    def displayed(self, outcome: Outcome) -> tuple[Sentence, Perturbed]:
        edits = {} if outcome.variant is None else outcome.variant.edits
        return join_fields(outcome.example.fields), join_edits(outcome.example.fields, edits)

    blocks = staticmethod(report.summary)
    remarks = staticmethod(report.remarks)
