"""Small numbers that become ranges."""

from __future__ import annotations

from perturbations.catalogue import sentence_level
from perturbations.families.segmentation.gold_words import exchange, gold_words, texts_around
from perturbations.lexicons import words
from perturbations.text import Edit, Sentence

_UPPER = dict(zip("三四五六七34567", "五六七八九56789", strict=True))
_BEFORE = frozenset("～-—~至到们第这那此该前后头每其另上下近初几数十百千万亿零点分比之同共仅唯于为一二半")
"""Last characters of what stands before an ordinal, an exact sum, or a number that is part of a longer one."""

_LISTS = ("、", "和", "与", "及", "以及")
_NEAR = 8
"""Words beside a number: a list before it may tell how many there are, and 中 behind it that all are known."""


@sentence_level(
    title="Numbers that become ranges",
    kind="lexis",
    needs=("counting_words",),
    aliases=("CwsSwapNum",),
    labels="changes",
    scheme="words",
    relation="loses",
    example=("[来 =S] [了 =S] [三 =S] [位 =S]", "[来 =S] [了 =S] [三 =S] [至 =S] [五 =S] [位 =S]"),
)
def number_range(sentence: Sentence, *, language: str = "zh") -> list[list[Edit]]:
    """A number becomes a range that begins with it [TextFlint, CnSwapNum of word segmentation].

    三 becomes 三至五, which is three words, as in Universal Dependencies. Numbers from three to seven that are one
    character and one word before a word that counts; ordinals, exact sums, comparisons, numbers behind a list of as
    many things, and sentences with several such numbers stay.
    """
    counting, found = words(f"counting_words_{language}"), gold_words(sentence)
    texts = [word.text for word in found]
    if "比" in texts:
        return []
    whole, sites = "".join(texts), []
    for place, word in enumerate(found):
        before, after = texts_around(found, place)
        listed = any(each in _LISTS for each in texts[max(0, place - _NEAR) : place])
        out_of = "中" in texts[place + 1 : place + _NEAR]
        free = word.text in _UPPER and after in counting and before[-1:] not in _BEFORE and not listed and not out_of
        if free and f"第{word.text}" not in whole and sum(text in _UPPER for text in texts) == 1:
            sites.append([exchange(sentence, word.start, word.stop, (word.text, "至", _UPPER[word.text]))])
    return sites
