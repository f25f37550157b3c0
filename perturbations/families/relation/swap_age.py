"""Ages told on the other side of the name."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.relation.spans import moved_appositions
from perturbations.languages import rules
from perturbations.languages.parts import Appositions
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Age told on the other side of the name",
    kind="syntax",
    needs=("appositions", "verbs", "kinds"),
    aliases=("SwapAge",),
    labels="moves",
    scheme="relations",
    monotone=False,
    example=(
        "[Ana Silva PERSON] , [46 NUMBER] , teaches music",
        "Aged [46 NUMBER] , [Ana Silva PERSON] teaches music",
    ),
)
def swap_age(sentence: Sentence, *, language: str = "en") -> list[list[Edit]]:
    """The age of a person, moved to the other side of the name [TextFlint, catalogue name "SwapAge"].

    As `swap_birth` does it: *Ana, 46,* and *Ana, 46 years old,* become *Aged 46, Ana*, which becomes *Ana, 46,*. Ages
    are numbers from 2 to 110 in digits.
    """
    made = age_edits(sentence, language)
    return [made] if made else []


def age_edits(sentence: Sentence, language: str) -> list[Edit]:
    """All such edits of a sentence."""
    rule = rules(language, "appositions", Appositions)
    return [*moved_appositions(sentence, rule.age_in_front, rule.age_behind, language)]
