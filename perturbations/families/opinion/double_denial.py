"""Praise and blame said by denying the opposite."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.languages import rules
from perturbations.languages.parts import Opinions
from perturbations.sites import in_entities
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Opposites denied",
    kind="lexis",
    needs=("opinions", "double_denials"),
    aliases=("DoubleDenial",),
    renews=True,
    relation="loses",
    example=("o filme é bom", "o filme não é ruim"),
)
def double_denial(sentence: Sentence, *, language: str = "pt") -> list[list[Edit]]:
    """Replaces a word of praise or blame with its denied opposite [TextFlint, catalogue name "DoubleDenial"].

    *Good* becomes *not bad*, *chato* becomes *nada divertido*, *I hate* becomes *I do not like*. The words come from
    reviewed lists. A word changes only if grammar shows that it is a predicate, stands beside its noun, or is a verb
    after its subject. Adverbs that strengthen it are removed. Words that are already denied or compared stay. The
    meaning stays, though less strong.
    """
    return rules(language, "opinions", Opinions).denied(sentence, in_entities(sentence))
