"""Persons and films that readers know, exchanged for others."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.opinion.known_names import Known, Name, names_in, names_of
from perturbations.families.word.swapping import with_article
from perturbations.languages import optional_rules
from perturbations.languages.parts import Articles
from perturbations.text import Edit, Sentence


@sentence_level(
    title="Other well-known names",
    kind="syntax",
    needs=("known_names",),
    aliases=("SwapSpecialEnt",),
    renews=True,
    relation="loses",
    example=("gostei de Luzes da Cidade", "gostei de Vidas Secas"),
)
def swap_special_ent(sentence: Sentence, *, which: Known = "any", language: str = "pt") -> list[list[Edit]]:
    """Another person or film for one that readers know [TextFlint, catalogue name "SwapSpecialEnt"].

    A woman for a woman, a man for a man, a film for a film, so that what agrees with them still does, and a director
    for a director. No living person and no politician takes the place of another. Names are found
    in a list that ships, by their capitals; in text without capitals only those that are hardly anything else. Names in
    labelled entities stay: `swap_named_ent` is for these.
    """
    found = names_in(sentence, language, which)
    if not found:
        return []
    articles, small = optional_rules(language, "articles", Articles), sentence.text == sentence.text.lower()
    return [
        [
            with_article(sentence, Edit(start, stop, _written(other, small)), articles)
            for other in names_of(language, which)
            if name.can_become(other)
        ]
        for start, stop, name in found
    ]


def _written(name: Name, small: bool) -> tuple[str, ...]:
    return tuple(map(str.lower, name.tokens)) if small else name.tokens
