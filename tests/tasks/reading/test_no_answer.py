"""Forms of *no answer*, and the arithmetic of SQuAD 2.0's evaluation script, written again."""

import collections
import json
import re
import string

import pytest

from abalo import Session
from abalo.models.questions.scoring import Rules, is_blank, score_answer
from abalo.tasks.reading.corpus import load
from abalo.tasks.reading.in_parts import QuestionsInParts
from tests.rows import every
from tests.texts import TextWith

NOTHING = [
    {"text": [], "answer_start": []},
    {"text": [""], "answer_start": [-1]},
    {"text": [""], "answer_start": [0]},
    {"text": [" "], "answer_start": [3]},
    {"text": ["", "\u00a0"], "answer_start": [-1, -1]},
    {"text": "", "answer_start": -1},
    {"text": [None], "answer_start": [None]},
    {"text": None, "answer_start": None},
    [{"text": "", "answer_start": -1}],
    [{"start": -1, "text": ""}],
    [""],
    ["\u200b"],
    [],
    "",
]
MODEL = "def make(): return lambda given: ['Ann' if 'left' in asked else None for _, asked in given]\n"


def lines(nothing):
    """Thirty questions with an answer and thirty without."""
    rows = []
    for number in range(60):
        found = {"text": ["Ann"], "answer_start": [0]} if number % 2 else nothing
        context = f"Ann number {number} left Paris on Monday. Bob stayed in Rome."
        asked = "Who left?" if number % 2 else "Who sang?"
        rows.append(json.dumps({"id": str(number), "context": context, "question": asked, "answers": found}))
    return "\n".join(rows) + "\n"


@pytest.fixture
def scored(tmp_path, monkeypatch):
    """The clean scores of a model that is always right."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(MODEL, "utf-8")

    def of(text, name="a.jsonl"):
        (tmp_path / name).write_text(text, "utf-8")
        session = Session("reading", "own.py:make", name)
        return {metric: each.value for metric, each in session.baseline.bound_view.overall.items()}, session.corpus

    return of


@pytest.mark.parametrize("nothing", NOTHING, ids=map(repr, NOTHING))
def test_every_form_of_no_answer_is_scored_alike(scored, nothing):
    found, corpus = scored(lines(nothing))
    assert [found[name] for name in ("exact_match", "f1", "f1_answerable", "f1_unanswerable")] == [1, 1, 1, 1]
    assert corpus.unplaced == 0
    assert len(corpus.questions) == 60
    assert not any("no place" in each for each in corpus.notices)


def test_answers_that_are_empty_as_written_are_counted_and_those_beside_an_answer_fall(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(lines({"text": [""], "answer_start": [-1]}), "utf-8")
    assert load(str(path)).notices == (TextWith("30 questions", "no answer"),)
    path.write_text(lines(["", "Bob"]), "utf-8")
    mixed = load(str(path))
    assert {each.gold for each in mixed.questions} == {("Ann",), ("Bob",)}
    assert not mixed.rules.impossible


@pytest.mark.parametrize("version", ["1.1", "v2.0"])
def test_files_of_squad_may_write_an_empty_answer_too(scored, version):
    asked = [
        {"id": "1", "question": "Who left?", "answers": [{"text": "Ann", "answer_start": 0}]},
        {"id": "2", "question": "Who sang?", "answers": [{"text": "", "answer_start": -1}]},
    ]
    whole = {"version": version, "data": [{"title": "", "paragraphs": [{"context": "Ann left.", "qas": asked}]}]}
    found, corpus = scored(json.dumps(whole), "a.json")
    assert (found["exact_match"], found["f1"], found["f1_unanswerable"]) == (1, 1, 1)
    assert [each.gold for each in corpus.questions] == [("Ann",), ()]


def test_a_corpus_in_parts_knows_empty_answers_of_its_first_part(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(lines({"text": [""], "answer_start": [-1]}), "utf-8")
    reader = QuestionsInParts(str(path))
    source, parts = reader.cut(20)
    golds = [each.gold for part in parts for each in reader.read(source, part).questions]
    assert (source.settled["rules"], golds[:2], len(golds)) == (["squad", True], [(), ("Ann",)], 60)


def squad_2(prediction, golds):
    """``get_raw_scores`` of evaluate-v2.0.py."""

    def normalised(text):
        text = "".join(char for char in text.lower() if char not in set(string.punctuation))
        return " ".join(re.sub(re.compile(r"\b(a|an|the)\b", re.UNICODE), " ", text).split())

    def f1(gold, given):
        wanted, got = normalised(gold).split(), normalised(given).split()
        common = sum((collections.Counter(wanted) & collections.Counter(got)).values())
        if not wanted or not got:
            return int(wanted == got)
        if not common:
            return 0
        precision, recall = common / len(got), common / len(wanted)
        return 2 * precision * recall / (precision + recall)

    counted = [gold for gold in golds if normalised(gold)] or [""]
    exact = max(int(normalised(gold) == normalised(prediction)) for gold in counted)
    return exact, max(f1(gold, prediction) for gold in counted)


TEXTS = ["", " ", "the", "The!", "Ann", "the Ann Lee", "Ann, Lee", "a", "...", "\t", "Rome"]
GOLDS = [[], [""], [" ", "Ann"], ["the"], ["Ann", "the Ann Lee"], ["", "..."], ["Rome", ""], ["a", "an"]]


@every("golds", GOLDS)
@every("prediction", TEXTS)
def test_scores_are_those_of_the_script_of_squad_2(prediction, golds):
    found = score_answer(prediction, golds, Rules(impossible=True))
    assert (found.exact, found.f1) == pytest.approx(squad_2(prediction, golds))


@pytest.mark.parametrize("rules", ["squad", "mlqa-es", "mlqa-de", "mlqa-zh", "pt", "fr"])
@pytest.mark.parametrize("impossible", [False, True])
def test_both_scores_agree_that_a_question_has_no_answer(rules, impossible):
    for golds in ((), ("",), (" ", "\u200b")):
        right, wrong = (score_answer(text, golds, Rules(rules, impossible)) for text in ("", "Ann"))
        assert (right.exact, right.f1, wrong.exact, wrong.f1) == (1, 1, 0, 0)


def test_what_has_a_visible_character_is_not_blank():
    assert all(map(is_blank, ("", " \n", "\u200b\ufeff")))
    assert not any(map(is_blank, (".", "0", "猫")))
