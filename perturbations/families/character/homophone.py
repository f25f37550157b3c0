"""Characters replaced by others that sound the same: the commonest slip of those who type by sound."""

from perturbations.catalogue import character_level
from perturbations.languages import rules
from perturbations.languages.parts import Sounds


@character_level(
    title="Characters that sound alike",
    kind="morphology",
    rate=0.3,
    needs=("sounds",),
    example=("[王 伟 PER] 接 受 了", "[亡 尾 PER] 阶 授 了"),
)
def homophone(char: str, *, same_tone: bool = True, language: str = "zh") -> list[str]:
    """Replaces a character with a common one of the same reading [TextFlint, catalogue name "CnHomophones"].

    With ``same_tone=False`` the tone may differ, as in pinyin typed without tones. Stop words and characters with
    several common readings stay.
    """
    return rules(language, "sounds", Sounds).homophones(char, same_tone=same_tone)
