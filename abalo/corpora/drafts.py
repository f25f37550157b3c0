"""Sentences before tags are checked and normalised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Draft:
    """Visible tokens, each with a tag of any scheme.

    Attributes:
        places: line or record from 1, or data set row from 0.
        spaces: white space after each token; None if unknown.
        kinds: possible parts of speech, or None.
        opens: whether a document begins.
    """

    tokens: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    spaces: list[str] | None = None
    kinds: list[str] | None = None
    opens: bool = False

    def only(self, kept: Sequence[int]) -> Draft:
        """The sentence reduced to ``kept`` tokens."""
        return Draft(
            [self.tokens[i] for i in kept],
            [self.tags[i] for i in kept],
            [self.places[i] for i in kept],
            None if self.spaces is None else [self.spaces[i] for i in kept],
            None if self.kinds is None else [self.kinds[i] for i in kept],
            self.opens,
        )
