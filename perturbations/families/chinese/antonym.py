"""Words replaced by words of the opposite meaning."""

from perturbations.catalogue import sentence_level
from perturbations.families.chinese.layout import layout
from perturbations.families.chinese.vocabulary import occurrences
from perturbations.lexicons import pairs
from perturbations.perturbation import Options
from perturbations.text import Sentence


@sentence_level(
    kind="lexis",
    rate=0.1,
    languages=("zh",),
    aliases=("CnAntonym",),
    renews=True,
    example=("[王 伟 PER] 喜 欢 夏 天", "[王 伟 PER] 讨 厌 冬 天"),
)
def zh_antonym(sentence: Sentence) -> list[Options]:
    """The antonym that the list gives, outside entities [TextFlint, catalogue name "CnAntonym"].

    The meaning flips: labels hold for named entities, word segmentation and parts of speech, not for sentiment,
    inference, matching or questions.
    """
    found = layout(sentence)
    if found is None:
        return []
    antonyms = pairs("antonyms_zh")
    return [
        [found.replacing(start, stop, (antonyms["".join(sentence.tokens[start:stop])],))]
        for start, stop in occurrences(found, antonyms)
        if found.is_outside(start, stop)
    ]
