"""Lessons: examples as a trainer takes them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lesson:
    """An example to learn from: what a model reads, and the labels that are right.

    ``texts`` are the words of a sentence where ``tagged``, each with its label, empty where nobody knows it; else one
    text, or two that are read together, with the labels of the whole. ``original`` is what it was changed from, None
    for an example as it stands in its corpus.
    """

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    tagged: bool
    original: Lesson | None = None
