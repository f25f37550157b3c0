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
    """A word of praise or blame becomes its opposite, denied [TextFlint, catalogue name "DoubleDenial"].

    *Good* becomes *not bad*, *chato* becomes *nada divertido*, *I hate* becomes *I do not like*. From reviewed lists,
    and only where grammar tells that the word is a predicate, stands beside its noun, or is a verb behind its subject;
    an adverb that strengthens it goes. Where it is denied or compared already, it stays. What is said is the same,
    though less strongly.
    """
    return rules(language, "opinions", Opinions).denied(sentence, in_entities(sentence))
