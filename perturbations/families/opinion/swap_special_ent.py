"""Persons and films that readers know, exchanged for others."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.opinion.known_names import Known, names_in, names_of
from perturbations.text import Edit, Sentence


@sentence_level(
    kind="syntax",
    needs=("known_names",),
    aliases=("SwapSpecialEnt",),
    renews=True,
    relation="loses",
    example=("gostei de Luzes da Cidade", "gostei de Vidas Secas"),
)
def swap_special_ent(sentence: Sentence, *, which: Known = "any", language: str = "pt") -> list[list[Edit]]:
    """Another person or film for one that readers know [TextFlint, catalogue name "SwapSpecialEnt"].

    A woman for a woman, a man for a man, a film for a film, so that what agrees with them still does. Names are found
    in a list that ships, by their capitals; in text without capitals only those that are hardly anything else. Names in
    labelled entities stay: `swap_named_ent` is for these.
    """
    small = sentence.text == sentence.text.lower()
    return [
        [
            Edit(start, stop, tuple(map(str.lower, other.tokens)) if small else other.tokens)
            for other in names_of(language, which)
            if other.kind == name.kind and other.tokens != name.tokens
        ]
        for start, stop, name in names_in(sentence, language, which)
    ]
