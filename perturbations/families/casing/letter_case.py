"""The whole text in another letter case, as in headings, notices and careless messages."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.families.casing.title import title_case
from perturbations.scripts import CASED
from perturbations.text import Edit, Sentence

LetterCase = Literal["upper", "lower", "title", "any"]


@sentence_level(
    kind="morphology",
    aliases=("WordCase",),
    knows=("small_words",),
    alphabetic=True,
    scripts=CASED,
    example=("foi [José PESSOA] ?", "FOI [JOSÉ PESSOA] ?"),
)
def letter_case(sentence: Sentence, *, case: LetterCase = "upper", language: str = "pt") -> list[list[Edit]]:
    """Puts the whole text in capitals, in small letters or in title case [TextFlint, catalogue name "WordCase"].

    In title case every word begins with a capital and goes on in small letters: ``D'Água``, ``Don't``, ``Ex-Ministro``,
    ``1st``. Function words of the ``language`` stay small unless they begin the text: in Portuguese articles,
    prepositions and conjunctions such as ``de``, and pronouns after a hyphen, ``Dar-se``; in English the same,
    ``State-of-the-Art``; with "any" none. The ``case`` "any" chooses uniformly among the cases that change the text.
    Labels hold.
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
    return [title_case(token, language=language, first=not i) for i, token in enumerate(tokens)]


_CASES: Mapping[str, Callable[[Sequence[str], str], list[str]]] = {"upper": _upper, "lower": _lower, "title": _title}
