"""Spelling errors that people make because they do not know better."""

from collections.abc import Mapping, Sequence
from functools import cache

from perturbations.catalogue import word_level
from perturbations.families.word.swapping import across_tokens
from perturbations.languages import optional_rules
from perturbations.languages.parts import Borders, Sites
from perturbations.lexicons import pairs
from perturbations.sites import in_case_of
from perturbations.text import Sentence


def _across_tokens(sentence: Sentence, *, language: str, corrections: bool) -> Sites | None:
    """The sites where words are no tokens; None where they are."""
    borders = optional_rules(language, "borders", Borders)
    if borders is None:
        return None
    known = _spellings(language, corrections)
    return across_tokens(sentence, lambda word: known.get(word, ()), borders, inside_entities=True)


@word_level(
    title="Common misspellings",
    kind="morphology",
    rate=0.3,
    needs=("misspellings",),
    aliases=("SpellingError",),
    across=_across_tokens,
    example=("a exceção do [Advogado CARGO]", "a excessão do [Adivogado CARGO]"),
)
def misspelling(word: str, *, language: str = "pt", corrections: bool = False) -> Sequence[str]:
    """Replaces a word with a common misspelling, in its letter case [TextFlint, catalogue name "SpellingError"].

    With ``corrections``, listed errors in the text are also corrected. Words in mixed case stay. Labels hold.
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
