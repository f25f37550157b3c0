"""``abalo comment``: a finished run as the comment on a pull request."""

import json
from pathlib import Path

import pytest

from abalo.cli import main
from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.reporting.documents.quoting import remove_quoting
from abalo.reporting.formats.comment import mark
from abalo.reporting.formats.files import write_json
from tests.reporting.documents import sample
from tests.reporting.test_comparing import document, losses
from tests.texts import TextWith


@pytest.fixture(autouse=True)
def alone(folder):
    """A run without a reference, in ``alone``."""
    write_json(typed.read(Document, sample()), Path("alone"))


def commented(capsys, *arguments):
    """The exit code of the command and the lines that it printed."""
    code = main(["comment", *arguments])
    return code, capsys.readouterr().out.splitlines()


def test_it_tells_the_verdict_of_the_report_and_ends_with_0(capsys):
    code, lines = commented(capsys, "alone", "--link", "https://example.org/1", "--note", "of c0ffee", "--name", "ner")
    assert code == 0
    assert lines[0].startswith("# ✗ FAIL: character_noise[rate-0.1] fails, 1 undecided; not compared: ")
    assert lines[0] == TextWith("not compared: ", " --abalo-against")
    assert {"- of c0ffee", "[The whole report](<https://example.org/1>)"} <= {*lines}
    assert lines[-1] == mark("ner")
    assert commented(capsys, "alone", "--not-compared", "none yet")[1][0].endswith("not compared: none yet")


def test_it_is_written_whole_where_a_file_is_named_and_removed_where_text_is_withheld(capsys):
    assert commented(capsys, "alone", "--out", "reports/comment.md") == (0, [])
    assert Path("reports/comment.md").read_text("utf-8").endswith(f"{mark('abalo')}\n")
    Path("reports/notes.md").write_text("mine")
    remove_quoting(Path("reports"), "")
    assert [path.name for path in Path("reports").iterdir()] == ["notes.md"]


def test_a_case_that_failed_in_the_reference_too_is_folded_away(capsys):
    failed = [result for result in sample()["results"] if result["verdict"] == "fail"]
    counts = {"pass": 0, "fail": 1, "inconclusive": 0, "not_blocking": 0}
    write_json(typed.read(Document, document(losses()) | {"results": failed, "counts": counts}), Path("judged"))
    write_json(typed.read(Document, sample()), Path("reference"))
    assert "## Beyond their bounds" in commented(capsys, "judged")[1]
    code, lines = commented(capsys, "judged", "--against", "reference/robustness.json")
    assert (code, "## Beyond their bounds" in lines) == (0, False)
    assert TextWith("<details><summary>1 case failed", "too</summary>") in lines


def test_without_a_report_the_comment_says_so_and_the_command_ends_with_2(capsys):
    assert main(["comment", "nowhere"]) == 2
    said = capsys.readouterr()
    assert said.out == TextWith("# NO VERDICT: ", "no whole report\n")
    assert said.out.endswith(f"{mark('abalo')}\n")
    assert "nowhere: there is no such folder" in said.err


def test_a_reference_for_a_run_that_was_not_judged_against_one_is_refused(refused):
    assert "was not judged against a reference" in refused("comment", "alone", "--against", "alone")


@pytest.mark.parametrize("name", ["", "a --> b", "a--b", "<b>", "a\nb", "-a"])
def test_a_name_that_could_end_its_mark_is_refused(name, refused):
    assert refused("comment", "alone", f"--name={name}").startswith(f"--name {name!r}: expected letters, digits")


@pytest.mark.parametrize("link", ["javascript:alert(1)", "https://a b", "https://a>b", "x"])
def test_what_is_no_address_is_refused(link, refused):
    assert "expected an address" in refused("comment", "alone", "--link", link)


def test_a_damaged_report_is_no_pass(capsys):
    made = json.loads(Path("alone/robustness.json").read_bytes()) | {"verdict": "pass"}
    Path("alone/robustness.json").write_text(json.dumps(made))
    assert main(["comment", "alone"]) == 2
    assert capsys.readouterr().out.startswith("# NO VERDICT")
