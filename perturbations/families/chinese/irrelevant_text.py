"""Phrases that have nothing to do with the text."""

from functools import cache

from perturbations.catalogue import sentence_level
from perturbations.families.chinese.layout import layout
from perturbations.lexicons import pairs
from perturbations.perturbation import Options
from perturbations.text import Sentence

_LONG = 10
"""From how many characters on a text also gets a proverb [TextFlint, catalogue name "AppendIrr"]."""

_ENDS = "。！？…”’』」）】》!?."


@sentence_level(
    kind="pragmatics",
    languages=("zh",),
    aliases=("CnAppendIrr",),
    example=("[王 伟 PER] 走 了 。", "说 实 话 ， [王 伟 PER] 走 了 。"),
)
def zh_irrelevant_text(sentence: Sentence) -> list[Options]:
    """An opener in front and, from ten characters on, a proverb behind [TextFlint, catalogue name "AppendIrr"].

    The proverb is a sentence of its own, so a text without a final mark gets a full stop first.
    """
    found = layout(sentence)
    if found is None:
        return []
    sites: list[Options] = [[found.inserting(0, words) for words in _phrases("opener")]]
    text = "".join(sentence.tokens)
    if len(text) >= _LONG:
        stop = () if text[-1] in _ENDS else ("。",)
        sites.append([found.inserting(len(sentence), (*stop, *words)) for words in _phrases("proverb")])
    return sites


@cache
def _phrases(kind: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(phrase.split("|")) for phrase, known in pairs("asides_zh").items() if known == kind)
