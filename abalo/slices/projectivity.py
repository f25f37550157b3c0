"""Slice by crossing arcs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.core.records.configuring import Ranged
from abalo.corpora import Corpus
from abalo.slices.slice import Cut, Slice, spans_of_arcs
from perturbations import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectivitySettings(Ranged):
    """Which ``arcs``: "crossing" or "projective"."""

    arcs: Literal["crossing", "projective"] = "crossing"


def has_crossing(sentence: Sentence) -> bool:
    """Whether two arcs cross; the root's starts before the first word."""
    spans = spans_of_arcs(sentence)
    return any(a < c < b < d for a, b in spans for c, d in spans)


def cut(_corpus: Corpus, settings: ProjectivitySettings) -> Cut:
    """Sentences with or without crossing arcs in gold."""
    wanted = settings.arcs == "crossing"
    text = "sentences with crossing arcs" if wanted else "sentences without crossing arcs"
    return Cut(lambda sentence: has_crossing(sentence) == wanted, text)


SLICE = Slice("projectivity", ProjectivitySettings, cut, of_trees=True, title="Sentences with {arcs} arcs")
