"""Sentences and words of a first file of capabilities, which users edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class StarterWords:
    """Sentences of one language for the starter file.

    Attributes:
        about: Sentences with ``{x}`` by sort of entity; "" for other labels.
        asides: Phrases that change nothing.
        tags: Sentence and words by part of speech.
        question: Question, its two keys, and pairs of values.
        opinions: Text with ``{x}``, and words by label.
        pair: Text with ``{x}``, an entailment, a contradiction, and words.
        aspects: Opinions of a ``{thing}``, and things.
        in_front: Whether asides begin the sentence, or precede its last word.
        names: Names by sort, if none can be invented.
    """

    about: Mapping[str, Sequence[str]]
    asides: Sequence[str]
    tags: Mapping[str, tuple[str, Sequence[str]]]
    question: tuple[str, str, str, Sequence[tuple[str, str]]]
    opinions: tuple[str, Mapping[str, Sequence[str]]]
    pair: tuple[str, str, str, Sequence[str]]
    aspects: tuple[str, Mapping[str, Sequence[str]], Sequence[str]]
    in_front: bool = False
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def with_aside(self, sentence: str) -> str:
        """Inserts a slot for an aside."""
        words, last = sentence.rsplit(" ", 1)
        return f"{{aside}} {sentence}" if self.in_front else f"{words} {{aside}} {last}"
