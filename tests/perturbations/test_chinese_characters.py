"""Chinese characters and how they sound."""

import pytest

from perturbations import find
from perturbations.languages.zh.sounds import syllable_of, with_one_slip, with_other_nasal
from perturbations.lexicons import pairs, words
from tests.rows import every

COMMON = frozenset("".join(pairs("pinyin_zh").values()))
HOMOPHONES = ("zh_homophone", "zh_nasal", "zh_misspelling")


def options(name: str, character: str, **params: object) -> str:
    return "".join(find(name).configured(**params).function(character, **params))


def test_the_table_has_the_common_characters_and_only_real_syllables():
    assert len(COMMON) > 2500
    assert all(syllable[:-1].isalpha() and syllable[-1] in "12345" for syllable in pairs("pinyin_zh"))
    assert all(len(set(characters)) == len(characters) for characters in pairs("pinyin_zh").values())
    assert all("\u4e00" <= character <= "\u9fff" for character in COMMON)


@every(
    ("character", "syllable"),
    [
        ("中", None),
        ("行", None),
        ("乐", None),
        ("长", None),
        ("北", "bei3"),
        ("女", "nv3"),
        ("略", "lve4"),
        ("玥", None),
    ],
)
def test_a_character_has_a_syllable_if_it_has_one_common_reading(character, syllable):
    assert syllable_of().get(character) == syllable


@every(
    ("character", "sounds_alike"),
    [
        ("接", "街阶揭皆"),
        ("受", "售授寿瘦兽"),
        ("王", "亡"),
        ("北", ""),
        ("的", ""),
        ("我", ""),
        ("行", ""),
        ("a", ""),
        ("。", ""),
    ],
)
def test_homophones(character, sounds_alike):
    assert options("zh_homophone", character) == sounds_alike


def test_homophones_of_any_tone():
    assert options("zh_homophone", "买", same_tone=False) == "卖麦迈"


@every(
    ("syllable", "other"),
    [
        ("an1", "ang1"),
        ("cheng2", "chen2"),
        ("jin4", "jing4"),
        ("liang2", "lian2"),
        ("chuang2", "chuan2"),
        ("hong2", None),
        ("lun2", None),
        ("jiong3", None),
        ("ba1", None),
    ],
)
def test_the_other_nasal(syllable, other):
    assert with_other_nasal(syllable) == other


@every(
    ("character", "others"),
    [("陈", "成城程承诚呈惩乘橙澄"), ("京", "今金斤津巾筋襟"), ("床", "船"), ("红", ""), ("在", "")],
)
def test_nasals(character, others):
    assert options("zh_nasal", character) == others


@every(
    ("letters", "slipped"),
    [
        ("zhao", ["zao", "zha", "zheo"]),
        ("si", ["shi"]),
        ("jie", ["jia"]),
        ("jing", ["jin"]),
        ("xin", ["xing"]),
        ("ta", ["tao", "te"]),
        ("wo", []),
    ],
)
def test_slips_in_typing_pinyin(letters, slipped):
    assert with_one_slip(letters) == slipped


def test_a_slip_gives_what_the_mistyped_syllable_sounds_like_in_any_tone():
    assert options("zh_misspelling", "接") == "家加佳嘉夹颊甲贾价架驾嫁稼"
    assert options("zh_misspelling", "我") == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", HOMOPHONES)
def test_nothing_becomes_a_rare_character_or_one_with_several_readings(name):
    for character in COMMON:
        given = options(name, character)
        assert set(given) <= set(syllable_of())
        assert character not in given
        assert len(set(given)) == len(given)


@pytest.mark.parametrize("name", HOMOPHONES)
def test_chinese_stop_words_stay(name):
    assert {"的", "了", "在", "是", "他", "不", "和"} <= words("stop_words_zh")
    assert [word for word in words("stop_words_zh") if options(name, word)] == []


@pytest.mark.slow
def test_most_characters_have_a_homophone():
    assert sum(bool(options("zh_homophone", character)) for character in COMMON) > 0.75 * len(COMMON)


@pytest.mark.slow
def test_pypinyin_knows_every_reading_of_the_table():
    pypinyin = pytest.importorskip("pypinyin", reason="pip install pypinyin")
    style = {"style": pypinyin.Style.TONE3, "heteronym": True, "neutral_tone_with_five": True}
    for syllable, characters in pairs("pinyin_zh").items():
        for character in characters:
            (readings,) = pypinyin.pinyin(character, **style)
            assert syllable in [reading.replace("ü", "v") for reading in readings], character
