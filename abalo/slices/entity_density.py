"""Slice by entity density."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.corpora import Corpus
from abalo.slices.ranking import Ranked, at_the_end
from abalo.slices.slice import Cut, Slice
from perturbations import Sentence, entity_spans


@dataclass(frozen=True, slots=True, kw_only=True)
class DensitySettings(Ranked):
    """Which ``end`` and share."""

    end: Literal["sparsest", "densest"] = "densest"


def cut(corpus: Corpus, settings: DensitySettings) -> Cut:
    """Sentences by the share of their words in entities; excludes sentences without an entity."""
    top, text = settings.end == "densest", f"the sentences {settings.end} in words of entities"
    return at_the_end(corpus, _density, settings.share, top=top, text=text, unit="of all words")


def _density(sentence: Sentence) -> float | None:
    covered = sum(map(len, entity_spans(sentence.tags or ())))
    return covered / len(sentence) if covered else None


SLICE = Slice("entity_density", DensitySettings, cut, of_entities=True, title="Sentences {end} in entities")
