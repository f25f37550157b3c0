"""Words replaced by words of the same meaning, from a reviewed list."""

from collections.abc import Mapping
from functools import cache

from perturbations.catalogue import word_level
from perturbations.families.character.accents import strip_accents
from perturbations.lexicons import pairs
from perturbations.sites import in_case_of


@word_level(
    needs=("legal",),
    kind="lexis",
    renews=True,
    example=("o [TRIBUNAL DE JUSTIÇA ORGANIZACAO]", "o [CORTE DE JUSTIÇA ORGANIZACAO]"),
)
def synonyms(word: str, *, lexicon: str = "legal_pt") -> tuple[str, ...]:
    """The synonym that the lexicon gives, in the letter case of the word [stage 2, "Synonym substitution"]."""
    synonym = _synonyms(lexicon).get(word.lower())
    return (in_case_of(word, synonym),) if synonym is not None else ()


@cache
def _synonyms(lexicon: str) -> Mapping[str, str]:
    """Synonyms by lower-case word; a word is also found without its accents, and then answered without them."""
    reviewed = pairs(lexicon)
    return {strip_accents(word): strip_accents(synonym) for word, synonym in reviewed.items()} | dict(reviewed)
