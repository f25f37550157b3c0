"""Characters that come out when one letter of what is typed by sound is wrong."""

from perturbations.catalogue import character_level
from perturbations.languages import rules
from perturbations.languages.parts import Sounds


@character_level(
    title="Slips in pinyin",
    kind="morphology",
    rate=0.1,
    needs=("sounds",),
    example=("[张 伟 PER] 接 受 礼 物", "[赃 外 PER] 加 搜 礼 物"),
)
def sound_slip(char: str, *, language: str = "zh") -> list[str]:
    """Replaces a character with a common one, one letter of pinyin away [TextFlint, catalogue name "CnSpellingError"].

    The slips are z for zh, c for ch, s for sh, a for ao, in for ing, a for e, and the reverse. The tone may differ.
    Stop words and characters with several common readings stay.
    """
    return rules(language, "sounds", Sounds).slips(char)
