"""Words written with a wrong character that many take for the right one."""

from perturbations.catalogue import sentence_level
from perturbations.families.chinese.layout import layout
from perturbations.families.chinese.vocabulary import occurrences
from perturbations.lexicons import pairs
from perturbations.perturbation import Options
from perturbations.text import Sentence


@sentence_level(
    kind="morphology", rate=0.3, languages=("zh",), example=("[王 伟 PER] 安 装 汽 车", "[王 伟 PER] 按 装 气 车")
)
def zh_miswritten(sentence: Sentence) -> list[Options]:
    """The misspelling that the list gives for a word, such as 按装 for 安装, inside entities too.

    What the dictionary of misspellings is for English [TextFlint, catalogue name "SpellingError"].
    """
    found = layout(sentence)
    if found is None:
        return []
    wrong = pairs("misspellings_zh")
    return [
        [found.replacing(start, stop, (wrong["".join(sentence.tokens[start:stop])],))]
        for start, stop in occurrences(found, wrong)
    ]
