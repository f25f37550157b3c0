"""Front and back nasals confused, as many speakers of Chinese do."""

from perturbations.catalogue import character_level
from perturbations.families.chinese.syllables import content_syllable, sounding, with_other_nasal


@character_level(
    kind="morphology",
    rate=0.1,
    languages=("zh",),
    aliases=("CnNasal",),
    example=("[陈 红 PER] 进 门", "[程 红 PER] 竞 萌"),
)
def zh_nasal(char: str) -> list[str]:
    """Common characters with an, en, in for ang, eng, ing or the reverse [TextFlint, catalogue name "CnNasal"].

    The tone stays. Stop words and characters with several common readings stay.
    """
    syllable = content_syllable(char)
    other = None if syllable is None else with_other_nasal(syllable)
    return [] if other is None else sounding([other])
