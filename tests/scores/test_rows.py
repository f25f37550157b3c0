"""Rows of scores: what is read, and what is refused."""

import math

import pytest

from abalo.errors import AbaloError
from tests.rows import every
from tests.scores.conftest import scores_of


def only(rows, metric="score", **columns):
    return scores_of(rows, **columns).metrics[metric]


def test_runs_of_an_example_are_averaged():
    found = only([{"id": "a", "score": s, "run": r} for r, s in enumerate([1, 0, 1, 1])] + [{"id": "b", "score": 0}])
    assert found.ids == ("a", "b")
    assert found.scores.tolist() == [0.75, 0.0]
    assert found.runs.tolist() == [4, 1]
    assert found.variances[0] == pytest.approx(0.25)
    assert math.isnan(found.variances[1])


@every("weight", [0, -1, 1e308, math.inf, "x", True])
def test_a_weight_beyond_what_can_be_added_is_refused(weight):
    with pytest.raises(AbaloError, match=r"row[^\n]* line 1: weight is .*; expected a"):
        only([{"id": "a", "score": 1, "weight": weight}, {"id": "b", "score": 1, "weight": 1}])


def test_metrics_of_long_files_are_told_apart():
    rows = [{"id": k, "metric": m, "score": k / 2} for k in range(3) for m in ("f1", "em")]
    assert {name: own.scores.tolist() for name, own in scores_of(rows).metrics.items()} == {
        "em": [0.0, 0.5, 1.0],
        "f1": [0.0, 0.5, 1.0],
    }


def test_columns_of_wide_files_are_named():
    rows = [{"q": "one", "faithful": 0.5, "relevant": True, "text": "x"}]
    found = scores_of(rows, id="q", metrics=("relevant", "faithful"))
    assert {name: own.scores.tolist() for name, own in found.metrics.items()} == {"relevant": [1.0], "faithful": [0.5]}


@every(
    "value, expected",
    [
        (True, 1.0),
        ("False", 0.0),
        ("passed", 1.0),
        ("Yes", 1.0),
        ("incorrect", 0.0),
        ("fail", 0.0),
        (" 0.25 ", 0.25),
        (3, 3.0),
        (None, None),
        ("", None),
        ("nan", None),
        (math.nan, None),
    ],
)
def test_a_score_is_a_number_a_word_or_nothing(value, expected):
    (found,) = only([{"id": "a", "score": value}]).scores
    assert found == expected or (expected is None and math.isnan(found))


@every(
    "row, names",
    [
        ({"score": 1}, ["id"]),
        ({"id": "", "score": 1}, ["id", "''"]),
        ({"id": 1.5, "score": 1}, ["id", "1.5"]),
        ({"id": "a", "score": "good"}, ["score", "'good'"]),
        ({"id": "a", "score": math.inf}, ["score", "inf"]),
        ({"id": "a", "score": [1]}, ["score", "[1]"]),
        ({"id": "a", "scor": 1}, ["score", "--metric scor"]),
        ({"id": "a", "score": 1, "weight": 0}, ["weight", "0"]),
        ({"id": "a", "score": 1, "run": 0.5}, ["run", "0.5"]),
        ({"id": "a", "score": 1, "slice": {}}, ["slice", "{}"]),
        ({"id": "a", "score": 1, "metric": 0.5}, ["metric", "0.5"]),
    ],
)
def test_a_row_that_cannot_be_used_is_named(row, names):
    with pytest.raises(AbaloError) as refused:
        scores_of([{"id": "z", "score": 1}, row])
    assert all(name in str(refused.value) for name in ("rows line 2", *names))


@every(
    "second",
    [
        {"score": 0},
        {"score": 1, "run": "a"},
        {"score": 1, "run": 1, "weight": 2},
        {"score": 1, "run": 1, "cluster": "x"},
    ],
)
def test_an_id_twice_is_refused_unless_it_is_another_run_of_the_same_example(second):
    with pytest.raises(AbaloError, match="rows line 2"):
        scores_of([{"id": "a", "score": 1}, {"id": "a", **second}])


def test_at_most_ten_problems_are_told():
    with pytest.raises(AbaloError) as refused:
        scores_of([{"id": "a"}] * 30)
    assert [str(refused.value).count(f"line {k}") for k in (2, 10, 11)] == [1, 1, 0]
    with pytest.raises(AbaloError) as refused:
        scores_of([{"id": "a", "score": f"bad {k}"} for k in range(30)])
    assert str(refused.value).count("\n") == 9


@every("rows", [[], [{"id": "a", "score": 1, "metric": "x"}]])
def test_a_file_without_the_wanted_scores_is_refused(rows):
    with pytest.raises(AbaloError):
        scores_of(rows, metrics=("y",))


def test_many_rows_are_read_as_few_are():
    rows = [{"id": f"e{k % 9000}", "score": k % 2, "slice": "ab"[k % 2], "run": k // 9000} for k in range(18_000)]
    some = [row for row in rows if row["id"] in ("e1", "e2", "e3")]
    many, few = only(rows), only([*some, {"id": "e4", "score": None}])
    places = [many.ids.index(each) for each in few.ids[:3]]
    assert many.scores[places].tolist() == few.scores[:3].tolist()
    assert [many.slices[k] for k in places] == list(few.slices[:3])


def test_slices_come_from_several_columns():
    rows = [{"id": "a", "score": 1, "slice": ["x", "y"], "language": "de", "long": True}]
    assert only(rows, slices=("slice", "language", "long")).slices == (("x", "y", "language=de", "long=true"),)
