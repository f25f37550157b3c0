"""Chinese words: found, replaced, put in."""

import pytest

from perturbations import Sentence, find, parse
from perturbations.languages.zh.borders import layout, occurrences
from perturbations.lexicons import entries, pairs
from perturbations.resources import FromCorpus
from tests.perturbations.chinese import characters, everywhere, options, words
from tests.rows import every

COUNTRIES = pairs("countries_zh")


def found(text: str, *wanted: str) -> list[str]:
    sentence = characters(words(text))
    return ["".join(sentence.tokens[i:j]) for i, j in occurrences(layout(sentence), frozenset(wanted))]


def test_a_word_is_found_among_single_characters():
    assert found("他 是 医生 。", "医生") == ["医生"]


@every(
    ("text", "word"),
    [
        ("北大 学生", "大学"),
        ("发展中 国家", "中国"),
        ("科学家", "科学"),
        ("热热闹闹", "热闹"),
        ("其他 人", "他"),
        ("他们 来 了", "他"),
        ("沿海 地区", "海地"),
    ],
)
def test_a_word_that_overlaps_another_is_not_found(text, word):
    assert found(text, word) == []


def test_a_word_is_not_found_across_the_border_of_an_entity():
    assert found("[北大 ORG] 学生", "大学", "学生") == ["学生"]


def test_where_tokens_are_words_a_word_is_a_token():
    sentence = words("北大 学生 医生 们")
    assert occurrences(layout(sentence), {"大学", "学生", "医生"}) == [(1, 2), (2, 3)]


@pytest.mark.parametrize(
    ("name", "text", "after"),
    [
        ("zh_antonym", "[王伟 PER] 喜欢 夏天 。", "[王伟 PER]讨厌冬天。"),
        ("zh_miswritten", "他 安装 了 汽车 。", "他按装了气车。"),
        ("zh_miswritten", "[汽车 公司 ORG] 迫不及待", "[气车公司 ORG]迫不急待"),
    ],
)
def test_words_are_replaced_whatever_the_tokens(name, text, after):
    assert everywhere(name, words(text)) == after
    assert everywhere(name, characters(words(text))) == after


@pytest.mark.parametrize("sentence", [words("他 购买 了 礼物 。"), characters(words("他 购买 了 礼物 。"))])
def test_synonyms_of_nouns_and_verbs(sentence):
    assert options("zh_synonym", sentence) == [["他购买了礼品。"]]
    assert options("zh_synonym", sentence, kinds=("NOUN",)) == [["他购买了礼品。"]]
    assert options("zh_synonym", sentence, kinds=("ADJ", "ADV")) == []


def test_adverbs_are_replaced_only_when_asked_for():
    assert options("zh_synonym", words("他 突然 走 了")) == []
    assert options("zh_synonym", words("他 忽然 走 了"), kinds=("ADV",)) == [["他突然走了"]]


@pytest.mark.parametrize("name", ["zh_synonym", "zh_antonym"])
@pytest.mark.parametrize("text", ["[购买 医生 ORG]", "[城市 LOC] 的"])
def test_words_of_entities_are_left_alone(name, text):
    assert options(name, words(text)) == []
    assert options(name, characters(words(text))) == []


def test_a_longer_word_gets_tokens_and_spaces_like_its_neighbours():
    tight = characters(words("他 有 手机 。"))
    variant = find("zh_synonym").configured(rate=1).sample(tight, seed=1).sentence
    assert variant.tokens == tuple("他有移动电话。")
    assert variant.spaces == ("",) * 7
    loose = Sentence(tight.tokens, tight.tags, (" ",) * 4 + ("",))
    assert find("zh_synonym").configured(rate=1).sample(loose, seed=1).sentence.text == "他 有 移 动 电 话 。"


def test_synonyms_are_kept_apart_from_antonyms_and_misspellings():
    synonyms = {
        (word, other) for word, kinds in entries("synonyms_zh").items() for kind in kinds for other in kind.synonyms
    }
    assert synonyms & set(pairs("antonyms_zh").items()) == set()
    assert synonyms & set(pairs("misspellings_zh").items()) == set()


