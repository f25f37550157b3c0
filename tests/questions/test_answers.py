"""One answer: what it takes, what it refuses, and how it comes back from a file."""

import math

import numpy as np
import pytest

from abalo.errors import AbaloError
from abalo.questions.answers import COLUMNS, ChoiceAnswer, read, to_lines
from tests.questions.tables import FIELDS, answer
from tests.rows import every


def test_the_columns_are_those_of_the_table():
    assert COLUMNS == (
        "id",
        "task",
        "model",
        "pred_index",
        "target_index",
        "correct",
        "confidence",
        "seed",
        "variant",
        "paraphrase_id",
        "perturbation_kind",
        "pred_option",
        "epoch",
    )


def test_an_answer_that_names_no_epoch_is_of_the_first():
    assert answer(epoch=None).epoch == answer().epoch == 1
    assert ChoiceAnswer.from_json({**answer(epoch=3).to_json()}).epoch == 3
    with pytest.raises(AbaloError, match="epoch 0: expected a repeat counted from 1, or nothing"):
        answer(epoch=0)


@every("nothing", [math.nan, math.inf, -math.inf, np.float64("nan"), None])
def test_numbers_that_are_none_are_missing(nothing):
    found = answer(
        pred_index=nothing,
        pred_option=nothing,
        target_index=nothing,
        correct=nothing,
        confidence=nothing,
        seed=nothing,
        paraphrase_id=nothing,
        perturbation_kind=nothing,
    )
    assert (found.pred_index, found.pred_option, found.target_index, found.confidence, found.seed) == (None,) * 5
    assert (found.paraphrase_id, found.perturbation_kind) == (None, None)
    assert found.correct is False
    assert found.missing


def test_whole_floats_and_numpy_numbers_are_taken_as_what_they_are():
    found = answer(pred_index=2.0, pred_option=np.int64(1), correct=np.True_, seed=2**70, confidence=np.float32(0.5))
    assert (found.pred_index, found.pred_option, found.correct, found.seed) == (2, 1, True, 2**70)
    assert [type(value) for value in (found.pred_index, found.pred_option, found.correct)] == [int, int, bool]
    assert found.confidence == 0.5


@every(
    ("field", "value", "message"),
    [
        ("id", "", "id '': expected text that is not empty"),
        ("variant", None, "variant None: expected text"),
        ("paraphrase_id", 3, "paraphrase_id 3: expected text"),
        ("pred_index", -1, "pred_index -1: expected an option counted from 0, or nothing"),
        ("pred_option", 1.5, "pred_option 1.5: expected a whole number, or nothing"),
        ("target_index", "A", "target_index 'A': expected a number, or nothing"),
        ("target_index", True, "target_index True: expected a number, or nothing"),
        ("confidence", 10**400, "expected a number that a float can hold, or nothing"),
        ("correct", 0.5, "correct 0.5: expected true or false"),
        ("correct", "C", "correct 'C': expected true or false"),
        ("pred_option", None, "pred_index 0, pred_option None: expected both, or none of them"),
    ],
)
def test_other_values_are_refused_by_name(field, value, message):
    with pytest.raises(AbaloError) as caught:
        answer(**{field: value})
    assert message in str(caught.value)


def test_a_row_without_pred_option_has_its_options_as_in_the_original():
    values = {name: value for name, value in FIELDS.items() if name != "pred_option"} | {"pred_index": 3}
    assert ChoiceAnswer.from_json(values).pred_option == 3
    assert ChoiceAnswer.from_json({**values, "pred_option": 1, "notes": "more"}).pred_option == 1


def test_answers_come_back_from_lines_of_json(tmp_path):
    rows = [answer(), answer(id="é\u2028\ud800", pred_index=None, pred_option=None, correct=False, confidence=0.25)]
    path = tmp_path / "answers.jsonl"
    path.write_text(to_lines(rows), encoding="utf-8")
    assert read(path) == rows
    assert len(path.read_bytes().splitlines()) == 2


def test_every_line_that_is_no_answer_is_named(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(to_lines([answer()]) + '[1]\n\n{"id": "q1"}\n{"id"\n', encoding="utf-8")
    with pytest.raises(AbaloError) as caught:
        read(path)
    lines = str(caught.value).splitlines()
    assert lines[0] == f"{path}: 3 problems"
    assert f"{path}:2: [1]: expected an object" in lines[1]
    assert f"{path}:4: task None: expected text that is not empty" in lines[2]
    assert f"{path}:5: " in lines[3]


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(AbaloError, match=r"gone\.jsonl: cannot be read"):
        read(tmp_path / "gone.jsonl")
