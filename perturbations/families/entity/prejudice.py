"""Persons of another gender, places of another part of the world: who or what is named should not matter."""

from collections.abc import Sequence
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.families.entity.gender import turned
from perturbations.families.entity.places import Region, moved
from perturbations.languages import optional_rules, rules
from perturbations.languages.parts import Borders, Gender, Persons
from perturbations.resources import LISTED_NAMES, GivenNames
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Other gender or region",
    kind="pragmatics",
    needs=("given_names", "gendered_words"),
    resizes=True,
    aliases=("Prejudice",),
    renews=True,
    relation="loses",
    example=(
        "o senhor [João Sá PESSOA] , brasileiro , disse que ele saiu de [Lima LOCAL]",
        "a senhora [Luiza Sá PESSOA] , brasileira , disse que ela saiu de [Lima LOCAL]",
    ),
)
def prejudice(
    sentence: Sentence,
    *,
    to: Literal[Gender, Region] = "woman",
    language: str = "pt",
    given_names: GivenNames = LISTED_NAMES,
) -> Sequence[Sequence[Edit]]:
    """Persons become women or men, or places become those of a region [TextFlint, catalogue name "Prejudice"].

    ``to`` says which. To a gender, the sentence changes as a whole: given names at the front of persons, equal ones by
    equal ones, words for persons and pronouns, and what agrees with them beside them, as far as the lists know; a word
    beside a person whose name stays is left alone. To a region, each place becomes another that takes the same article;
    of a longer name, such as that of a district, the place in it that the lists know. Without labels, names and places
    are those in the lists. In Chinese a person keeps the surname, and
    places are countries by their continent.

    ``given_names`` brings more of them, for other languages than Chinese: ``faker:LOCALE`` those that Faker knows, such
    as ``faker:en_US``, but for what the list of word classes has as a word. In English nearly twice as many persons
    have such a name; in Portuguese more have one of the list (docs/how-to/word-lists.md).
    """
    if to == "woman" or to == "man":
        persons = optional_rules(language, "persons", Persons)
        if persons is not None:
            layout = rules(language, "borders", Borders).layout(sentence)
            return [] if layout is None else persons.turned(layout, to)
        edits = turned(sentence, to, language, given_names)
        return [edits] if edits else []
    return moved(sentence, to, language)
