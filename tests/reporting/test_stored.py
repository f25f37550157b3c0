"""The form of documents in robustness.json."""

import json

import pytest

from abalo.reporting.documents.stored import as_rows, as_stored, as_table, as_text, from_stored
from tests.reporting.documents import questioned, sample, searched


def test_numbers_per_type_stand_in_columns():
    rows = {
        "PER": {"f1": {"value": 0.5, "low": 0.4, "high": 0.6, "n": 3}, "gap": None, "drop": None, "support": 4},
        "LOC": {"f1": None, "gap": None, "drop": {"value": 0.1, "low": 0.0, "high": 0.2, "n": 2}, "support": 0},
    }
    table = {
        "types": ["PER", "LOC"],
        "f1": {"value": [0.5, None], "low": [0.4, None], "high": [0.6, None], "n": [3, None]},
        "gap": None,
        "drop": {"value": [None, 0.1], "low": [None, 0.0], "high": [None, 0.2], "n": [None, 2]},
        "support": [4, 0],
    }
    assert as_table(rows) == table
    assert as_rows(table) == rows
    assert as_rows(as_table({})) == {}


@pytest.mark.parametrize("document", [sample(), searched(), questioned()], ids=["ner", "attacks", "questions"])
def test_every_number_is_kept_and_examples_are_not(document):
    stored = json.loads(as_text(as_stored(document)))
    assert "examples" not in json.dumps(stored["results"])
    bare = [result | {"examples": []} for result in document["results"]]
    assert from_stored(stored) == document | {"results": bare}


def test_of_another_view_only_what_differs_is_stored():
    (case,) = (each for each in as_stored(sample())["results"] if each["id"] == "ner/accents")
    views = {each["view"]: each for each in sample()["results"] if each["id"] == "ner/accents"}
    for other in case["other_views"]:
        differing = {
            name: value
            for name, value in views[other["view"]]["metrics"].items()
            if value != views[case["view"]]["metrics"][name]
        }
        assert other["metrics"] == differing
    assert [case["view"], *(other["view"] for other in case["other_views"])] == list(views)


def test_two_results_of_one_case_and_view_are_both_kept():
    result = sample()["results"][0]
    stored = as_stored(sample() | {"results": [result, result]})
    assert [each["id"] for each in stored["results"]] == [result["id"]] * 2
