"""The interface of coreference models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from perturbations import Sentence

MentionPlace = tuple[int, int]
"""Start and exclusive stop, in tokens."""

Cluster = tuple[MentionPlace, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """Disjoint clusters of a document, ordered by first mention."""

    clusters: tuple[Cluster, ...]
    inputs: int = 1


class CoreferenceModel(Protocol):
    """A coreference model; ``fingerprint`` changes whenever clusters could."""

    name: str
    fingerprint: str
    settings: dict[str, Any]
    device: str

    def predict(self, documents: Sequence[Sentence], /) -> list[Resolved]:
        """The clusters of each document, in order."""
        ...
