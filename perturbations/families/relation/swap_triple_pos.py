"""What is told of a person on the other side of the name: births, ages and posts."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.relation.swap_age import age_edits
from perturbations.families.relation.swap_birth import birth_edits
from perturbations.families.relation.swap_employee import post_edits
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Told on the other side of the name",
    kind="syntax",
    needs=("appositions", "posts", "verbs", "kinds"),
    aliases=("SwapTriplePos",),
    labels="moves",
    scheme="relations",
    monotone=False,
    example=(
        "[Ana Silva PERSON] , born in [Lima PLACE] , teaches music",
        "Born in [Lima PLACE] , [Ana Silva PERSON] teaches music",
    ),
)
def swap_triple_pos(sentence: Sentence, *, language: str = "en") -> list[list[Edit]]:
    """Birth, age or post moved to the other side of the name [TextFlint, section "SwapTriplePos"].

    All that `swap_birth`, `swap_age` and `swap_employee` do: subject and object often change places.
    """
    made = [*birth_edits(sentence, language), *age_edits(sentence, language), *post_edits(sentence, language)]
    return [made] if made else []
