"""The longest or the shortest sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.corpora import Corpus
from abalo.slices.ranking import Ranked, at_the_end
from abalo.slices.slice import Cut, Slice


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthSettings(Ranked):
    """Which ``end``, and how many."""

    end: Literal["shortest", "longest"] = "longest"


def cut(corpus: Corpus, settings: LengthSettings) -> Cut:
    """The longest or the shortest sentences, by their words.

    [TextFlint, catalogue name "LengthSubPopulation"]
    """
    top = settings.end == "longest"
    return at_the_end(corpus, len, settings.share, top=top, text=f"the {settings.end} sentences", unit="words")


SLICE = Slice("length", LengthSettings, cut)
