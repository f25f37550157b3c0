"""Births told on the other side of the name."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.relation.spans import (
    gender_of,
    is_finite,
    moved_appositions,
    rebuilt,
    related_spans,
)
from perturbations.languages import rules
from perturbations.languages.parts import Appositions
from perturbations.resources import sort_of
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Birth told on the other side of the name",
    kind="syntax",
    needs=("appositions", "verbs", "kinds"),
    aliases=("SwapBirth",),
    labels="moves",
    scheme="relations",
    monotone=False,
    example=(
        "[Ana Silva PERSON] , born in [Lima PLACE] , teaches music",
        "Born in [Lima PLACE] , [Ana Silva PERSON] teaches music",
    ),
)
def swap_birth(sentence: Sentence, *, language: str = "en") -> list[list[Edit]]:
    """Where or when a person was born, moved to the other side of the name [TextFlint, catalogue name "SwapBirth"].

    The person is one of the two spans, a name at the beginning of the sentence and the subject of its verb. What stands
    between commas behind the name comes in front of it, what stands in front goes behind it, and *was born in … and*
    becomes *Born in …*. In Portuguese the participle has the gender of the given name; without a listed one the
    sentence stays as it is.
    """
    made = birth_edits(sentence, language)
    return [made] if made else []


def birth_edits(sentence: Sentence, language: str) -> list[Edit]:
    """All such edits of a sentence."""
    rule = rules(language, "appositions", Appositions)
    made = [*moved_appositions(sentence, rule.birth_in_front, rule.birth_behind, language)]
    lowered = [token.lower() for token in sentence.tokens]
    for person in related_spans(sentence):
        if person.start or sort_of(person.type) != "person":
            continue
        found = rule.joined_birth(lowered[person.stop :], gender_of(sentence, person, language))
        if found is None or not is_finite(sentence, person.stop + found[1], language):
            continue
        moved = [part + person.stop if isinstance(part, int) else part for part in found[0]]
        made.append(rebuilt(sentence, person.stop + found[1], [*moved, ",", *range(person.stop)]))
    return made
