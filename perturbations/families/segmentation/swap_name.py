"""Surnames that make a word with the character beside them."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.segmentation.gold_words import exchange, gold_words
from perturbations.languages import rules
from perturbations.languages.parts import Surnames
from perturbations.text import Edit, Sentence

_UNDECIDED = frozenset(["对于"])
"""Words by chance that read as well as the surname alone: 对于教授 is *for professors* and *for Professor Yu*."""


@sentence_level(
    title="Surnames that make a word",
    kind="lexis",
    needs=("surnames",),
    aliases=("SwapName",),
    labels="changes",
    scheme="words",
    example=("[由 =S] [王 =B] [伟 =E] [说 =S]", "[由 =S] [于 =B] [伟 =E] [说 =S]"),
)
def swap_name(sentence: Sentence, *, language: str = "zh") -> list[list[Edit]]:
    """A person gets a surname that makes a word with the character beside it [TextFlint, catalogue name "SwapName"].

    由王伟说 becomes 由于伟说, where 由于 is a word by chance; words stay as they are cut. The character is the one
    before the name, or the first of a given name of two. Persons are known by a surname before a listed given name, a
    title, or two characters that are no word of our lists.
    """
    found, names = gold_words(sentence), rules(language, "surnames", Surnames)
    texts = [word.text for word in found]
    sites = []
    for place, word in enumerate(found):
        if not names.names_person(texts, place):
            continue
        old, rest = word.text[0], word.text[1:]
        touches = place and found[place - 1].stop == word.start
        before = texts[place - 1][-1] if touches else ""
        options = [
            exchange(sentence, word.start, word.stop, (new + rest,))
            for new in names.making_words(before, rest)
            if new != old and before + new not in _UNDECIDED
        ]
        if options and texts.count(word.text) == 1:
            sites.append(options)
    return sites
