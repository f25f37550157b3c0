"""Numbers in Chinese text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import Sentence, apply, find
from perturbations.languages.zh.reading import LARGEST, numeral
from tests.perturbations.chinese import characters, everywhere, options, words
from tests.rows import every


@every(
    ("value", "text"),
    [
        (0, "零"),
        (2, "二"),
        (10, "十"),
        (12, "十二"),
        (20, "二十"),
        (100, "一百"),
        (101, "一百零一"),
        (105, "一百零五"),
        (110, "一百一十"),
        (200, "二百"),
        (1005, "一千零五"),
        (1010, "一千零一十"),
        (1100, "一千一百"),
        (2000, "两千"),
        (2222, "两千二百二十二"),
        (9999, "九千九百九十九"),
        (10000, "一万"),
        (10010, "一万零一十"),
        (12000, "一万二千"),
        (20002, "两万零二"),
        (100000, "十万"),
        (101000, "十万一千"),
        (110000, "十一万"),
        (1_000_000_000, "十亿"),
        (100_001_000, "一亿零一千"),
        (200_000_000, "两亿"),
        (10_0010_0010, "十亿零一十万零一十"),
        (LARGEST, "九千九百九十九万亿九千九百九十九亿九千九百九十九万九千九百九十九"),
    ],
)
def test_numerals(value, text):
    assert numeral(value) == text


def value_of(text: str) -> int:
    """The number that a numeral stands for, worked out from its characters alone."""
    total = group = digit = 0
    for character in text.replace("万亿", "兆"):
        if character in "零一二三四五六七八九两":
            digit = 2 if character == "两" else "零一二三四五六七八九".index(character)
        elif character in "十百千":
            group += (digit or 1) * 10 ** ("十百千".index(character) + 1)
            digit = 0
        else:
            total += (group + digit) * {"万": 10**4, "亿": 10**8, "兆": 10**12}[character]
            group = digit = 0
    return total + group + digit


@given(st.integers(0, 16).flatmap(lambda digits: st.integers(0, 10**digits - 1)))
def test_a_numeral_says_its_number_and_no_zero_too_many(value):
    text = numeral(value)
    assert value_of(text) == value
    assert "零零" not in text
    assert value == 0 or not text.endswith("零")
    assert not text.startswith("一十")
    assert re.search("零[千百万亿]", text) is None


@pytest.mark.parametrize("value", [-1, LARGEST + 1])
def test_a_number_without_numeral_is_refused(value):
    with pytest.raises(ValueError, match="expected a number from 0 to 9999999999999999"):
        numeral(value)


READINGS = [
    ("有 105 本 书", "有一百零五本书"),
    ("有 1005 本 书", "有一千零五本书"),
    ("有 10 个 人", "有十个人"),
    ("有 110 个 人", "有一百一十个人"),
    ("28 人", "二十八人"),
    ("２８ 人", "二十八人"),
    ("2 个 人", "两个人"),
    ("2 天", "两天"),
    ("2 小时", "两小时"),
    ("2 月", "二月"),
    ("第 2 名", "第二名"),
    ("第 2 年", "第二年"),
    ("2 年", "两年"),
    ("2 年级", "二年级"),
    ("12 个 人", "十二个人"),
    ("2 亿 元", "两亿元"),
    ("3.05 米", "三点零五米"),
    ("增长 25 %", "增长百分之二十五"),
    ("增长 10.6％ 。", "增长百分之十点六。"),
    ("增长 3 ‰", "增长千分之三"),
    ("2023 年", "二〇二三年"),
    ("1998年 底", "一九九八年底"),
    ("1日 开始", "一日开始"),
    ("80 年代", "八十年代"),
    ("10 年 前", "十年前"),
    ("10 多 年", "十多年"),
    ("2000 多 人", "两千多人"),
    ("1,234,567 元", "一百二十三万四千五百六十七元"),
    ("20000 人", "两万人"),
    ("时间 ：5 点", "时间：五点"),
    ("0 分", "零分"),
]


@every(("text", "read"), READINGS)
def test_numbers_are_read_where_they_stand_whatever_the_tokens(text, read):
    by_word, by_character = words(text), characters(words(text))
    assert everywhere("zh_digits", by_word) == read
    assert everywhere("zh_digits", by_character) == read


@every(
    "text",
    [
        "98 年 的 事",
        "2000 年 历史",
        "907 年",
        "代码 007",
        "电话 62345678",
        "邮编 100871",
        "住 301 号",
        "截至 2008 ，",
        "10:30 开会",
        "10：30 开会",
        "3-5 名",
        "3～5 名",
        "2023-01-05 发布",
        "版本 1.2.3",
        "5G 网络",
        "A4 纸",
        "COVID-19 疫情",
        "$5 元",
        "气温 25℃",
        "9·11 事件",
        "没有 数字",
        "5月 1日 ",  # else one number of a date would be written in another way than the other
        "5月 1日 —8日",
        "30 到 40 项",
        "442 或 433",
        "301 法案",
    ],
)
def test_what_cannot_be_told_stays(text):
    for sentence in (words(text), characters(words(text))):
        assert options("zh_digits", sentence) == []


def test_two_numbers_in_a_row_are_not_joined():
    assert options("zh_digits", words("得分 3 5 次")) == []
    assert options("zh_digits", Sentence(("得分", "3", "5", "次"))) == []


def test_a_number_is_not_taken_across_the_border_of_an_entity():
    assert everywhere("zh_digits", words("[1 LOC] 0 5 号")) is None
    assert everywhere("zh_digits", words("在 [第 1 0 5 师 ORG] 。")) == "在[第一百零五师 ORG]。"


def test_tokens_are_cut_like_the_others():
    by_word = find("zh_digits").configured(rate=1).sample(words("王伟 有 105 本 书"), seed=1).sentence
    assert by_word.tokens == ("王伟", "有", "一百零五", "本", "书")
    assert by_word.spaces == ("",) * 5
    by_character = find("zh_digits").configured(rate=1).sample(characters(words("有 105 本 书")), seed=1).sentence
    assert by_character.tokens == tuple("有一百零五本书")
    assert by_character.spaces == ("",) * 7


def others(text: str) -> list[str]:
    return [option for site in options("zh_number", words(text)) for option in site]


def test_another_number_differs_in_one_digit():
    assert others("5 个 人") == [f"{digit}个人" for digit in (1, 2, 3, 4, 6, 7, 8, 9)]
    assert others("１ 个 人")[0] == "２个人"
    assert others("105 个 人") == [
        *("205个人", "305个人"),
        *(f"1{digit}5个人" for digit in range(1, 10)),
        *(f"10{digit}个人" for digit in (0, 1, 2, 3, 4, 6, 7, 8, 9)),
    ]


def test_a_number_is_at_most_trebled_and_up_to_a_day_and_the_like_none_exceeds_that():
    assert others("12 个 人") == ["22个人", *(f"1{digit}个人" for digit in (0, 1, 3, 4, 5, 6, 7, 8, 9))]
    assert [other[:2] for other in others("45 分钟")][:4] == ["15", "25", "35", "55"]
    assert not [other for other in others("80 %") if float(other[:-1]) > 100]


def test_a_rounded_number_keeps_its_zeros():
    assert others("300 多 人") == [f"{digit}00多人" for digit in (1, 2, 4, 5, 6, 7, 8, 9)]


@every(
    "text",
    [
        "12 月",
        "31 日",
        "23 时 15 分",
        "1998 年",
        "80 年代",
        "98 年 的 事",
        "第 5 名",
        "5 到 10 年 内",
        "30 至 40 岁",
        "3 比 2 个",
        "007 号",
        "5G 网络",
        "10:30 开会",
        "没有 数字",
        "5 个 人 和 5 个 人",
        "在 [第 3 0 个 ORG]",
        "[中 5 个 人 ORG]",
    ],
)
def test_what_is_no_amount_stays(text):
    assert others(text) == []


@given(st.integers(1, 99_999))
def test_another_number_has_as_many_digits_and_differs(value):
    for other in others(f"{value} 个 人"):
        digits = other.removesuffix("个人")
        assert len(digits) == len(str(value))
        assert sum(a != b for a, b in zip(digits, str(value), strict=True)) == 1
        assert digits[0] != "0"
        assert int(digits) <= max(100, 3 * value)


@every(
    "text",
    [
        "三 个 县 ： 甲 和 乙",  # in words
        "有 4 个 县 ： 甲 、 乙 、 丙 和 丁",
        "甲 、 乙 、 丙 这 3 个 县",
        "他 写 了 《 12 个 月 》",
        "男 20 人 ， 女 30 人 ， 共 50 人",
    ],
)
def test_numbers_that_count_a_list_stand_in_a_title_or_add_up_stay(text):
    assert list(find("number").configured(language="zh").sites(words(text))) == []


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("约 4000 种", {"1000", "2000", "3000", "5000", "6000", "7000", "8000", "9000"}),
        ("约 30 种", {"10", "20"}),
        ("有 600 人", {"100", "200", "300", "400", "500", "700", "800", "900"}),
        ("有 15 人", {"10", "11", "12", "13", "14", "16", "17", "18", "19"}),
    ],
)
def test_a_round_number_stays_round(text, others):
    sentence = words(text)
    (site,) = find("number").configured(language="zh").sites(sentence)
    assert {apply(sentence, [edit]).sentence.tokens[1] for edit in site} - {"25"} == others
