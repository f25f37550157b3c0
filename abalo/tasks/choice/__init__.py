"""Multiple-choice questions, put in several variants, and measures of how far the answers hold."""

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
from abalo.tasks.choice.task import TASK

__all__ = [
    "ORIG",
    "TASK",
    "Answer",
    "McNemar",
    "accuracy",
    "consistency_at_k",
    "delta_accuracy",
    "fragility_score",
    "load_all_results",
    "mcnemar_orig_vs_variants",
]
