"""The form of documents in robustness.json, and documents of earlier versions."""

import json
import shutil
from pathlib import Path

import pytest

from abalo.cli import main
from abalo.reporting.document import SCHEMA
from abalo.reporting.finished import read_document
from abalo.reporting.stored import as_rows, as_stored, as_table, as_text, from_stored
from tests.reporting.documents import questioned, sample, searched
from tests.reports import document_in

BEFORE = Path(__file__).parent / "schema-1"
"""A run of a model that knows names with their accents alone, as a version with the first schema wrote it."""

THRESHOLDS = "[gate]\nresamples = 200\nlanguage = 'pt'\n[[ner.baseline]]\n[[ner.accents]]\nmax_f1_drop = {limit}\n"


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


def test_a_report_of_an_earlier_version_is_read_with_its_examples():
    document = read_document(BEFORE / "robustness.json")
    assert document["schema"] == SCHEMA
    (accents,) = (each for each in document["results"] if each["id"] == "ner/accents" and each["bound"])
    assert len(accents["examples"]) == 10
    assert accents["verdict"] == "fail"


def test_a_run_of_an_earlier_version_is_judged_again_and_keeps_its_examples(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(BEFORE, "reports")
    Path("lenient.toml").write_text(THRESHOLDS.format(limit=1.0))
    before = read_document(BEFORE / "robustness.json")
    assert main(["verdict", "reports"]) == 1
    assert main(["rejudge", "reports", "--thresholds", "lenient.toml", "--out", "again"]) == 10  # its drop may be 1
    assert json.loads(Path("again/robustness.json").read_text())["schema"] == "abalo-robustness/2"
    after = document_in("again")
    for old, new in zip(before["results"], after["results"], strict=True):
        assert old["examples"] == new["examples"]
        assert old["metrics"] == new["metrics"]
        assert old["per_type"] == new["per_type"]
    assert main(["compare", "reports", "again", "--thresholds", "lenient.toml"]) == 0
    capsys.readouterr()
    assert main(["show", "reports", "accents"]) == main(["show", "again", "accents"]) == 0
    first, second = capsys.readouterr().out.split("Accents  ")[1:]
    assert first.count("«Jose") == second.count("«Jose") == 10


def test_a_run_without_its_examples_says_so(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(BEFORE, "old")
    Path("thresholds.toml").write_text(THRESHOLDS.format(limit=1.0))
    assert main(["rejudge", "old", "--out", "new"]) == 10
    Path("new/examples.jsonl").unlink()
    capsys.readouterr()
    assert main(["rejudge", "new"]) == 10
    told = "there is no examples.jsonl beside the report (--abalo-no-text)"
    assert f"note: reports quote no sentence: {told}\n" in capsys.readouterr().out
    assert main(["show", "new"]) == 0
    assert told in capsys.readouterr().out
