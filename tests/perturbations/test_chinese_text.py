"""Additions around a Chinese text."""

import pytest

from perturbations import Sentence, apply, find
from perturbations.lexicons import pairs, rows
from perturbations.text import Span
from tests.perturbations.chinese import characters, options, words

CUTS = pytest.mark.parametrize("cut", [words, lambda text: characters(words(text))], ids=["words", "characters"])


@CUTS
def test_the_last_mark_becomes_another_or_a_pair_goes_around(cut):
    (site,) = options("zh_punctuation", cut("[王伟 PER] 走 了 。"))
    assert site == ["“[王伟 PER]走了。”", "（[王伟 PER]走了。）"]
    assert options("zh_punctuation", cut("[王伟 PER] 走 了 ！"))[0][0] == "[王伟 PER]走了。"


@CUTS
@pytest.mark.parametrize("text", ["他 走 了 ……", "他 走 了 ！！", "他 走 了 …"])
def test_marks_of_several_characters_are_one(cut, text):
    assert options("zh_punctuation", cut(text), bracket=False) == [["他走了。"]]


@CUTS
@pytest.mark.parametrize("text", ["他 走 了", "他 走 了 ？", "他 走 了 ，", "[好啊 ！ ORG]"])
def test_no_mark_is_put_where_the_text_states_nothing(cut, text):
    assert options("zh_punctuation", cut(text), bracket=False) == []


@CUTS
def test_signs_that_are_there_are_not_used_again(cut):
    assert options("zh_punctuation", cut("“ 他 走 了 ”")) == [["（“他走了”）"]]
    assert options("zh_punctuation", cut("他 （ 老 王 ） 走 了")) == [["“他（老王）走了”"]]
    assert options("zh_punctuation", cut("“ 他 （ 老 王 ） 走 了 ”")) == []
    assert options("zh_punctuation", cut("他 走 了 ，")) == []


@CUTS
def test_a_mark_within_an_entity_stays(cut):
    (site,) = options("zh_punctuation", cut("[好啊 ！ ORG]"))
    assert site == ["“[好啊！ ORG]”"]


@CUTS
def test_all_marks_are_full_width(cut):
    (site,) = find("zh_punctuation").sites(cut("他 走 了 。"))
    assert not any(token.isascii() for edit in site for token in edit.tokens)


def test_a_text_of_marks_alone_has_no_chinese_and_stays():
    assert options("zh_punctuation", words("。 ！")) == []


def test_spaces_entities_and_anchors_go_along():
    text = "[王 伟 PER] [北 京 LOC] 。"
    sentence = words(text)
    anchored = Sentence(sentence.tokens, sentence.tags, (*("",) * 4, "\n"), (Span(0, 2, "x"), Span(4, 5, "end")))
    for edit in next(iter(find("zh_punctuation").sites(anchored))):
        new = apply(anchored, [edit]).sentence
        assert new.spaces == ("",) * (len(new) - 1) + ("\n",)
        wrapped = new.tokens[0] in "“（"
        assert new.tags[wrapped : wrapped + 4] == ("B-PER", "I-PER", "B-LOC", "I-LOC")
        assert new.anchors[0] == Span(0 + wrapped, 2 + wrapped, "x")
        assert new.tokens[new.anchors[1].start][0] in "。…"


@CUTS
def test_an_opener_goes_in_front_and_a_proverb_behind_ten_characters(cut):
    short = options("zh_irrelevant_text", cut("[王伟 PER] 走 了 。"))
    assert len(short) == 1
    assert "众所周知，[王伟 PER]走了。" in short[0]
    before, behind = options("zh_irrelevant_text", cut("[王伟 PER] 昨天 走 了 很 远 很 远 。"))
    assert "说实话，[王伟 PER]昨天走了很远很远。" in before
    assert "[王伟 PER]昨天走了很远很远。滴水穿石。" in behind


def test_a_text_without_a_final_mark_gets_one_before_the_proverb():
    behind = options("zh_irrelevant_text", words("王伟 昨天 走 了 很 远 很 远 [北京 LOC]"))[1]
    assert "王伟昨天走了很远很远[北京 LOC]。滴水穿石。" in behind


@pytest.mark.parametrize(("gap", "text"), [("", "说实话，他走了"), (" ", "说 实 话 ， 他 走 了")])
def test_spaces_are_like_those_of_the_text(gap, text):
    sentence = Sentence(("他", "走", "了"), ("O",) * 3, (gap, gap, ""))
    (site,) = find("zh_irrelevant_text").sites(sentence)
    assert text in [apply(sentence, [edit]).sentence.text for edit in site]


def test_phrases_name_nobody_and_nothing():
    names = {name.replace(" ", "") for name in pairs("names_zh")} | set(pairs("countries_zh"))
    phrases = ["".join(phrase.split()) for table in ("openers_zh", "remarks_zh") for (phrase,) in rows(table)]
    assert [phrase for phrase in phrases if any(name in phrase for name in names)] == []