def test_a_misspelling_has_as_many_characters_and_differs_in_one_or_two():
    for right, wrong in pairs("misspellings_zh").items():
        assert len(right) == len(wrong)
        assert sum(a != b for a, b in zip(right, wrong, strict=True)) in (1, 2), right


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("[王伟 PER] 喜欢 北京", "[王伟 PER]其实喜欢北京"),
        ("昨天 下雨 ， 他们 决定 返回 北京", "昨天下雨，他们其实决定返回北京"),
        ("他 认为 我 知道", "他其实认为我知道"),
    ],
)
def test_an_adverb_stands_between_subject_and_verb(text, after):
    for sentence in (words(text), characters(words(text))):
        assert options("zh_insert_adverb", sentence, adverbs=("其实",)) == [[after]]


@every(
    "text",
    [
        "在 [北京 LOC] 举行 会议",
        "对 他 表示 感谢",
        "他 喜欢 的 房子",
        "喜欢 北京",
        "他 的 决定",
        "[他 喜欢 ORG]",
        "他 去世",  # says what happened, which nobody doubts
        "他 看到 信 后 ， 哭 了",
        "他 喜欢 北京 吗 ？",
        "他 知道 什么",
    ],
)
def test_no_adverb_goes_anywhere_else(text):
    assert options("zh_insert_adverb", words(text)) == []
    assert options("zh_insert_adverb", characters(words(text))) == []


def test_an_adverb_between_two_characters_of_an_entity_is_never_put_in():
    assert options("zh_insert_adverb", words("[他 访问 PER] 认为"), adverbs=("其实",)) == [["[他访问 PER]其实认为"]]


@pytest.mark.parametrize("adverbs", [("",), ("其 实",)])
def test_what_is_no_adverb_is_refused(adverbs):
    with pytest.raises(ValueError, match="expected words, at least one, without white space"):
        list(find("zh_insert_adverb").configured(adverbs=adverbs).sites(words("他 认为")))


@pytest.mark.parametrize("cut", [words, lambda text: characters(words(text))])
def test_countries_become_those_of_a_continent(cut):
    (site,) = options("zh_prejudice", cut("他 去 了 [日本 LOC] 。"))
    assert site == [f"他去了[{country} LOC]。" for country, place in COUNTRIES.items() if place == "america"]
    assert "他去了[埃及 LOC]。" in options("zh_prejudice", cut("他 去 了 [日本 LOC] 。"), to="africa")[0]
    assert "他去了埃及。" in options("zh_prejudice", cut("他 去 了 日本 。"), to="africa")[0]
    assert options("zh_prejudice", cut("他 去 了 [巴西 LOC] 。")) == []
    assert options("zh_prejudice", cut("[日本 银行 ORG]")) == []


@pytest.mark.parametrize("cut", [words, lambda text: characters(words(text))])
def test_men_become_women_and_women_men(cut):
    assert everywhere("zh_prejudice", cut("他 父亲 是 男演员 。"), to="woman") == "她母亲是女演员。"
    assert everywhere("zh_prejudice", cut("她 母亲 和 他 。"), to="man") == "他父亲和他。"
    assert everywhere("zh_prejudice", cut("其他 吉他"), to="woman") is None


@pytest.mark.parametrize("cut", [words, lambda text: characters(words(text))])
def test_a_person_keeps_the_surname_and_gets_a_given_name_of_as_many_characters(cut):
    women = [name for name, sex in pairs("given_names_zh").items() if sex == "woman"]
    assert options("zh_prejudice", cut("[张志强 PER] 来 了"), to="woman") == [
        [f"[张{name} PER]来了" for name in women if len(name) == 2]
    ]
    assert options("zh_prejudice", cut("[李刚 PER]"), to="woman") == [[f"[李{n} PER]" for n in women if len(n) == 1]]


@every("text", ["[李秀英 PER]", "[李强 LOC]", "[克林顿 PER]", "[李乙 PER]", "李强 来 了"])
def test_who_is_no_man_for_certain_stays(text):
    assert options("zh_prejudice", words(text), to="woman") == []


def test_a_name_in_two_tokens_is_replaced_too():
    (site,) = options("zh_prejudice", words("[江 志强 PER]"), to="woman")
    assert "[江秀英 PER]" in site


@pytest.mark.parametrize("cut", [words, lambda text: characters(words(text))])
def test_entities_get_other_names_of_their_type(cut):
    person, place, firm = options("zh_named_ent", cut("[王伟 PER] 在 [沈阳 GPE] 的 [招商 银行 NT]"))
    kinds = pairs("names_zh")
    assert sum(kind == "person" for kind in kinds.values()) - 1 >= len(person) > 80
    assert "[张志强 PER]在[沈阳 GPE]的[招商银行 NT]" in person
    assert "[王伟 PER]在[齐齐哈尔 GPE]的[招商银行 NT]" in place
    assert "[王伟 PER]在[沈阳 GPE]的[中国银行 NT]" in firm


