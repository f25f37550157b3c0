"""The interface of parsers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from perturbations import ROOT, Sentence


@dataclass(frozen=True, slots=True)
class Parse:
    """Heads (from 0, `ROOT` for the root) and relations; not necessarily a tree."""

    heads: tuple[int, ...]
    relations: tuple[str, ...]
    inputs: int = 1

    @property
    def is_tree(self) -> bool:
        """True if one root leads to all words."""
        for word in range(len(self.heads)):
            steps = 0
            while word != ROOT and steps <= len(self.heads):
                word, steps = self.heads[word], steps + 1
            if word != ROOT:
                return False
        return self.heads.count(ROOT) == 1 or not self.heads


class ParsingModel(Protocol):
    """A parser; ``fingerprint`` changes whenever trees could."""

    labels: tuple[str, ...]
    name: str
    fingerprint: str
    settings: dict[str, Any]
    device: str

    def predict(self, sentences: Sequence[Sentence], /) -> list[Parse]:
        """A tree for each sentence, in order."""
        ...
