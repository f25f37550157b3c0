"""The aspect section of reports."""

from __future__ import annotations

from abalo.core.records.outcome import Outcome
from abalo.tasks.aspects.corpus import aspect_in
from abalo.tasks.labels.report import LabelReport
from perturbations import Perturbed, Sentence, apply


class AspectReport(LabelReport):
    """Shows sentences with their aspect in brackets."""

    fixed_labels = True

    def displayed(self, outcome: Outcome) -> tuple[Sentence, Perturbed]:
        own, made = outcome.sentence, outcome.perturbed
        tokens, spaces = (*own.tokens, f"[{aspect_in(outcome.example)}]"), (*own.spaces[:-1], " ", "")
        asked = Sentence(tokens, spaces=spaces)
        return asked, apply(asked, [] if made is None else made.edits)
