"""Limits on how much of a sentence may change."""

from __future__ import annotations

from collections.abc import Callable

from abalo.validators.distance import levenshtein
from perturbations import Perturbed, Sentence

Limit = Callable[[Sentence, Perturbed], bool]


def most_words(count: int) -> Limit:
    """At most ``count`` changed words."""
    return lambda _, variant: changed_words(variant) <= count


def most_changed(share: float, allowed: int = 0) -> Limit:
    """At most this share of the words, 0 to 1, or ``allowed`` words if that is more."""
    return lambda original, variant: changed_words(variant) <= max(share * len(original), allowed)


def most_edits(count: int) -> Limit:
    """A Levenshtein distance of at most ``count`` characters."""
    return lambda original, variant: levenshtein(original.text, variant.sentence.text) <= count


def changed_words(variant: Perturbed) -> int:
    """Number of replaced, deleted and inserted words."""
    return sum(edit.stop - edit.start or len(edit.tokens) for edit in variant.edits)
