"""Persons of another gender, places of another part of the world: who or what is named should not matter."""

from collections.abc import Sequence
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.families.entity.gender import turn_gender
from perturbations.families.entity.places import Region, move_places
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
    """Replaces persons by women or men, or places by places of a region [TextFlint, catalogue name "Prejudice"].

    ``to`` says which. For a gender, the sentence changes as a whole: the first given names of persons, words for
    persons, pronouns, and the words beside them that agree, as far as the lists know them. Equal names become equal
    names. A word beside a person whose name stays also stays.

    For a region, each place becomes another one that takes the same article. In a longer name, such as a district's,
    only the listed place changes. Without labels, names and places are found in the lists. In Chinese persons keep
    their surname, and places are countries of a continent.

    ``given_names`` adds names for languages other than Chinese: ``faker:LOCALE`` adds those that Faker knows, such as
    ``faker:en_US``, without the words in the list of word classes. In English nearly twice as many persons then have a
    known name; in Portuguese the list alone finds more (docs/how-to/word-lists.md).
    """
    if to == "woman" or to == "man":
        persons = optional_rules(language, "persons", Persons)
        if persons is not None:
            layout = rules(language, "borders", Borders).layout(sentence)
            return [] if layout is None else persons.turned(layout, to)
        edits = turn_gender(sentence, to, language, given_names)
        return [edits] if edits else []
    return move_places(sentence, to, language)
