"""Characters that come out when one letter of the pinyin is mistyped."""

from perturbations.catalogue import character_level
from perturbations.families.chinese.syllables import content_syllable, in_all_tones, sounding, with_one_slip


@character_level(
    kind="morphology",
    rate=0.1,
    languages=("zh",),
    aliases=("CnSpellingError",),
    example=("[张 伟 PER] 接 受 礼 物", "[赃 外 PER] 加 搜 礼 物"),
)
def zh_misspelling(char: str) -> list[str]:
    """Common characters one letter of pinyin away, in any tone [TextFlint, catalogue name "CnSpellingError"].

    The slips are z for zh, c for ch, s for sh, a for ao, in for ing, a for e, and the other way round. Stop words and
    characters with several common readings stay.
    """
    syllable = content_syllable(char)
    if syllable is None:
        return []
    slipped = [toned for letters in with_one_slip(syllable[:-1]) for toned in in_all_tones(letters)]
    return list(dict.fromkeys(other for other in sounding(slipped) if other != char))
