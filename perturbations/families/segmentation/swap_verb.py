"""Verbs repeated around 一 or 了."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.catalogue import sentence_level
from perturbations.families.segmentation.gold_words import CutWord, exchange, gold_words, texts_around
from perturbations.lexicons import words
from perturbations.text import Edit, Sentence

_WILLING = frozenset(
    (
        *("想", "要", "可以", "能", "去", "来", "应该", "得", "先", "请", "再", "帮", "一起", "让", "好好", "不妨"),
        *("愿意", "打算", "准备", "决定", "必须", "需要", "想要", "希望", "不得不"),
    )
)
"""Words behind which a verb names what somebody wants to do, or should."""

_GOES_ON = frozenset("了着过到出见成完起上下作做为好在给得不于向往进回开住掉清中法者人")
"""First characters of words behind a verb that it cannot be repeated before."""

_COUNTS = frozenset("一二两三四五六七八九十百千万几多半数许好整第0123456789")
"""First characters of amounts, which a verb repeated around 了 does not take."""

_PARTICLES = ("吗", "吧", "呢", "的")
_NOT_BEFORE = ("不", "没", "没有", "已", "已经", "都", "常", "刚", "才", "就")


@sentence_level(
    title="Repeated verbs",
    kind="syntax",
    needs=("repeated_verbs",),
    aliases=("SwapVerb",),
    labels="changes",
    scheme="words",
    example=("[我 =S] [想 =S] [看 =S] [书 =S]", "[我 =S] [想 =S] [看 =B] [一 =M] [看 =E] [书 =S]"),
)
def swap_verb(sentence: Sentence, *, language: str = "zh") -> list[list[Edit]]:
    """A verb of one character is repeated [TextFlint, catalogue name "SwapVerb"].

    看 becomes 看一看, one word, behind a word of wanting or asking, and 看 了 becomes 看 了 看 before an object that is
    no amount. Verbs of a reviewed list that one can do a little.
    """
    listed, found = words(f"repeated_verbs_{language}"), gold_words(sentence)
    sites = []
    for place, word in enumerate(found):
        if word.text not in listed:
            continue
        before, after = texts_around(found, place)
        if after == "了":
            end = found[place + 1]
            behind = texts_around(found, place + 1)[1]
            if _takes_object(behind) and not _is_denied(found, place):
                sites.append([exchange(sentence, word.start, end.stop, (word.text, "了", word.text))])
        elif (
            before in _WILLING
            and word.text + before != "看来"
            and after[:1] not in _GOES_ON
            and after[:1] not in _COUNTS
            and after
        ):
            sites.append([exchange(sentence, word.start, word.stop, (f"{word.text}一{word.text}",))])
    return sites


def _takes_object(behind: str) -> bool:
    return bool(behind) and behind[0] not in _COUNTS and behind[0] not in _GOES_ON and behind not in _PARTICLES


def _is_denied(found: Sequence[CutWord], place: int) -> bool:
    """Whether one of the two words before it denies, or says that it is done already, once or often."""
    return any(word.text in _NOT_BEFORE for word in found[max(0, place - 2) : place])
