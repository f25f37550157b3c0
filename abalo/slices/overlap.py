"""Slice by word overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.corpora import Corpus
from abalo.slices.ranking import Ranked, at_the_end
from abalo.slices.slice import Cut, Slice
from perturbations import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapSettings(Ranked):
    """Which ``end`` and share."""

    end: Literal["lowest", "highest"] = "highest"


def overlap(sentence: Sentence) -> float | None:
    """The share of the second anchor's words in the first, 0 to 1.

    Letter case and marks are ignored.
    """
    if len(sentence.anchors) < 2:
        return None
    first, second = (
        [token.lower() for token in sentence.tokens[span.start : span.stop] if any(map(str.isalnum, token))]
        for span in sentence.anchors[:2]
    )
    return sum(word in {*first} for word in second) / len(second) if second else None


def cut(corpus: Corpus, settings: OverlapSettings) -> Cut:
    """Cuts by the share of words of the second text that the first has.

    [TextFlint, catalogue section 4, "NLI Lexical"; McCoy et al. 2019, HANS, lexical overlap]
    """
    top = settings.end == "highest"
    text = f"the examples with the {settings.end} share of words of the second text in the first"
    return at_the_end(corpus, overlap, settings.share, top=top, text=text)


SLICE = Slice("overlap", OverlapSettings, cut, of_pairs=True, title="{end} word overlap")
