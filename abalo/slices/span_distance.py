"""Slice by distance of subject and object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.corpora import Corpus
from abalo.slices.ranking import Ranked, at_the_end
from abalo.slices.slice import Cut, Slice
from perturbations import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanDistanceSettings(Ranked):
    """Which ``end`` and share."""

    end: Literal["farthest", "closest"] = "farthest"


def cut(corpus: Corpus, settings: SpanDistanceSettings) -> Cut:
    """Sentences by the number of words between subject and object."""
    top, text = settings.end == "farthest", f"the sentences whose spans are {settings.end}"
    return at_the_end(corpus, words_between, settings.share, top=top, text=text, unit="words between")


def words_between(sentence: Sentence) -> float | None:
    """Words between the spans, at least 0; None without two."""
    if len(sentence.anchors) != 2:
        return None
    first, second = sorted(sentence.anchors, key=lambda anchor: anchor.start)
    return float(max(0, second.start - first.stop))


SLICE = Slice("span_distance", SpanDistanceSettings, cut, of_relations=True, title="Spans that are {end}")
