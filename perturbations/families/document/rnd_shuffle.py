"""Neighbouring sentences that change places."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.document.outline import Outline
from perturbations.families.reading.passages import reorder
from perturbations.languages import ANY
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Neighbouring sentences swapped",
    kind="pragmatics",
    rate=0.2,
    at_least=1,
    labels="moves",
    scheme="documents",
    relation="loses",
    knows=("pronouns", "anaphors"),
    monotone=False,
    aliases=("RndShuffle",),
    example=("[Ana a] saiu bem cedo . [O pai b] ficou em casa .", "[O pai b] ficou em casa . [Ana a] saiu bem cedo ."),
)
def rnd_shuffle(sentence: Sentence, *, language: str = ANY) -> list[list[Edit]]:
    """Neighbouring sentences of a document change places [TextFlint, catalogue name "RndShuffle"].

    Only two that mention nothing in common, and where no pronoun, before or behind, could be read otherwise then.
    """
    outline = Outline.of(sentence, language)
    found: list[list[Edit]] = []
    number = 0
    while number + 1 < len(outline.parts):
        if outline.may_swap(number):
            found.append([reorder(sentence, [outline.parts[number + 1], outline.parts[number]])])
            number += 1
        number += 1
    return found
