"""A sentence as a reader found it, before its tags are checked and normalised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Draft:
    """Tokens with visible characters, and equally many tags of any scheme.

    ``places`` holds where each token stands: its line or record counted from 1, or its row of a data set from 0.
    ``spaces`` holds the white space after each token, None where the format does not tell. ``kinds`` holds what may be
    the part of speech of each token, None where there is nothing that may. ``opens`` says that a document begins here.
    """

    tokens: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    spaces: list[str] | None = None
    kinds: list[str] | None = None
    opens: bool = False

    def only(self, kept: Sequence[int]) -> Draft:
        """The sentence of just the tokens ``kept``."""
        return Draft(
            [self.tokens[i] for i in kept],
            [self.tags[i] for i in kept],
            [self.places[i] for i in kept],
            None if self.spaces is None else [self.spaces[i] for i in kept],
            None if self.kinds is None else [self.kinds[i] for i in kept],
            self.opens,
        )
