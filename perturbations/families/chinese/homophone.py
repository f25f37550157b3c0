"""Characters replaced by others that sound the same: the commonest slip of those who type by sound."""

from perturbations.catalogue import character_level
from perturbations.families.chinese.syllables import content_syllable, in_all_tones, sounding


@character_level(
    kind="morphology",
    rate=0.3,
    languages=("zh",),
    aliases=("CnHomophones",),
    example=("[王 伟 PER] 接 受 了", "[亡 尾 PER] 阶 授 了"),
)
def zh_homophone(char: str, *, same_tone: bool = True) -> list[str]:
    """The common characters with the reading of the character [TextFlint, catalogue name "CnHomophones"].

    With ``same_tone=False`` those of any tone, as pinyin is typed. Stop words and characters with several common
    readings stay.
    """
    syllable = content_syllable(char)
    if syllable is None:
        return []
    return [other for other in sounding([syllable] if same_tone else in_all_tones(syllable[:-1])) if other != char]
