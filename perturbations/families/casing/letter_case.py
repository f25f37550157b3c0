"""The whole text in another letter case, as in headings, notices and careless messages."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.families.casing.title import titled
from perturbations.text import Edit, Sentence

Case = Literal["upper", "lower", "title", "any"]


@sentence_level(
    kind="morphology",
    aliases=("WordCase",),
    knows=("small_words",),
    alphabetic=True,
    example=("foi [José PESSOA] ?", "FOI [JOSÉ PESSOA] ?"),
)
def letter_case(sentence: Sentence, *, case: Case = "upper", language: str = "pt") -> list[list[Edit]]:
    """The whole text in capitals, in small letters, or as in a title [TextFlint, catalogue name "WordCase"].

    As in a title every word has a capital first and the rest small: ``D'Água``, ``Don't``, ``Ex-Ministro``, ``1st``.
    There the small words of the ``language`` stay small but at the start: in Portuguese articles, prepositions and
    conjunctions, such as ``de``, and pronouns behind a hyphen, ``Dar-se``; in English the like, ``State-of-the-Art``;
    with "any" none. With the ``case`` "any" each of the three that changes the text is equally likely. Labels hold.
    """
    cases = list(_CASES) if case == "any" else [case]
    written = dict.fromkeys(tuple(_CASES[name](sentence.tokens, language)) for name in cases)
    origins = tuple((i,) for i in range(len(sentence)))
    return [[Edit(0, len(sentence), tokens, origins=origins) for tokens in written]]


def _upper(tokens: Sequence[str], _language: str) -> list[str]:
    return [token.upper() for token in tokens]


def _lower(tokens: Sequence[str], _language: str) -> list[str]:
    return [token.lower() for token in tokens]


def _title(tokens: Sequence[str], language: str) -> list[str]:
    return [titled(token, language=language, first=not i) for i, token in enumerate(tokens)]


_CASES: Mapping[str, Callable[[Sequence[str], str], list[str]]] = {"upper": _upper, "lower": _lower, "title": _title}
