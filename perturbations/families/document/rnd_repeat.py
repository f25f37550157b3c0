"""Sentences said twice."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.documents import part_of
from perturbations.families.document.outline import Outline, put_in
from perturbations.languages import ANY
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Sentences repeated",
    kind="pragmatics",
    rate=0.2,
    at_least=1,
    labels="moves",
    scheme="documents",
    relation="loses",
    knows=("pronouns", "anaphors"),
    monotone=False,
    aliases=("RndRepeat",),
    example=("[Ana a] saiu bem cedo .", "[Ana a] saiu bem cedo . [Ana a] saiu bem cedo ."),
)
def rnd_repeat(sentence: Sentence, *, language: str = ANY) -> list[list[Edit]]:
    """Says sentences of a document twice in a row [TextFlint, catalogue name "RndRepeat"].

    The mentions of the copy are in the same clusters. Never a sentence in which somebody speaks, nor one that tells of
    something new, *a man*, which would be another one then.
    """
    outline = Outline.of(sentence, language)
    return [
        [put_in(sentence, start, part_of(sentence, start, stop), range(start, stop))]
        for number, (start, stop) in enumerate(outline.parts)
        if outline.is_whole(number) and not outline.is_new(number)
    ]
