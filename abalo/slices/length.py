"""Slice by sentence length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.corpora import Corpus
from abalo.slices.ranking import Ranked, at_the_end
from abalo.slices.slice import Cut, Slice


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthSettings(Ranked):
    """Which ``end`` and share."""

    end: Literal["shortest", "longest"] = "longest"


def cut(corpus: Corpus, settings: LengthSettings) -> Cut:
    """The longest or shortest sentences, in words.

    [TextFlint, catalogue name "LengthSubPopulation"]
    """
    top = settings.end == "longest"
    return at_the_end(corpus, len, settings.share, top=top, text=f"the {settings.end} sentences", unit="words")


SLICE = Slice("length", LengthSettings, cut, title="{end} sentences")
