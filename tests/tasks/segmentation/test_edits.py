"""The perturbations of segmented text: what they change, how the new characters are cut, and what they leave."""

import pytest

from abalo.core.protocols.task import tasks
from abalo.corpora.segmented import written_words
from abalo.corpora.word_labels import sentence_of
from perturbations import find, members
from tests.rows import every

TASK = tasks()["segmentation"]
OURS = {
    "SwapName": "swap_name",
    "CwsSwapNum": "number_range",
    "Reduplication": "reduplication",
    "SwapVerb": "swap_verb",
    "SwapContraction": "swap_contraction",
    "CwsSwapSyn": "swap_syn",
    "CnMLM": "segment_mlm",
}


def variant(name, words, seed=1, **params):
    made = find(name).configured(rate=1.0, **params).sample(sentence_of(words.split()), seed=seed)
    return None if made is None else " ".join(written_words(made.sentence))


@pytest.mark.parametrize(("published", "ours"), OURS.items())
def test_each_resolves_by_the_name_that_textflint_gives_it(published, ours):
    assert find(published) is members()[ours]
    assert TASK.accepts(find(published))


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("swap_name", "会议 由 王伟 主持", "会议 由 于伟 主持"),
        ("swap_name", "会议 由 王 志强 主持", "会议 由 于 志强 主持"),
        ("number_range", "来 了 三 位 客人", "来 了 三 至 五 位 客人"),
        ("number_range", "买 了 4 本 书", "买 了 4 至 6 本 书"),
        ("reduplication", "朦胧 的 月光", "朦朦胧胧 的 月光"),
        ("reduplication", "打扫 得 干净 。", "打扫 得 干干净净 。"),
        ("swap_verb", "我 想 看 书", "我 想 看一看 书"),
        ("swap_verb", "他 看 了 窗外", "他 看 了 看 窗外"),
        ("swap_contraction", "央视 的 记者", "中央 电视台 的 记者"),
        ("swap_syn", "她 的 想法 很 好", "她 的 念头 很 好"),
        ("swap_syn", "买 番茄 和 花", "买 西红柿 和 花"),
    ],
)
def test_the_new_characters_are_cut_into_words(name, before, after):
    assert variant(name, before) == after


@every(
    ("name", "words"),
    [
        ("swap_name", "四 张 桌子 由 他 搬"),  # a word that counts
        ("swap_name", "由 宋 太宗 决定"),  # a dynasty
        ("number_range", "第 三 位 客人"),
        ("number_range", "这 三 位 客人"),
        ("number_range", "张三 、 李四 、 王五 三 人"),
        ("number_range", "三 个 孩子 中 最小 的"),
        ("number_range", "来 了 三 位 男人 和 四 位 女人"),
        ("reduplication", "很 漂亮 的 裙子"),
        ("reduplication", "她 漂亮"),
        ("swap_verb", "他 看 了 三 次"),
        ("swap_verb", "从 这里 来 看 ，"),
        ("swap_verb", "我 没 看 了 书"),
        ("swap_verb", "我 想 看 完 书"),
        ("swap_contraction", "清华 大学 的 学生"),
        ("swap_contraction", "他 在 北大荒 工作"),
        ("swap_syn", "世界 三 大 观赏 树"),
    ],
)
def test_what_does_not_fit_stays(name, words):
    assert variant(name, words) is None


def test_a_word_of_several_gold_words_is_none():
    assert variant("swap_contraction", "他 看 央 视") is None


def test_text_without_labels_of_words_stays():
    assert find("swap_syn").sample(find("swap_syn").function.__globals__["Sentence"](tuple("她的想法")), seed=1) is None


def test_a_language_model_proposes_nouns_character_by_character():
    class Model:
        name = "listed"

        def suggestions(self, sentence, place):
            known = {("看", 1): (("电", 0.5), ("小", 0.3)), ("电", 2): (("影", 0.6),), ("小", 2): (("说", 0.9),)}
            before = sentence.tokens[place - 1] if place == 2 else sentence.tokens[0]
            return known.get((before, place), ())

    made = [variant("segment_mlm", "看 书 吧", seed=seed, model=Model()) for seed in range(12)]
    assert {*made} == {"看 电影 吧", "看 小说 吧"}
    assert variant("segment_mlm", "看 书 吧", model=Model(), most=1) == "看 电影 吧"
    with pytest.raises(ValueError, match="most is 0; expected a whole number from 1"):
        variant("segment_mlm", "看 书 吧", most=0)


@pytest.mark.parametrize("name", ["homophone", "punctuation", "irrelevant_text", "number", "synonym_wordnet", "digits"])
def test_perturbations_of_any_chinese_text_keep_words_whole(name):
    """What is put in has no label; what takes the place of characters of one word is one word."""
    sentence = sentence_of(["他", "花", "了", "45", "天", "写", "课本", "。"])
    made = find(name).configured(rate=1.0, language="zh") if "language" in find(name).params else find(name)
    found = made.sample(sentence, seed=1)
    assert found is not None
    assert len(found.sentence.tags) == len(found.sentence.tokens)
    assert TASK.accepts(made)
