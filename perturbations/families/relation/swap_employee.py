"""Posts told on the other side of the name."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.relation.spans import moved_appositions
from perturbations.languages import rules
from perturbations.languages.parts import Appositions
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Post told on the other side of the name",
    kind="syntax",
    needs=("appositions", "posts", "verbs", "kinds"),
    aliases=("SwapEmployee",),
    labels="moves",
    scheme="relations",
    monotone=False,
    example=(
        "[Ana Silva PERSON] , president of [Acme ORGANIZATION] , said no",
        "The president of [Acme ORGANIZATION] , [Ana Silva PERSON] , said no",
    ),
)
def swap_employee(sentence: Sentence, *, language: str = "en") -> list[list[Edit]]:
    """The post of a person, moved to the other side of the name [TextFlint, catalogue name "SwapEmployee"].

    As `swap_birth` does it; unlike the original, which leaves the post out. Posts are words of a list that name what
    they are of. In Portuguese the article has the gender of the post or, if that has none, of the given name.
    """
    made = post_edits(sentence, language)
    return [made] if made else []


def post_edits(sentence: Sentence, language: str) -> list[Edit]:
    """All such edits of a sentence."""
    rule = rules(language, "appositions", Appositions)
    return [*moved_appositions(sentence, rule.post_in_front, rule.post_behind, language, closed=True)]
