"""The pairs of sentences that share most words, or fewest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from abalo.corpora import Corpus
from abalo.slices.ranking import Ranked, at_the_end
from abalo.slices.slice import Cut, Slice
from perturbations import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapSettings(Ranked):
    """Which ``end``, and how many."""

    end: Literal["lowest", "highest"] = "highest"


def overlap(sentence: Sentence) -> float | None:
    """The share of the words of the second of two sentences that the first has too, 0 to 1; None without two.

    Letter case does not count, and neither do marks. The two are the anchors, in their order.
    """
    if len(sentence.anchors) < 2:
        return None
    first, second = (
        [token.lower() for token in sentence.tokens[span.start : span.stop] if any(map(str.isalnum, token))]
        for span in sentence.anchors[:2]
    )
    return sum(word in {*first} for word in second) / len(second) if second else None


def cut(corpus: Corpus, settings: OverlapSettings) -> Cut:
    """The pairs whose second sentence has the largest, or the smallest, share of its words from the first.

    [TextFlint, catalogue section 4, "NLI Lexical"; McCoy et al. 2019, HANS, lexical overlap]
    """
    top = settings.end == "highest"
    text = f"the pairs with the {settings.end} share of words of the second sentence in the first"
    return at_the_end(corpus, overlap, settings.share, top=top, text=text)


SLICE = Slice("overlap", OverlapSettings, cut, of_pairs=True)
