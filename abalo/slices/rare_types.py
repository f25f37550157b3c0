"""Slice of rare entity types."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from abalo.core.records.configuring import Ranges
from abalo.corpora import Corpus
from abalo.corpora.training import corpus_name, load_named
from abalo.slices.slice import Cut, Slice
from abalo.slices.training import Trained
from perturbations import Sentence, entity_spans


@dataclass(frozen=True, slots=True, kw_only=True)
class RareSettings(Trained):
    """The rarest types that together make up at most ``share`` of all entities.

    ``training`` provides the counts, by default the judged corpus. Absent types are rarest.
    """

    share: float = 0.2

    ranges: ClassVar[Ranges] = {"share": (0.001, 0.999)}


def cut(corpus: Corpus, settings: RareSettings) -> Cut:
    """Sentences with an entity of a rare type."""
    counted = corpus.alike(load_named(settings.training)) if settings.training else corpus
    rare = rarest(dict.fromkeys(corpus.entity_counts, 0) | counted.entity_counts, settings.share)
    types = ", ".join(sorted(rare)) or "none"
    name = corpus_name(counted)
    text = f"sentences with an entity of a type rare in {name}, {100 * settings.share:g} % at most: {types}"
    return Cut(partial(_holds, rare=rare), text)


def rarest(counts: dict[str, int], share: float) -> frozenset[str]:
    """The rarest types with at most ``share`` of all entities; ties stay together."""
    total, found = sum(counts.values()), set[str]()
    for number in sorted(set(counts.values())):
        next_ones = {kind for kind, count in counts.items() if count == number}
        if sum(counts[kind] for kind in found | next_ones) > share * total:
            break
        found |= next_ones
    return frozenset(found)


def _holds(sentence: Sentence, rare: frozenset[str]) -> bool:
    return any(span.type in rare for span in entity_spans(sentence.tags or ()))


SLICE = Slice("rare_types", RareSettings, cut, of_entities=True, title="Rare entity types")
