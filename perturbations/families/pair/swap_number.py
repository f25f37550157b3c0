"""An amount that two sentences share, exchanged in one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

from perturbations.catalogue import sentence_level
from perturbations.families.pair.opposed import (
    NEEDS,
    contradicting,
    holds_any,
    is_limit,
    is_one_of_several,
    partner_of,
    text_of_edit,
)
from perturbations.families.word.amounts import is_amount
from perturbations.families.word.number import number
from perturbations.languages import has, language_named
from perturbations.lexicons import of_class, pairs
from perturbations.perturbation import Options, Perturbation
from perturbations.sites import in_case_of
from perturbations.text import Edit, Sentence

_THREE = 3
"""The first of a language's ``number_words``."""


@sentence_level(
    title="A shared number replaced",
    kind="lexis",
    needs=NEEDS,
    knows=("number_words", "numbers", "phrases", "plurals", "word_classes"),
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
    """Replaces an amount that both sentences share [TextFlint, catalogue name "NumWord"].

    For matching, TextFlint calls it "SwapNum". Amounts are found and replaced as in `number`. *Two* may also grow,
    except for couples and things in pairs, such as hands; so may the *one* of *One man is sitting*. Three of something
    includes two, so the amount grows in a sentence that follows from its partner, and shrinks in a sentence that its
    partner follows from.

    The amount must occur once in each sentence, be exact (not a limit such as *more than 12*), and stand beside no
    other amount that it could be part or sum of. Both sentences must be plain statements, as in `swap_antonym`.
    Afterwards the sentences no longer follow from each other, nor mean the same. With ``one_event`` they contradict if
    one followed from the other, as in `swap_antonym`.
    """
    grows = partner_of(sentence).entails
    if has(language, "borders"):
        found = contradicting(sentence, lambda: _numbers(language).sites(sentence), language)
        told = [edit for edit in found if _is_sole(sentence, language) and _grows_in_text(sentence, edit) is grows]
        return [told] if told else []
    found = [
        edit
        for edit in contradicting(sentence, lambda: _amounts(sentence, language), language, fitting="countless")
        if not is_limit(sentence, edit.stop - 1, language)
        and not is_one_of_several(sentence, edit.stop - 1, language)
        and _grows(sentence, edit, language) is grows
    ]
    agreeing = [_agreeing(sentence, edit, language) for edit in found]
    return [agreeing] if agreeing else []


def _is_sole(sentence: Sentence, language: str) -> bool:
    """Whether both sentences have the same number in digits, exact, and no other amount."""
    texts = ["".join(tokens) for tokens in (sentence.tokens, partner_of(sentence).tokens)]
    numbers = [_DIGITS.findall(text) for text in texts]
    return (
        numbers[0] == numbers[1]
        and len(numbers[0]) == 1
        and not any(holds_any(text, language, kind) for text in texts for kind in ("number", "amount"))
    )


_DIGITS = re.compile(r"\d+(?:[.,．]\d+)*")


def _grows_in_text(sentence: Sentence, edit: Edit) -> bool:
    """Whether the edit of one digit makes its number larger."""
    old, new = text_of_edit(sentence, edit)
    return new > old


def _amounts(sentence: Sentence, language: str) -> Iterator[Options]:
    """The amounts that `number` finds, and two, which may become more: fewer would be one, with other forms beside."""
    yield from _numbers(language).sites(sentence)
    lowered = [*map(str.lower, sentence.tokens)]
    for place, word in enumerate(lowered):
        if word in _two(language) and is_amount(sentence, place, language) and not _is_couple(lowered, place, language):
            yield _more(sentence, place, language)
    if has(language, "plurals") and _is_one(lowered, language):
        yield _more(sentence, 0, language)


def _more(sentence: Sentence, place: int, language: str) -> list[Edit]:
    more = language_named(language).number_words
    return [Edit(place, place + 1, (in_case_of(sentence.tokens[place], other),)) for other in more]


def _is_one(lowered: Sequence[str], language: str) -> bool:
    """Whether the sentence begins as *One man is sitting* does, with a noun that has a plural, and names no other."""
    place = _noun_of_one(lowered, language)
    return (
        place > 0
        and lowered[place + 1] == "is"
        and lowered[place + 2 : place + 3] != ["being"]
        and "".join(lowered[place + 2 : place + 3]).endswith("ing")
        and of_class(f"open_words_{language}", "other").isdisjoint(lowered[place:])
    )


def _noun_of_one(lowered: Sequence[str], language: str) -> int:
    """The place of the noun that *one* counts at the beginning, behind one adjective at most; 0 where none is."""
    if lowered[0] not in of_class(f"open_words_{language}", "one"):
        return 0
    plurals, kinds = pairs(f"plurals_{language}"), pairs(f"word_classes_{language}")
    for place in range(1, min(3, len(lowered) - 2)):
        if lowered[place] in plurals:
            return place
        if "ADJ" not in kinds.get(lowered[place], "").split("|"):
            break
    return 0


def _agreeing(sentence: Sentence, edit: Edit, language: str) -> Edit:
    """The edit with the noun and the verb in the plural where there was one."""
    lowered = [*map(str.lower, sentence.tokens)]
    if not has(language, "plurals") or edit.start or not (place := _noun_of_one(lowered, language)):
        return edit
    stop = place + 2
    plural = pairs(f"plurals_{language}")[lowered[place]]
    written = (*edit.tokens, *sentence.tokens[1:place], in_case_of(sentence.tokens[place], plural), "are")
    return Edit(0, stop, written, origins=tuple((i,) for i in range(stop)), spaces=sentence.spaces[:stop])


def _is_couple(lowered: Sequence[str], place: int, language: str) -> bool:
    """Whether the two are a couple, or parts that come in pairs, or may be listed: *between two*, *its two ears*."""
    if not _LISTING.isdisjoint(lowered) and language_named(language).joined_by in lowered:
        return True
    beside = (*lowered[max(0, place - 1) : place], *lowered[place + 1 : place + 1 + _COUNTED_WITHIN])
    return not of_class(f"open_words_{language}", "couple").isdisjoint(beside)


_LISTING = frozenset([",", ":", ";", "(", "-", "–", "—"])
_COUNTED_WITHIN = 3
"""Words behind a number among which is the noun that it counts."""


@cache
def _two(language: str) -> frozenset[str]:
    return of_class(f"open_words_{language}", "two")


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
    if word.lower() in _two(language):
        return Fraction(2)
    if word.lower() in of_class(f"open_words_{language}", "one"):
        return Fraction(1)
    if word.lower() in words:
        return Fraction(_THREE + words.index(word.lower()))
    digits = "".join(char for char in word if char.isdecimal())
    return Fraction(int(digits)) if digits else None
