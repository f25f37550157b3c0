"""Praise and blame said more strongly."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.languages import rules
from perturbations.languages.parts import Opinions
from perturbations.lexicons import rows
from perturbations.sites import in_entities
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Strengthening adverbs",
    kind="lexis",
    needs=("opinions", "double_denials", "degree_adverbs"),
    aliases=("ExtentAdjust",),
    relation="adds",
    example=("o filme é bom", "o filme é realmente bom"),
)
def degree_adverb(sentence: Sentence, *, language: str = "pt") -> list[list[Edit]]:
    """Inserts a strengthening adverb before an adjective of praise or blame [TextFlint, catalogue name "ExtentAdjust"].

    The adverbs strengthen every adjective, so the sentiment holds: *really*, *realmente*. Words that are already
    denied, compared or strengthened stay.
    """
    adverbs = [adverb for (adverb,) in rows(f"degree_adverbs_{language}")]
    return rules(language, "opinions", Opinions).strengthened(sentence, adverbs, in_entities(sentence))
