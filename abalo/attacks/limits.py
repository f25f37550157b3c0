"""Limits on how much of a sentence a candidate may change. One that goes beyond is no candidate at all."""

from __future__ import annotations

from collections.abc import Callable

from abalo.validators.distance import levenshtein
from perturbations import Perturbed, Sentence

Limit = Callable[[Sentence, Perturbed], bool]
"""Whether a variant of a sentence keeps within the limit."""


def most_words(count: int) -> Limit:
    """At most ``count`` words changed."""
    return lambda _, variant: changed_words(variant) <= count


def most_changed(share: float) -> Limit:
    """At most this share of the words changed, 0 to 1."""
    return lambda original, variant: changed_words(variant) <= share * len(original)


def most_edits(count: int) -> Limit:
    """At most ``count`` characters put in, taken out or replaced in the text."""
    return lambda original, variant: levenshtein(original.text, variant.sentence.text) <= count


def changed_words(variant: Perturbed) -> int:
    """The words that edits replace or take out, and those that they put in beside others."""
    return sum(edit.stop - edit.start or len(edit.tokens) for edit in variant.edits)
