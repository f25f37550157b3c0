"""Sentences left out."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.document.outline import Outline
from perturbations.languages import ANY
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Sentences left out",
    kind="pragmatics",
    rate=0.2,
    at_least=1,
    labels="moves",
    scheme="documents",
    relation="loses",
    knows=("pronouns", "anaphors"),
    aliases=("RndDelete",),
    example=("[Ana a] saiu cedo . [O pai b] ficou em casa .", "[Ana a] saiu cedo ."),
)
def rnd_delete(sentence: Sentence, *, language: str = ANY) -> list[list[Edit]]:
    """Leaves out sentences of a document [TextFlint, catalogue name "RndDelete"].

    Never the first one, one in which somebody speaks, or one that a pronoun or a word such as *however* needs. A
    cluster that is left with one mention is a singleton.
    """
    outline = Outline.of(sentence, language)
    return [[Edit(*part, ())] for number, part in enumerate(outline.parts) if outline.may_go(number)]
