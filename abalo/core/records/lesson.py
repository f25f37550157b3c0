"""Lessons: examples for trainers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lesson:
    """An example to learn from; if ``tagged``, ``texts`` are words with one label each.

    ``original`` is the unchanged text; None if it is the same.
    """

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    tagged: bool
    original: Lesson | None = None
