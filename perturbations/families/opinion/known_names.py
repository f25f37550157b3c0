"""Names of persons and films that readers know, where they stand in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal

from perturbations.lexicons import rows
from perturbations.sites import in_entities
from perturbations.text import Sentence

Known = Literal["person", "film", "any"]
"""The names that are meant: of persons, of films, or both."""

_ARTICLES = frozenset(["a", "an", "as", "o", "os", "the", "um", "uma"])

_TOLD = "told "
"""Before the kind of names that are told about, and never put in the place of others."""

LONGEST_LINK = 3
"""Letters of the longest word of a summary that is no role, such as *the*."""

_LEAST = {"woman": 2, "man": 2, "film": 3}
"""How many words, besides an article before them, a name must have to be known in text without capitals: there *modern
times* are mostly no film."""


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name: its tokens, woman, man or film, the tokens of what it is, and whether no name becomes it."""

    tokens: tuple[str, ...]
    kind: str
    summary: tuple[str, ...]
    is_told: bool = False

    @property
    def roles(self) -> frozenset[str]:
        """The words for what it is: *director*, *actress*; none for a film."""
        if self.kind == "film":
            return frozenset()
        said = self.summary[: self.summary.index(",")] if "," in self.summary else self.summary
        first = said[0] if len(said[0]) > LONGEST_LINK else None  # before its nationality: *cantora americana*
        words = said if first is None else [first, *(word for e, word in pairwise(said) if e == "e")]
        return frozenset(word for word in words if word.islower() and len(word) > LONGEST_LINK)

    def can_become(self, other: KnownName) -> bool:
        """Whether the other is of the same kind and, if they are persons, did the same."""
        alike = other.kind == self.kind and (self.kind == "film" or not self.roles.isdisjoint(other.roles))
        return alike and other.tokens != self.tokens and not other.is_told

    @property
    def is_telling(self) -> bool:
        """Whether it is surely a name without its capitals, too."""
        own = self.tokens[1:] if self.tokens[0].lower() in _ARTICLES else self.tokens
        return len(own) >= _LEAST[self.kind]


@cache
def names_of(language: str, which: Known) -> Sequence[KnownName]:
    """The names that are meant, in the order of their list."""
    kinds = {"person": ("woman", "man"), "film": ("film",), "any": ("woman", "man", "film")}[which]
    return [name for name in _names(language) if name.kind in kinds]


def names_in(sentence: Sentence, language: str, which: Known) -> Sequence[tuple[int, int, KnownName]]:
    """The names in a sentence with the tokens they take, from left to right, the longest that fits; none in entities.

    They are known by their capitals; in text without any only those that are hardly anything else.
    """
    tokens = sentence.tokens
    small = not any(map(str.isupper, "".join(tokens)))
    known = _by_first(language, small)
    if known.keys().isdisjoint(tokens):
        return ()
    found, kept, taken = [], _names_meant(language, which), in_entities(sentence)
    i = 0
    while i < len(tokens):
        for written, name in known.get(tokens[i], ()):
            stop = i + len(written)
            if tokens[i:stop] == written and not any(taken[i:stop]):
                if name.tokens in kept:
                    found.append((i, stop, name))
                i = stop - 1
                break
        i += 1
    return found


@cache
def _names(language: str) -> Sequence[KnownName]:
    return [
        KnownName(tuple(name.split()), kind.removeprefix(_TOLD), tuple(said.split()), kind.startswith(_TOLD))
        for name, kind, said in rows(f"known_names_{language}")
    ]


@cache
def _names_meant(language: str, which: Known) -> frozenset[tuple[str, ...]]:
    return frozenset(name.tokens for name in names_of(language, which))


@cache
def _by_first(language: str, small: bool) -> Mapping[str, Sequence[tuple[tuple[str, ...], KnownName]]]:
    """The names, as they are written there, by their first token, the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], KnownName]]] = {}
    for name in sorted(_names(language), key=lambda name: -len(name.tokens)):
        if not small or name.is_telling:
            written = tuple(map(str.lower, name.tokens)) if small else name.tokens
            found.setdefault(written[0], []).append((written, name))
    return found
