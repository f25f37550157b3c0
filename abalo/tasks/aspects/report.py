"""The part of reports about aspects."""

from __future__ import annotations

from abalo.core.outcome import Outcome
from abalo.tasks.aspects.corpus import aspect_in
from abalo.tasks.labels.report import LabelReport
from perturbations import Perturbed, Sentence, apply


class AspectReport(LabelReport):
    """Sentences are shown with the aspect that is asked about."""

    fixed_labels = True

    def displayed(self, outcome: Outcome) -> tuple[Sentence, Perturbed]:
        """The sentence with the aspect in brackets behind it, and what became of it."""
        own, made = outcome.sentence, outcome.perturbed
        tokens, spaces = (*own.tokens, f"[{aspect_in(outcome.example)}]"), (*own.spaces[:-1], " ", "")
        asked = Sentence(tokens, spaces=spaces)
        return asked, apply(asked, [] if made is None else made.edits)
