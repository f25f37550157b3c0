"""Answers to multiple-choice questions that were asked in several variants, and what they say about the model."""

from abalo.tasks.choice.answers import ORIG, Answer
from abalo.tasks.choice.logs import load_all_results
from abalo.tasks.choice.measures import (
    McNemar,
    accuracy,
    consistency_at_k,
    delta_accuracy,
    fragility_score,
    mcnemar_orig_vs_variants,
)

__all__ = [
    "ORIG",
    "Answer",
    "McNemar",
    "accuracy",
    "consistency_at_k",
    "delta_accuracy",
    "fragility_score",
    "load_all_results",
    "mcnemar_orig_vs_variants",
]
