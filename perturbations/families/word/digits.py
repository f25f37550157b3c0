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
    """Writes numbers in words: 一百零五 for 105, 二〇二三年 for 2023年 [TextFlint, catalogue name "CnDigit2Char"].

    Decimals and percentages count too. Ambiguous numbers stay: codes, times and dates with strokes, 98年 (a year or a
    span), 2000年, rooms and lines such as 301号, numbers beside others such as 5月23日. So do numbers from 10,000 on
    without commas or a measure word.

    If a numeral agrees with a noun, the ending of the noun decides the gender or, with ``agreement="spacy"``, a spaCy
    pipeline for the language. Numerals with an unknown gender stay. If spaCy or its pipeline is missing, raises
    ImportError with what to install.
    """
    return rules(language, "numerals", Numerals).written_out(sentence, agreement)
