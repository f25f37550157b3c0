"""Multiple-choice questions in several variants."""

from abalo.questions.answers import ORIG, ChoiceAnswer
from abalo.questions.logs import load_all_results
from abalo.questions.mcnemar import McNemar, mcnemar_by_variant, mcnemar_orig_vs_variants
from abalo.questions.measures import accuracy, consistency_at_k, delta_accuracy, fragility_score
from abalo.questions.places import PlaceShare, place_shares
from abalo.questions.repeats import fragility_beyond_noise, noise
from abalo.tasks.choice.task import TASK

__all__ = [
    "ORIG",
    "TASK",
    "ChoiceAnswer",
    "McNemar",
    "PlaceShare",
    "accuracy",
    "consistency_at_k",
    "delta_accuracy",
    "fragility_beyond_noise",
    "fragility_score",
    "load_all_results",
    "mcnemar_by_variant",
    "mcnemar_orig_vs_variants",
    "noise",
    "place_shares",
]
