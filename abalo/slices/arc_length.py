"""Slice by longest arc."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.corpora import Corpus
from abalo.slices.ranking import Ranked, at_the_end
from abalo.slices.slice import Cut, Slice, spans_of_arcs
from perturbations import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class ArcLengthSettings(Ranked):
    """Which ``end`` and share."""

    end: Literal["longest", "shortest"] = "longest"


def longest_arc(sentence: Sentence) -> float | None:
    """Words spanned by the longest arc, except the root's."""
    return max((stop - start for start, stop in spans_of_arcs(sentence) if start >= 0), default=None)


def cut(corpus: Corpus, settings: ArcLengthSettings) -> Cut:
    """Sentences with the longest, or the shortest, longest arc in gold."""
    top = settings.end == "longest"
    text = f"the sentences with the {settings.end} arcs"
    return at_the_end(corpus, longest_arc, settings.share, top=top, text=text, unit="words")


SLICE = Slice("arc_length", ArcLengthSettings, cut, of_trees=True, title="Sentences with the {end} arcs")
