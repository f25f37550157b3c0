"""Places in a sentence where any word of a class and form could stand, so that its part of speech stays what it is."""

from __future__ import annotations

from dataclasses import dataclass

from perturbations.text import Sentence


@dataclass(frozen=True, slots=True)
class TaggedWords:
    """The words of a sentence in lower case with their tags; empty strings stand outside it."""

    lowered: tuple[str, ...]
    tags: tuple[str, ...]

    @classmethod
    def of(cls, sentence: Sentence) -> TaggedWords:
        """The words of the sentence; the tag of one whose part of speech is not known is empty."""
        tags = [part_of_speech(tag) or "" for tag in sentence.tags or ("",) * len(sentence)]
        return cls(tuple(map(str.lower, sentence.tokens)), tuple(tags))

    def word(self, place: int) -> str:
        """The word there."""
        return self.lowered[place] if 0 <= place < len(self.lowered) else ""

    def tag(self, place: int) -> str:
        """The tag there."""
        return self.tags[place] if 0 <= place < len(self.tags) else ""

    def touches(self, place: int, *marks: str) -> bool:
        """Whether one of the marks stands right before or after the place."""
        return self.word(place - 1) in marks or self.word(place + 1) in marks

    def verb_follows(self, place: int) -> bool:
        """Whether a verb stands behind the place, before the next mark."""
        for tag in self.tags[place + 1 :]:
            if tag in ("PUNCT", "VERB", "AUX"):
                return tag != "PUNCT"
        return False


def part_of_speech(tag: str) -> str | None:
    """The tag, if it is no label of an entity; None for those, ``O`` among them."""
    return None if tag in ("", "O") or tag[:2] in ("B-", "I-") else tag
