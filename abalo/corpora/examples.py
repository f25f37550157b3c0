"""Sentences as examples with one field."""

from __future__ import annotations

from abalo.core.example import Example, Variant
from perturbations import Perturbed, Sentence, sentence_id

TEXT = "text"
"""The one field of an example that is a sentence."""


def example_of(sentence: Sentence) -> Example:
    """The sentence as an example, a copy of every other with the same tokens."""
    key = sentence_id(sentence)
    return Example(key, {TEXT: sentence}, key)


def variant_of(example: Example, perturbed: Perturbed) -> Variant:
    """The change of an example with one sentence; it keeps the id of its original."""
    return Variant(Example(example.id, {TEXT: perturbed.sentence}, example.cluster), {TEXT: perturbed})
