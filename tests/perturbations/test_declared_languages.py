"""A perturbation that claims a language changes text in it, or says why it does not."""

import os
from pathlib import Path

import pytest

from abalo.sources.resources import why_other_language
from perturbations import Sentence, find, members
from perturbations.languages import ANY, codes, has
from tests.rows import every

DATA = Path(os.environ.get("ABALO_TEST_DATA", ""), "languages")

OWN = {
    "ar": "كتب الوزير في 2016 رسالة ، ثم سافر إلى القاهرة .",
    "en": 'The ex-minister said "no" to the naïve judge , who left .',
    "fr": "L' élève a dû écrire au maire en 2016 , puis il est parti .",
    "hi": "मंत्री ने 2016 में पत्र लिखा , फिर दिल्ली गए ।",
    "ja": "大臣 は 2016 年 に 東京 へ 行っ た 。",
    "ko": "장관 은 2016 년 에 서울 로 갔다 .",
    "pt": "O ex-ministro não foi à reunião em 2016 , disse o juiz .",
    "ru": "Министр не пришёл на встречу в 2016 году , сказал судья .",
    "th": "รัฐมนตรี ไป กรุงเทพ ใน ปี 2016 .",
    "zh": "部 长 在 2016 年 去 了 北 京 ， 说 法 官 没 来 。",
}

FAMILIES = ("casing", "character", "spelling")
OTHERS = ("punctuation", "strip_punctuation", "white_space", "emoji", "word_insertion")

EVERYWHERE = (
    *("character_noise", "typos", "letter_case", "mixed_case", "homoglyph", "invisible", "white_space", "unicode_form"),
    *("elongation", "strip_punctuation", "emoji"),
)

MEMBERS = [
    member
    for member in members().values()
    if member.function.__module__.split(".")[:2] == ["perturbations", "families"]
    and (member.function.__module__.split(".")[2] in FAMILIES or member.name in OTHERS)
]


def paragraphs(code: str) -> list[str]:
    text = (DATA / f"{code}.txt").read_text("utf-8-sig")
    return [" ".join(line) if code == "zh" else line for line in text.splitlines() if line.strip()]


def share(member, code: str, texts: list[str]) -> float:
    if "language" in member.params:
        member = member.configured(language=code if code in member.spoken else ANY)
    found = [member.configured(at_least=1).sample(Sentence(tuple(text.split())), seed=1) for text in texts]
    return sum(each is not None for each in found) / len(texts)


@pytest.mark.skipif(not DATA.is_dir(), reason="needs ABALO_TEST_DATA")
@pytest.mark.slow
@every("member", MEMBERS, ids=lambda member: member.name)
def test_paragraphs_of_claimed_languages_change(member):
    for code in sorted(path.stem for path in DATA.glob("*.txt")):
        if member.unfit(code) is None:
            assert share(member, code, paragraphs(code)) >= 0.05, code


@every("name", EVERYWHERE)
def test_a_sentence_of_a_claimed_language_changes(name):
    for code, text in OWN.items():
        if find(name).unfit(code) is None:
            assert share(find(name), code, [text]) == 1, code


@every(
    ("name", "none"),
    [
        ("letter_case", "ar hi ja ko th zh"),
        ("mixed_case", "ar hi ja ko th zh"),
        ("keyboard", "ar hi ja ko ru th zh"),
        ("ocr", "ar hi ja ko ru th zh"),
        ("homoglyph", "ar hi ja ko th zh"),
        ("elongation", "hi ja ko th zh"),
        ("accents", "hi ja ko ru th zh"),
        ("character_noise", "ja ko zh"),
        ("typos", "ja ko zh"),
        ("white_space", ""),
        ("invisible", ""),
        ("word_insertion", "ar hi ja ko ru th"),
    ],
)
def test_where_nothing_happens_is_said(name, none):
    assert [code for code in OWN if find(name).unfit(code)] == none.split()


def test_fillers_are_words_of_the_language_or_are_given():
    assert find("word_insertion").unfit("ar") == "word_insertion is for text in Latin script; ar is written in Arabic"
    assert all(has(code, "fillers") for code in codes())
    assert why_other_language(find("word_insertion"), {}, "ar") is not None
    assert why_other_language(find("word_insertion"), {"fillers": ["يعني"]}, "ar") is None
    assert why_other_language(find("insert"), {"distractors": ["يعني"]}, "ar") is None
