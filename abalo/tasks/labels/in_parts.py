"""Corpora of examples with labels, read part after part: what only all of their labels can tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from abalo.core.parts import Source
from abalo.corpora.corpus import Corpus
from abalo.corpora.in_parts import FileInParts
from perturbations import Perturbation

C = TypeVar("C", bound=Corpus)


class LabelsInParts(FileInParts[C]):
    """Examples with labels: a part counts what the model says of every label of the whole, also where it holds none."""

    def groups(self, source: Source) -> Sequence[str]:
        """The labels."""
        return source.labels

    def hindrance(self, member: Perturbation) -> str | None:
        """Whether all labels still hold after a change is a question of all examples."""
        if member.meaning == member.relation == "keeps":
            return None
        return "whether all labels still hold after its changes is a question of all of the corpus"
