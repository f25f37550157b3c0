"""An amount that two sentences share, exchanged in one of them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from perturbations.catalogue import sentence_level
from perturbations.families.pair.opposed import NEEDS, contradicting, is_limit, is_one_of_several, partner_of
from perturbations.families.word.number import number
from perturbations.languages import language_named
from perturbations.perturbation import Perturbation
from perturbations.text import Edit, Sentence

_THREE = 3
"""The first of a language's ``number_words``."""


@sentence_level(
    kind="lexis",
    needs=("number_words", *NEEDS),
    aliases=("NumWord",),
    scheme="pair",
    relation="excludes",
    example=("ele tem 40 livros", "ele tem 50 livros"),
)
def swap_number(
    sentence: Sentence,
    *,
    language: str = "pt",
    one_event: bool = False,  # noqa: ARG001 - tells what the change means, see `ONE_EVENT`
) -> list[list[Edit]]:
    """One amount that both sentences have becomes another [TextFlint, catalogue name "NumWord"].

    In matching it is called "SwapNum" there. Amounts and what they become are those of `number`. Who says 3 says 2 as
    well, so the amount grows in a sentence that follows from its partner, and shrinks in one from which its partner
    follows. It stands once in each sentence, is exact, no limit such as *more than 12*, and beside no other amount,
    whose part or sum it could be; both say plainly that something is so, as `swap_antonym` asks. Then what followed
    before does no longer, and contradicts with ``one_event``, as after `swap_antonym`; what meant the same does no
    longer.
    """
    grows = partner_of(sentence).entails
    found = [
        edit
        for edit in contradicting(sentence, lambda: _numbers(language).sites(sentence), language)
        if not is_limit(sentence, edit.stop - 1, language)
        and not is_one_of_several(sentence, edit.stop - 1, language)
        and _grows(sentence, edit, language) is grows
    ]
    return [found] if found else []


@cache
def _numbers(language: str) -> Perturbation:
    return number.configured(rate=1.0, language=language)


def _grows(sentence: Sentence, edit: Edit, language: str) -> bool | None:
    """Whether the edit makes the amount larger; None where that cannot be told."""
    before, after = (_amount(word, language) for word in (sentence.tokens[edit.stop - 1], edit.tokens[-1]))
    return None if before is None or after is None else after > before


def _amount(word: str, language: str) -> Fraction | None:
    """The amount that a word of digits or letters is; of two in digits the order is right whatever their marks mean.

    Both have as many digits and the same marks, so marks can be left out.
    """
    words = language_named(language).number_words
    if word.lower() in words:
        return Fraction(_THREE + words.index(word.lower()))
    digits = "".join(char for char in word if char.isdecimal())
    return Fraction(int(digits)) if digits else None
