"""The part of reports about pairs of sentences."""

from __future__ import annotations

from abalo.core.example import Json, joined
from abalo.core.outcome import Outcome
from abalo.core.statistics import Measurement
from abalo.core.subject import Subject
from abalo.tasks.labels.report import LabelReport
from abalo.tasks.pairs import blocks as report
from abalo.tasks.pairs.artefacts import artefacts
from abalo.tasks.pairs.pair import joined_edits
from perturbations import Perturbed, Sentence

BOTH = "both"


class PairReport(LabelReport):
    """With how far one gets without comparing the sentences."""

    def facts(self, subject: Subject, baseline: Measurement) -> Json:
        """With how far one gets without comparing the sentences; None in place of that for a part of a corpus."""
        found = super().facts(subject, baseline)
        found["corpus"] |= {"scores": any(each is not None for each in subject.corpus.scores)}
        found["corpus"] |= {"artefacts": None if subject.predictor.is_part else artefacts(subject.examples)}
        return found

    def displayed(self, outcome: Outcome) -> tuple[Sentence, Perturbed]:
        """Both sentences as one, and what became of it."""
        edits = {} if outcome.variant is None else outcome.variant.edits
        return joined(outcome.example.fields), joined_edits(outcome.example.fields, edits)

    blocks = staticmethod(report.summary)
    remarks = staticmethod(report.remarks)
