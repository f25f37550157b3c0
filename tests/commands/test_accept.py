"""``abalo accept``: a run becomes a reference, whole or not at all."""

import json

import pytest

from abalo.cli import main
from abalo.core.evidence import from_bytes
from tests.reporting.test_comparing import written

EXAMPLE = '{"case": "ner/accents", "sentence_id": "a", "seed": 1}\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return written(tmp_path / "reports")


def test_report_and_evidence_are_copied_and_nothing_else(folder, tmp_path, capsys):
    (folder / "counterexamples.jsonl").write_text("{}\n")
    assert main(["accept", "reports", "--as", "references/1.0"]) == 0
    target = tmp_path / "references" / "1.0"
    assert sorted(path.name for path in target.iterdir()) == ["accepted.json", "evidence.npz", "robustness.json"]
    assert (target / "robustness.json").read_bytes() == (folder / "robustness.json").read_bytes()
    copied, own = (from_bytes((place / "evidence.npz").read_bytes()) for place in (target, folder))
    assert copied.keys() == own.keys()
    assert json.loads((target / "accepted.json").read_text()).keys() == {"date", "commit"}
    assert "accepted as references/1.0" in capsys.readouterr().out


def test_the_commit_of_the_working_directory_is_noted_where_there_is_one(folder, tmp_path):
    assert main(["accept", "reports", "--as", "references/1.0"]) == 0
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("b" * 40 + "\n")
    assert main(["accept", "reports", "--as", "references/1.1"]) == 0
    noted = [json.loads((tmp_path / "references" / name / "accepted.json").read_text()) for name in ("1.0", "1.1")]
    assert [each["commit"] for each in noted] == [None, "b" * 40]


def test_examples_are_copied_where_there_are_any_and_none_of_another_run_stays(folder, tmp_path):
    (folder / "examples.jsonl").write_text(EXAMPLE)
    assert main(["accept", "reports", "--as", "references/1.0"]) == 0
    kept = tmp_path / "references" / "1.0" / "examples.jsonl"
    assert kept.read_text() == EXAMPLE
    (folder / "examples.jsonl").unlink()
    assert main(["accept", "reports", "--as", "references/1.0", "--replace"]) == 0
    assert not kept.exists()


def test_a_reference_is_replaced_only_where_that_is_asked_for(folder, capsys):
    assert main(["accept", "reports", "--as", "references/1.0"]) == 0
    assert main(["accept", "reports", "--as", "references/1.0"]) == 2
    assert "is there already; choose another name, or give --replace" in capsys.readouterr().err
    assert main(["accept", "reports", "--as", "references/1.0", "--replace"]) == 0


def test_examples_that_are_a_users_own_stay(folder, tmp_path):
    assert main(["accept", "reports", "--as", "references/1.0"]) == 0
    own = tmp_path / "references" / "1.0" / "examples.jsonl"
    own.write_text('{"mine": 1}\n')
    assert main(["accept", "reports", "--as", "references/1.0", "--replace"]) == 0
    assert own.read_text() == '{"mine": 1}\n'


def test_a_folder_that_holds_no_reference_is_not_replaced(folder, tmp_path, capsys):
    own = tmp_path / "thesis" / "evidence.npz"
    own.parent.mkdir()
    own.write_text("mine")
    assert main(["accept", "reports", "--as", "thesis", "--replace"]) == 2
    assert "--as thesis: holds other files and no accepted run" in capsys.readouterr().err
    assert [path.name for path in own.parent.iterdir()] == ["evidence.npz"]
    assert own.read_text() == "mine"


def test_a_run_that_did_not_finish_is_refused_and_nothing_is_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "reports", complete=False)
    assert main(["accept", "reports", "--as", "references/1.0"]) == 2
    assert "the run did not finish" in capsys.readouterr().err
    assert not (tmp_path / "references").exists()


def test_a_run_cannot_be_accepted_as_itself(folder, capsys):
    assert main(["accept", "reports", "--as", "reports", "--replace"]) == 2
    assert "is the run itself" in capsys.readouterr().err
