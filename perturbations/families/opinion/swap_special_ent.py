"""Persons and films that readers know, exchanged for others."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.opinion.known_names import Known, KnownName, names_in, names_of
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
    """Replaces a well-known person or film with another [TextFlint, catalogue name "SwapSpecialEnt"].

    Women replace women, men replace men and films replace films, so agreement holds; directors replace directors. No
    living person and no politician is inserted. Names are found in a shipped list by their capitals; in text without
    capitals, only unambiguous names are found. Names in labelled entities stay: use `swap_named_ent` for them.
    """
    found = names_in(sentence, language, which)
    if not found:
        return []
    articles, small = optional_rules(language, "articles", Articles), sentence.text == sentence.text.lower()
    return [
        [
            with_article(sentence, Edit(start, stop, _write_name(other, small)), articles)
            for other in names_of(language, which)
            if name.can_become(other)
        ]
        for start, stop, name in found
    ]


def _write_name(name: KnownName, small: bool) -> tuple[str, ...]:
    return tuple(map(str.lower, name.tokens)) if small else name.tokens
