"""Words of the same meaning in targets and right around them."""

from perturbations.catalogue import target_level
from perturbations.families.word.synonyms import synonyms


@target_level(
    where="near",
    needs=("legal",),
    kind="lexis",
    renews=True,
    example=("o juiz do [TRIBUNAL DE JUSTIÇA ORGANIZACAO]", "o magistrado do [CORTE DE JUSTIÇA ORGANIZACAO]"),
)
def synonym_attack(word: str, *, lexicon: str = "legal_pt") -> tuple[str, ...]:
    """The synonym that the lexicon gives, inside a target or within three tokens of it [stage 4, "synonym"]."""
    given: tuple[str, ...] = synonyms.function(word, lexicon=lexicon)
    return given
