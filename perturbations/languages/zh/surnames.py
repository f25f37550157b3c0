"""Chinese surnames, persons told by them, and the words that they make by chance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from perturbations.languages.zh.borders import HAN
from perturbations.languages.zh.persons import SURNAMES
from perturbations.lexicons import pairs, words

_LONGEST = 3
"""Characters of a whole name."""

_NO_GIVEN_NAME = frozenset("宗祖王帝朝军国语族港路线州县市区府公氏式代后人年者部校院社会团队流力心面地子头儿")
"""Last characters of words behind a surname that are no given names, such as that of a dynasty in 宋太宗."""

_COUNTS = frozenset("这那哪每几两半一二三四五六七八九十百千万0123456789")
"""Characters behind which a surname is a word that counts, as in 四张桌子."""

_ALSO_WORDS = frozenset("高方万任时金白江常成石于文向马黄包水易史安段雷龙武夏钱何田汤温毛")
"""Surnames that are words themselves, so that a given name or a title has to tell that they are not."""


def names_person(given: Sequence[str], place: int) -> bool:
    """Whether the word is a person's name, or a surname before a given name, a title or an unknown word of two."""
    word, behind = given[place], "".join(given[place + 1 : place + 2])
    if word[0] not in SURNAMES or len(word) > _LONGEST or (place and given[place - 1][-1] in _COUNTS):
        return False
    if len(word) > 1:
        return word[1:] in pairs("given_names_zh") and word not in _known_words()
    if behind in words("titles_zh"):
        return True
    unknown = len(behind) == 2 and behind not in _known_words() and HAN.sub("", behind) == ""
    named = behind in pairs("given_names_zh") or (unknown and behind[-1] not in _NO_GIVEN_NAME)
    return named and word not in _ALSO_WORDS


def making_words(before: str, given: str) -> list[str]:
    """The surnames that make a word with the character before them, or with the first of a given name of two."""
    known = _known_words()
    behind = given[0] if len(given) > 1 else ""
    return sorted(
        surname
        for surname in SURNAMES
        if (before and before + surname in known) or (behind and surname + behind in known)
    )


@cache
def _known_words() -> frozenset[str]:
    return frozenset(pairs("words_zh")) | words("stop_words_zh")
