"""Numbers in digits written in words."""

from __future__ import annotations

from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.languages import rules
from perturbations.languages.parts import Numerals, Sites
from perturbations.text import Sentence


@sentence_level(
    title="Digits written in words",
    kind="morphology",
    rate=0.1,
    needs=("numerals",),
    example=("[王 伟 PER] 有 1 0 5 本 书", "[王 伟 PER] 有 一 百 零 五 本 书"),
)
def digits(sentence: Sentence, *, language: str = "zh", agreement: Literal["endings", "spacy"] = "endings") -> Sites:
    """Numbers in words: 一百零五 for 105, 二〇二三年 for 2023年 [TextFlint, catalogue name "CnDigit2Char"].

    Decimals and percentages are read too. What cannot be told stays: codes, times and dates with strokes, 98年 (a year
    or a span), 2000年, rooms and lines such as 301号, numbers beside others such as 5月23日,
    numbers from 10,000 on without commas or a measure word.

    Where a numeral agrees with a noun, the gender of that is told by its ending or, with ``agreement="spacy"``, by a
    pipeline of spaCy for the language; what is not told stays. Raises ImportError with what to install.
    """
    return rules(language, "numerals", Numerals).written_out(sentence, agreement)
