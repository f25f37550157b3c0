"""Sentences of other documents put in."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.catalogue import sentence_level
from perturbations.families.document.outline import Outline, fillers, put_in
from perturbations.languages import ANY
from perturbations.numbered import OnDemand
from perturbations.resources import JUDGED, Passages, Texts
from perturbations.text import Edit, Sentence

EXAMPLES = Texts(JUDGED, (Sentence(("Nada", "mais", "foi", "dito", ".")),))


@sentence_level(
    title="Sentences of other documents added",
    kind="pragmatics",
    rate=0.2,
    at_least=1,
    labels="moves",
    scheme="documents",
    relation="adds",
    knows=("pronouns", "anaphors", "pointing_words", "stop_words"),
    aliases=("RndInsert",),
    example=("[Ana a] saiu . [O pai b] ficou ali só .", "[Ana a] saiu . Nada mais foi dito . [O pai b] ficou ali só ."),
)
def rnd_insert(sentence: Sentence, *, passages: Passages = EXAMPLES, language: str = ANY) -> list[Sequence[Edit]]:
    """Puts sentences of other documents between those of a document [TextFlint, catalogue name "RndInsert"].

    They mention nothing: gold has no mention in them, and they have no pronoun, no name and no content word that the
    document has, too. None comes before a sentence that needs the one before it. What is predicted in them counts for
    nothing.
    """
    outline, new = Outline.of(sentence, language), fillers(sentence, passages, language)
    if not new:
        return []
    return [
        OnDemand(len(new), lambda k, start=start: put_in(sentence, start, new[k]))  # type: ignore[misc]
        for number, (start, _) in enumerate(outline.parts)
        if number and not outline.follows_on(number) and outline.is_whole(number)
    ]
