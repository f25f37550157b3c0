"""Sentences as examples with one field."""

from __future__ import annotations

from abalo.core.records.example import Example, Variant
from perturbations import Perturbed, Sentence, sentence_id

TEXT = "text"


def example_of(sentence: Sentence) -> Example:
    """The sentence as an example, clustered by tokens."""
    key = sentence_id(sentence)
    return Example(key, {TEXT: sentence}, key)


def variant_of(example: Example, perturbed: Perturbed) -> Variant:
    """A variant with its original's id."""
    return Variant(Example(example.id, {TEXT: perturbed.sentence}, example.cluster), {TEXT: perturbed})
