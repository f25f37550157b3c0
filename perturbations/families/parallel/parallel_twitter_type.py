"""A handle or a link around a text and its translations."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.catalogue import sentence_level
from perturbations.families.pragmatic.chat_style import LINKS
from perturbations.numbered import OnDemand
from perturbations.text import Edit, Sentence

_HANDLES = ("@example_user", "@an_example_2731", "@x7_example", "@exampleandsons")
"""Handles without a word of one language."""


@sentence_level(
    title="Handle or link on both sides",
    kind="pragmatics",
    aliases=("ParallelTwitterType",),
    scheme="parallel",
    relation="parallel",
    example=("Você viu isso hoje ?", "@example_user Você viu isso hoje ?"),
)
def parallel_twitter_type(sentence: Sentence) -> list[Sequence[Edit]]:
    """Adds a handle or a link at one end of a text and of its translations [TextFlint, "ParallelTwitterType"].

    A handle or link says the same in every language, so a translation repeats it.
    """
    if not len(sentence):
        return []
    around, ends = _HANDLES + LINKS, (0, len(sentence))
    return [OnDemand(2 * len(around), lambda k: Edit(ends[k % 2], ends[k % 2], (around[k // 2],)))]
