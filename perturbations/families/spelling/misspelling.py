"""Spelling errors that people make because they do not know better."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

from perturbations.catalogue import word_level
from perturbations.families.word.synonyms import in_case_of
from perturbations.lexicons import pairs


@word_level(
    kind="morphology",
    rate=0.3,
    languages=("pt", "en"),
    aliases=("SpellingError",),
    example=("a exceção do [Advogado CARGO]", "a excessão do [Adivogado CARGO]"),
)
def misspelling(word: str, *, language: Literal["pt", "en"] = "pt", corrections: bool = False) -> Sequence[str]:
    """A common misspelling of the word, in its letter case [TextFlint, catalogue name "SpellingError"].

    With ``corrections``, errors that the list knows are corrected too. Words in mixed case stay. Labels hold.
    """
    spellings = _spellings(language, corrections).get(word.lower(), ())
    if not spellings or not (word.islower() or word.isupper() or (word[0].isupper() and word[1:].islower())):
        return ()
    return [in_case_of(word, spelling) for spelling in spellings]


@cache
def _spellings(language: str, corrections: bool) -> Mapping[str, tuple[str, ...]]:
    wrong = {word: tuple(errors.split("|")) for word, errors in pairs(f"misspellings_{language}").items()}
    if not corrections:
        return wrong
    return {error: (word,) for word, errors in wrong.items() for error in errors} | wrong
