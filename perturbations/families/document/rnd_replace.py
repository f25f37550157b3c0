"""Sentences of other documents in the place of some."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.catalogue import sentence_level
from perturbations.families.document.outline import Outline, fillers, put_instead
from perturbations.families.document.rnd_insert import EXAMPLES
from perturbations.languages import ANY
from perturbations.numbered import OnDemand
from perturbations.resources import Passages
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Sentences replaced by those of other documents",
    kind="pragmatics",
    rate=0.2,
    at_least=1,
    labels="moves",
    scheme="documents",
    relation="loses",
    knows=("pronouns", "anaphors", "pointing_words", "stop_words"),
    aliases=("RndReplace",),
    example=("[Ana a] saiu . [O pai b] ficou em casa .", "[Ana a] saiu . Nada mais foi dito ."),
)
def rnd_replace(sentence: Sentence, *, passages: Passages = EXAMPLES, language: str = ANY) -> list[Sequence[Edit]]:
    """Sentences of other documents take the place of some [TextFlint, catalogue name "RndReplace"].

    Those are replaced that `rnd_delete` would leave out, by such as `rnd_insert` would put in.
    """
    outline, new = Outline.of(sentence, language), fillers(sentence, passages, language)
    if not new:
        return []
    return [
        OnDemand(len(new), lambda k, part=part: put_instead(sentence, part, new[k]))  # type: ignore[misc]
        for number, part in enumerate(outline.parts)
        if outline.may_go(number)
    ]
