"""Short forms written out."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.segmentation.gold_words import exchange, gold_words
from perturbations.lexicons import pairs
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Short forms written out",
    kind="lexis",
    needs=("short_forms",),
    aliases=("SwapContraction",),
    labels="changes",
    scheme="words",
    example=("[央 =B] [视 =E] [说 =S]", "[中 =B] [央 =E] [电 =B] [视 =M] [台 =E] [说 =S]"),
)
def swap_contraction(sentence: Sentence, *, language: str = "zh") -> list[list[Edit]]:
    """A short form becomes the words that it stands for [TextFlint, catalogue name "SwapContraction"].

    央视 becomes 中央 电视台, each word labelled as one. Only a short form that is one word in gold, and of whose words
    none is in the sentence already.
    """
    full, found = pairs(f"short_forms_{language}"), gold_words(sentence)
    texts = {word.text for word in found}
    return [
        [exchange(sentence, word.start, word.stop, full[word.text].split())]
        for word in found
        if word.text in full and texts.isdisjoint(full[word.text].split())
    ]
