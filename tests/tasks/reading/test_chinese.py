"""Edits of Chinese passages and questions, whose tokens are characters, and answers scored by them."""

import re

import pytest

from abalo.core.protocols.task import tasks
from abalo.corpora.running_text import running_text
from abalo.models.questions.protocol import PassagePlace
from abalo.models.questions.scoring import Rules, score_answer
from abalo.tasks.reading.example import CONTEXT, GoldAnswer, QuestionFacts, example_of
from perturbations import find
from perturbations.answers import answer_text, answers_in

TASK = tasks()["reading"]
RULES = Rules("mlqa-zh")


def asked(passage, question, answer):
    at = passage.index(answer)
    gold = [GoldAnswer(answer, PassagePlace(at, at + len(answer)))]
    return example_of(running_text(passage), running_text(question), gold, QuestionFacts("q", RULES, droppable=True))


def variants(example, name):
    """The changed texts under many seeds; in each the answer stands at its place."""
    member = find(name).configured(language="zh")
    field = TASK.fields.usual(member)
    found = set()
    for seed in range(12):
        edited = member.sample(example.fields[field], seed=seed)
        changed = None if edited is None else TASK.carry(example, {field: edited})
        if changed is None:
            continue
        context = changed.fields[CONTEXT]
        assert [answer_text(context, span) for span in answers_in(context)] == list(changed.gold)
        found.add(changed.fields[field].text)
    return found


def test_a_distractor_quotes_the_answers_sentence_with_another_answer_as_an_error():
    passage = "上海博物馆接待300万人。"
    found = variants(asked(passage, "上海博物馆接待多少人？", "300万"), "add_sent_diverse")
    assert len(found) > 1
    for text in found:
        put_in = text.removesuffix(passage)
        frame = r"(本文的早期版本误写为|更正之前，下一句写的是|本文的初稿误写为)"
        assert re.fullmatch(rf"{frame}：“上海博物馆接待\d+万人。”", put_in)
        assert "300" not in put_in


def test_an_answer_without_another_of_its_kind_gets_no_distractor():
    assert variants(asked("李明喜欢唱歌。", "李明喜欢什么？", "唱歌"), "add_sent_diverse") == set()


def test_a_sentence_moves_unless_it_looks_back():
    passage = "清华大学成立于1911年。校园里有很多植物和动物。他们喜欢这里的环境。学校位于北京的西北部。"
    assert variants(asked(passage, "清华大学成立于哪一年？", "1911年"), "modify_pos") == set()
    passage = "清华大学成立于1911年。校园里有很多植物和动物。学校位于北京的西北部。"
    assert variants(asked(passage, "清华大学成立于哪一年？", "1911年"), "modify_pos") == {
        "清华大学成立于1911年。学校位于北京的西北部。校园里有很多植物和动物。"
    }


def test_words_beside_the_answer_become_synonyms_and_the_answer_stays():
    passage = "妈妈在2001年购买了房子。"
    found = variants(asked(passage, "妈妈在哪一年购买了房子？", "2001年"), "perturb_answer")
    assert found
    assert passage not in found
    assert all("2001年" in text for text in found)


def test_a_question_gets_another_question_word_or_a_frame():
    assert variants(asked("贝尔发明了电话。", "谁发明了电话？", "贝尔"), "perturb_question") == {"什么人发明了电话？"}
    assert variants(asked("馆内有12个厅。", "馆内有多少个厅？", "12"), "perturb_question") == {
        "根据文章，馆内有多少个厅？",
        "根据上文，馆内有多少个厅？",
    }


def test_chinese_answers_are_scored_by_characters():
    """Three of four characters on one side, three of three on the other: 2 × 3 / (4 + 3)."""
    found = score_answer("上海市区", ["上海市"], RULES)
    assert (found.exact, found.f1) == (0.0, pytest.approx(6 / 7))
    assert score_answer("《上海市》。", ["上海市"], RULES).exact == 1.0
    assert score_answer("1990年", ["1990"], RULES).f1 == pytest.approx(2 / 3)
