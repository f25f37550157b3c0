"""The relation section of reports."""

from __future__ import annotations

from dataclasses import replace

from abalo.core.records.outcome import Outcome
from abalo.tasks.labels.report import LabelReport
from abalo.tasks.relations.sentences import spans_in
from perturbations import Perturbed, Sentence

_CLOSES = ("]₁", "]₂")


class RelationReport(LabelReport):
    """Shows the subject as ``[…]₁`` and the object as ``[…]₂``."""

    scores = ("macro_f1", "micro_f1")

    def displayed(self, outcome: Outcome) -> tuple[Sentence, Perturbed]:
        source, made = super().displayed(outcome)
        return bracketed(source), replace(made, sentence=bracketed(made.sentence))


def bracketed(sentence: Sentence) -> Sentence:
    """The sentence with its spans in brackets."""
    tokens = list(sentence.tokens)
    for span, closes in zip(spans_in(sentence), _CLOSES, strict=False):
        tokens[span.start] = f"[{tokens[span.start]}"
        tokens[span.stop - 1] += closes
    return replace(sentence, tokens=tuple(tokens))