@pytest.mark.parametrize("cut", [words, lambda text: characters(words(text))])
def test_a_country_becomes_a_country_and_a_city_none(cut):
    provinces = " ".join(f"[甲{char}省 LOC]" for char in "一二三四五六七八九十百千万亿元")
    names = FromCorpus("made", [parse(f"[日 本 LOC] [拉 萨 LOC] [王 国 LOC] [法国 LOC] [中 LOC] {provinces}")] * 2)
    swap = find("swap_named_ent").configured(language="zh", entities=names, otherwise=names)
    assert options(swap, cut("[中国 LOC]")) == [["[日本 LOC]", "[法国 LOC]"]]
    assert options(swap, cut("[沈阳 LOC]")) == [["[拉萨 LOC]"]]
    assert options(swap, cut("[美 LOC]")) == []


LONGER = " ".join(
    f"[{' '.join(name)} LOC]" for name in ["哈萨克斯坦", "吉尔吉斯斯坦", "马来西亚", "呼和浩特", "乌鲁木齐", "哈尔滨"]
)


def test_a_longer_place_is_of_the_same_kind_too():
    others = " ".join(f"[甲{char}省 LOC]" for char in "一二三四五六七八九十百千万亿元兆京")
    names = FromCorpus("made", [parse(f"{LONGER} [法国 LOC] {others}")] * 2)
    swap = find("swap_ent_longer").configured(language="zh", entities=names, otherwise=names)
    assert options(swap, characters(words("[中国 LOC] [沈阳 LOC]"))) == [
        [f"[{land} LOC][沈阳 LOC]" for land in ("吉尔吉斯斯坦", "哈萨克斯坦", "马来西亚")],
        [f"[中国 LOC][{town} LOC]" for town in ("乌鲁木齐", "呼和浩特", "哈尔滨")],
    ]


def test_a_new_name_has_words_or_characters_as_tokens():
    variants = [
        find("zh_named_ent").sample(sentence, seed=1).sentence
        for sentence in (words("[清华 大学 ORG]"), characters(words("[清华 大学 ORG]")))
    ]
    assert len(variants[0]) < len(variants[1]) == len(variants[1].text)
    assert variants[0].text == variants[0].text.replace(" ", "")


@pytest.mark.parametrize("text", ["[王伟 DATE]", "[王伟 PER.NOM]", "王伟 来 了"])
def test_other_types_and_no_tags_give_nothing(text):
    assert options("zh_named_ent", words(text)) == []


def test_every_kind_of_name_is_there():
    assert set(pairs("names_zh").values()) == {"person", "place", "organisation"}
    assert set(COUNTRIES.values()) == {"africa", "america", "asia", "europe", "oceania"}


@pytest.mark.parametrize("name", ["antonyms_zh", "misspellings_zh", "names_zh", "countries_zh"])
def test_words_to_replace_have_two_characters_or_more(name):
    assert all(len(word) > 1 for word in pairs(name))


@pytest.mark.parametrize(
    ("text", "swapped"),
    [
        ("[王 小 明 PER] 来 了", ["[王明小 PER]来了"]),
        ("[上 海 LOC]", ["[海上 LOC]"]),
        ("[北 京 大 学 ORG]", ["[北大京学 ORG]", "[北京学大 ORG]"]),
        ("[陈 LOC] 的", None),
    ],
)
def test_neighbouring_characters_of_an_entity_change_places_whatever_its_tokens(text, swapped):
    slips = find("ent_typos").configured(language="zh")
    joined = words(text.replace(" 小 明", "小明").replace(" 大 学", "大学").replace("上 海", "上海"))
    for sentence in (joined, characters(words(text))):
        assert options(slips, sentence) == ([] if swapped is None else [swapped])


def test_the_first_character_of_an_entity_changes_too_where_it_may():
    slips = find("ent_typos").configured(language="zh", skip_first=False, skip_last=True)
    assert options(slips, characters(words("[王小明 PER]"))) == [["[小王明 PER]"]]
    assert options(find("ent_typos").configured(language="zh", operation="delete"), words("[王小明 PER]")) == []
