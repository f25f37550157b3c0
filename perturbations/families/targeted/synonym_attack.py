"""Words of the same meaning in targets and right around them."""

from perturbations.catalogue import target_level
from perturbations.families.word.synonyms import same_gender
from perturbations.sites import in_case_of


@target_level(
    where="near",
    needs=("legal",),
    kind="lexis",
    renews=True,
    example=("a advogada [Ana Sá PESSOA]", "a causídica [Ana Sá PESSOA]"),
)
def synonym_attack(word: str, *, lexicon: str = "legal_pt") -> tuple[str, ...]:
    """The synonym of the same gender, inside a target or within three tokens of it [stage 4, "synonym"]."""
    synonym = same_gender(word, lexicon)
    return () if synonym is None else (in_case_of(word, synonym),)
