"""Front and back nasals confused, as many speakers of Chinese do."""

from perturbations.catalogue import character_level
from perturbations.languages import rules
from perturbations.languages.parts import Sounds


@character_level(
    title="Nasal endings confused",
    kind="morphology",
    rate=0.1,
    needs=("sounds",),
    example=("[陈 红 PER] 进 门", "[程 红 PER] 竞 萌"),
)
def nasal(char: str, *, language: str = "zh") -> list[str]:
    """Confuses the finals an, en, in with ang, eng, ing [TextFlint, catalogue name "CnNasal"].

    A character becomes a common one with the other final and the same tone. Stop words and characters with several
    common readings stay.
    """
    return rules(language, "sounds", Sounds).other_nasals(char)
