"""Callables that answer questions: how they are found, what an answer may be, and what the baseline takes."""

import numpy as np
import pytest

from abalo.core.protocols.options import RunOptions
from abalo.errors import AbaloError
from abalo.questions.question import Choice
from abalo.tasks.choice.models.black_box import BlackBox, baseline, place_of
from abalo.tasks.choice.models.loading import load, parse_args
from abalo.tasks.choice.models.protocol import Picked
from abalo.tasks.choice.overlap import overlap
from tests.rows import every
from tests.tasks.choice.prompts import paraphrased, reformatted, unchanged

FOUR = ("a stone", "a tree", "a bird", "a river")
CHOICES = [Choice(f"q{k}", f"Which of the following is thing number {k}?", FOUR, k % 4) for k in range(40)]
PROMPTS = [unchanged(choice) for choice in CHOICES]


def model(function):
    return BlackBox("by hand", "1", function)


def test_the_place_is_as_shown_and_the_option_as_in_the_original():
    turned = reformatted(CHOICES[0], 5)[-1]
    found = model(lambda question, options: 0).predict([PROMPTS[0], turned])
    assert found == [Picked(0, 0), Picked(0, 3)]
    assert [picked.inputs for picked in found] == [1, 1]


def test_the_function_is_given_question_and_options_as_shown():
    seen = []
    model(lambda *given: seen.append(given)).predict(paraphrased(CHOICES[0], 1))
    assert seen == [
        ("Which of the following is thing number 0?", FOUR),
        (paraphrased(CHOICES[0], 1)[1].question, FOUR),
    ]


@every("answer", [-1, 4, "E", "ab", "", True, 1.0, [0], "0"])
def test_an_answer_that_is_no_option_is_an_error_with_the_question(answer):
    with pytest.raises(AbaloError, match=r"to q0\|orig; expected the place of an option, 0 to 3, its letter, A to D"):
        model(lambda question, options: answer).predict(PROMPTS)


def test_places_letters_and_nothing_are_answers():
    assert [place_of(answer) for answer in (2, "C", " c", np.int64(2), None)] == [2, 2, 2, 2, None]
    assert model(lambda question, options: None).predict(PROMPTS[:1]) == [Picked(None, None)]


def test_progress_is_reported_after_each_question():
    reported = []
    answering = model(lambda question, options: "A")
    answering.on_progress = lambda done, total: reported.append((done, total))
    assert len(answering.predict(PROMPTS)) == 40
    assert reported == [(done, 40) for done in range(1, 41)]


def test_the_baseline_takes_the_option_with_most_words_of_the_question():
    assert overlap("Which river runs by the city?", ("a hill", "the river of the city", "a river")) == 1
    assert overlap("Why?", ("b", "a")) == 0
    assert overlap("Who is the king?", ("a bird", "the dog")) == 0  # words of three letters are not looked at
    [picked] = baseline().predict([unchanged(Choice("q", "Which river is it?", ("a hill", "a river"), 0))])
    assert picked == Picked(1, 1)
    assert load("abalo/overlap", RunOptions()).fingerprint == baseline().fingerprint


# Names of models ------------------------------------------------------------------------------------------------------


def test_a_function_of_ones_own_is_found_in_a_file_and_in_a_module(tmp_path, monkeypatch):
    (tmp_path / "answers_here.py").write_text("def make():\n    return lambda question, options: 'B'\n")
    monkeypatch.chdir(tmp_path)
    for spec in ("answers_here:make", "answers_here.py:make", str(tmp_path / "answers_here.py:make")):
        assert load(spec, RunOptions()).predict(PROMPTS[:2]) == [Picked(1, 1), Picked(1, 1)]
        assert load(spec, RunOptions()).name == spec


def test_name_and_fingerprint_of_the_function_itself_count(tmp_path):
    path = tmp_path / "named.py"
    path.write_text(
        "def answer(question, options):\n    return 0\nanswer.name = 'mine'\nanswer.fingerprint = 'v1'\n"
        "def make():\n    return answer\n"
    )
    assert (load(f"{path}:make", RunOptions()).name, load(f"{path}:make", RunOptions()).fingerprint) == ("mine", "v1")
    path.write_text("def answer(question, options):\n    return 0\nanswer.name = 3\ndef make():\n    return answer\n")
    with pytest.raises(AbaloError, match="its name is 3; expected a string, or none at all"):
        load(f"{path}:make", RunOptions())


def test_a_version_tells_states_of_one_model_from_each_other(tmp_path):
    path = tmp_path / "service.py"
    path.write_text("def make():\n    return lambda question, options: 0\n")
    first, second = (load(f"{path}:make", RunOptions(model_version=each)) for each in ("week 1", "week 2"))
    assert (first.version, second.version) == ("week 1", "week 2")
    assert first.fingerprint != second.fingerprint
    with pytest.raises(AbaloError, match="no meaning for the baseline that ships"):
        load("abalo/overlap", RunOptions(model_version="week 1"))


@pytest.mark.parametrize(
    ("spec", "args", "message"),
    [
        ("overlap", {}, "expected abalo/overlap, module:factory"),
        ("", {}, "no such file or folder"),
        ("abalo/overlap", {"k": 1}, "takes no arguments, but was given k"),
        ("nowhere_at_all:make", {}, "no module 'nowhere_at_all'"),
    ],
)
def test_what_is_no_model_is_refused(spec, args, message):
    with pytest.raises(AbaloError, match=message):
        load(spec, RunOptions(model_args=args))


def test_a_factory_of_something_else_and_a_model_that_raises_say_where(tmp_path):
    path = tmp_path / "odd.py"
    path.write_text("def text():\n    return 'B'\ndef broken():\n    return lambda q, o: 1 / 0\n")
    with pytest.raises(AbaloError, match="returned str; expected a function"):
        load(f"{path}:text", RunOptions())
    with pytest.raises(AbaloError, match=r"answering q0\|orig raised ZeroDivisionError: .*odd.py:4"):
        load(f"{path}:broken", RunOptions()).predict(PROMPTS)


def test_arguments_are_read_as_json_where_they_are():
    assert parse_args(None) == {}
    assert parse_args("device=cpu, do_sample=false,max_tokens=8,") == {
        "device": "cpu",
        "do_sample": False,
        "max_tokens": 8,
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [("device", "no name=value"), ("a b=1", "no name=value"), ("api_key=x", "would be in the report")],
)
def test_arguments_that_are_none_and_secrets_are_refused(text, message):
    with pytest.raises(AbaloError, match=message) as refused:
        parse_args(text)
    assert "api_key=x" not in str(refused.value)
