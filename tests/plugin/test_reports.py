"""The files that a run leaves behind: JSON, Markdown, a page, an XML report."""

import json
import re
import shlex
import xml.etree.ElementTree as ET
import zipfile
from datetime import UTC, datetime

import pytest

from abalo.cli import main
from abalo.reporting.documents.quoting import remove_quoting

pytestmark = pytest.mark.slow

SECRET = "Zélia"


def test_every_run_writes_json_and_markdown_under_reports(project):
    project.run("-k", "accents")
    document = project.document()
    assert document["schema"] == "abalo-robustness/6"
    assert document["complete"] is True
    assert {(r["view"], r["verdict"]) for r in document["results"]} == {
        ("projected", "pass"),
        ("structural", None),
        ("padded", None),
    }
    assert (project.path / "reports" / "robustness.md").read_text("utf-8").startswith("# ✓ PASS")


def test_a_run_of_a_selection_can_be_counted_again(project, monkeypatch):
    text = project.path.joinpath("thresholds.toml").read_text("utf-8")
    skipped = '[[ner.slice]]\nof = "unseen_entities"\ntraining = "none"\nmax_f1_gap = 0.5\n'
    project.write("thresholds.toml", f"{text}\n{skipped}")
    project.run("-k", "accents")
    assert project.document()["tasks"]["ner"]["skipped"] == []
    monkeypatch.chdir(project.path)
    assert main(["verdict", "reports", "--recount"]) == main(["verdict", "reports"]) != 2
    project.run()
    assert [each["lacks"] for each in project.document()["tasks"]["ner"]["skipped"]] == ["resource"]
    assert main(["verdict", "reports", "--recount"]) != 2


def test_a_run_says_when_it_was_made_and_at_which_commit(project):
    began = datetime.now(UTC).replace(microsecond=0)
    (project.path / ".git").mkdir()
    (project.path / ".git" / "HEAD").write_text("a" * 40 + "\n")
    project.run("-k", "accents")
    document = project.document()
    assert began <= datetime.fromisoformat(document["date"]) <= datetime.now(UTC)
    assert (document["commit"], document["dirty"]) == ("a" * 40, None)  # git itself does not take this for a repository


def test_outside_of_a_repository_there_is_no_commit(project):
    project.run("-k", "accents")
    assert "date" in project.document()
    assert not {"commit", "dirty"} & project.document().keys()


def test_another_folder_can_be_chosen(project):
    project.run("-k", "accents", "--abalo-reports", "out/today")
    assert (project.path / "out" / "today" / "robustness.json").is_file()
    assert not (project.path / "reports").exists()


def test_the_page_has_a_row_for_each_case_with_its_numbers_and_examples_inside(project):
    project.run("--html", "page.html", "--self-contained-html", model="models:blind_to_accents")
    page = project.path.joinpath("page.html").read_text("utf-8")
    assert "Abalo: robustness report" in page
    assert "<svg" in page
    assert "abalo-detail" in page
    assert "all sentences ≤ 0.060" in page or "all sentences \\u2264 0.060" in page


def test_the_page_counts_results_of_our_own_apart(project):
    project.write(
        "thresholds.toml",
        "[gate]\nlanguage = 'pt'\nresamples = 300\n[[ner.baseline]]\nmin_f1 = 0.1\n[[ner.accents]]\n[[ner.synonyms]]\n"
        "[[ner.word_insertion]]\nrate = 0.1\nmax_f1_drop = 0.0\nblocking = false\n"
        "[[ner.character_noise]]\nrate = 0.9\nmax_f1_drop = 0.01\nblocking = false\n",
    )
    project.write("test_skipped.py", "import pytest\n\n\n@pytest.mark.skip\ndef test_it():\n    pass\n")
    result = project.run("--html", "page.html", "--self-contained-html", "test_skipped.py")
    counts = dict(re.findall(r'<span class="([\w-]+)">(\d+) ', project.path.joinpath("page.html").read_text("utf-8")))
    outcomes = result.parseoutcomes()
    for status in ("measured", "undecided", "fail"):  # pytester reads one word of "fail, not blocking"
        assert counts["abalo-fail-not-blocking" if status == "fail" else f"abalo-{status}"] == str(outcomes[status])
    assert {name: int(counts[name]) for name in ("passed", "skipped", "failed", "rerun")} == {
        "passed": outcomes["passed"],
        "skipped": outcomes["skipped"],
        "failed": 0,
        "rerun": 0,
    }


def test_without_text_no_report_holds_a_word_of_the_corpus(project):
    arguments = ("--html", "page.html", "--self-contained-html", "--junit-xml", "junit.xml")
    project.run(*arguments, model="models:blind_to_accents")
    assert SECRET in project.path.joinpath("reports", "examples.jsonl").read_text("utf-8")
    project.run(*arguments, "--abalo-no-text", model="models:blind_to_accents")
    for name in ("reports/robustness.json", "reports/robustness.md", "page.html", "junit.xml"):
        text = project.path.joinpath(name).read_text("utf-8")
        assert SECRET not in text
        assert json.dumps(SECRET).strip('"') not in text


def log_of_inspect(path, solver):
    """A log as Inspect writes them, of questions that this solver answered."""
    with zipfile.ZipFile(path, "w") as log:
        log.writestr("_journal/start.json", json.dumps({"plan": {"steps": [{"solver": solver}]}}))
        log.writestr("samples/1.json", json.dumps(SECRET))


def test_without_text_what_earlier_runs_quoted_is_removed_and_nothing_else(project):
    project.run("--html", "reports/page.html", "--self-contained-html", model="models:blind_to_accents")
    reports = project.path / "reports"
    for folder in ("attacks", "inspect"):
        (reports / folder).mkdir()
    said = {
        "attacks/entity_attack.jsonl": json.dumps({"format": "abalo attack log 1"}),
        "counterexamples.jsonl": json.dumps({"format": "abalo attack log 2"}),
        "attacks/mine.jsonl": json.dumps({"notes": SECRET}),
        ".examples.jsonl.ab12_x9z": SECRET,
        "mine.html": f"<title>{SECRET}</title>",
    }
    for name, text in said.items():
        (reports / name).write_text(text, "utf-8")
    log_of_inspect(reports / "inspect" / "of_abalo.eval", "abalo/repeated_choice")
    log_of_inspect(reports / "inspect" / "mine.eval", "inspect_ai/multiple_choice")
    assert {"examples.jsonl", "page.html"} <= {path.name for path in reports.iterdir()}
    (reports / "broken.jsonl").write_text(json.dumps({"format": "abalo attack log 2"}), "utf-8")
    result = project.run("--abalo-no-text", model="models:blind_to_accents")
    told = [line for line in result.stdout.lines if line.startswith("note: ")]
    assert len(told) == 1
    assert told[0].startswith("note: reports/broken.jsonl ")
    left = {path.relative_to(reports).as_posix() for path in reports.rglob("*") if path.is_file()}
    ours = {"robustness.json", "robustness.md", "report.html", "evidence.npz", ".abalo.lock", "last-run.json"}
    ours |= {"report.metrics.json"}
    assert left == ours | {"attacks/mine.jsonl", "inspect/mine.eval", "mine.html", "broken.jsonl"}


def packed_as(path, method):
    """Says of each part of an archive that it is packed by this method."""
    content = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        start = content.find(mark)
        while start >= 0:
            content[start + place : start + place + 2] = method.to_bytes(2, "little")
            start = content.find(mark, start + 4)
    path.write_bytes(content)


ZSTD, UNKNOWN = 93, 99


@pytest.mark.parametrize("method", [ZSTD, UNKNOWN])
def test_logs_of_inspect_that_cannot_be_unpacked_are_known_by_the_names_of_their_samples(tmp_path, method):
    (tmp_path / "inspect").mkdir()
    for name, sample in (("of_abalo", "en-01|orig_epoch_1"), ("mine", "en-01_epoch_1"), ("none", "")):
        path = tmp_path / "inspect" / f"{name}.eval"
        with zipfile.ZipFile(path, "w") as log:
            log.writestr("_journal/start.json", json.dumps({"plan": {}}))
            if sample:
                log.writestr(f"samples/{sample}.json", json.dumps(SECRET))
        packed_as(path, method)
    remove_quoting(tmp_path, "")
    assert sorted(path.name for path in (tmp_path / "inspect").iterdir()) == ["mine.eval", "none.eval"]


@pytest.mark.slow
def test_whatever_goes_wrong_while_text_is_removed_the_verdict_of_the_earlier_run_is_gone(project, monkeypatch):
    project.run("-k", "accents")
    assert project.document()["verdict"] == "pass"

    def broken(*_):
        raise RuntimeError("unforeseen")

    monkeypatch.setattr("abalo.reporting.formats.files.remove_quoting", broken)
    result = project.run("-k", "accents", "--abalo-no-text")
    assert result.ret != 0
    assert project.document()["complete"] is False
    assert project.document()["verdict"] != "pass"
    assert "PASS" not in (project.path / "reports" / "robustness.md").read_text("utf-8")


FULL_DISK = """
import errno
import os

from abalo import files

sync = os.fsync


def pytest_runtest_logfinish():
    def full(_handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    files.os.fsync = full


def pytest_unconfigure():
    files.os.fsync = sync
"""


@pytest.mark.slow
@pytest.mark.parametrize(("model", "code", "said"), [("all_outside", 1, "FAIL: "), ("gazetteer", 4, "PASS: ")])
def test_a_full_disk_at_the_end_takes_neither_the_verdict_nor_the_failures(project, model, code, said):
    project.write("full_disk.py", FULL_DISK)
    project.pytester.syspathinsert()
    result = project.run("-p", "full_disk", model=f"models:{model}")
    assert result.ret == code
    result.stdout.fnmatch_lines(["abalo: *finished*No space left on device*"])
    result.stdout.fnmatch_lines([f"{said}*", "ERROR: *No space left on device*"])
    assert project.document()["complete"] is False


LOSING = """
from pathlib import Path


def pytest_runtest_logfinish(nodeid):
    if "test_accents" in nodeid:
        for path in Path("reports/finished").glob("ner-accents-*"):
            path.unlink()
"""


def test_a_case_that_is_lost_while_the_run_goes_on_is_an_error(project):
    project.write("losing.py", LOSING)
    project.pytester.syspathinsert()
    result = project.run("-p", "losing")
    errors = [(each["id"], "was lost or damaged" in each["message"]) for each in project.document()["errors"]]
    assert (result.ret, errors) == (1, [("ner/accents", True)])
    assert {each["id"] for each in project.document()["results"]} == {"ner/baseline", "ner/word_insertion[rate-0.1]"}


def test_markup_in_the_corpus_stays_text(project):
    corpus = project.path.joinpath("corpus.conll").read_text("utf-8")
    project.write("corpus.conll", corpus.replace("ouviu O", "<script>alert(1)</script>ç O"))
    project.run("--html", "page.html", "--self-contained-html", model="models:blind_to_accents")
    page = project.path.joinpath("page.html").read_text("utf-8")
    assert "<script>alert(1)" not in page


def test_the_xml_report_holds_the_headline_numbers(project):
    project.run("-k", "accents", "--junit-xml", "junit.xml")
    properties = {
        node.attrib["name"]: node.attrib["value"] for node in ET.parse(project.path / "junit.xml").iter("property")
    }
    assert properties == {"f1": "1.0", "f1_drop_changed": "0.0", "verdict": "pass"}


def test_a_failing_row_carries_the_command_that_runs_it_again(project):
    project.run("--abalo-seeds", "7,8", model="models:all_outside")
    command = shlex.split(project.result("ner/baseline")["command"])
    assert command[:3] == ["pytest", "--pyargs", "tests_behavioral.ner.test_baseline::test_f1[default]"]
    again = project.pytester.runpytest_inprocess("-p", "no:cacheprovider", *command[1:])
    again.assert_outcomes(failed=1)
    assert project.document()["seeds"] == [7, 8]


def test_without_text_even_an_error_does_not_quote_the_corpus(project):
    project.write(
        "broken.py", "def factory():\n    def predict(batch):\n        raise ValueError(batch)\n    return predict\n"
    )
    result = project.run("--abalo-no-text", model="broken:factory")
    assert result.ret == 1
    assert SECRET not in result.stdout.str() + json.dumps(project.document(), ensure_ascii=False)
    assert "--abalo-no-text withholds it" in project.document()["errors"][0]["message"]


def test_a_baseline_that_fails_shows_the_sentences_that_are_wrong(project):
    project.run("-k", "baseline", model="models:all_outside")
    assert len(project.result("ner/baseline")["examples"]) == 10
    page = project.path.joinpath("reports", "robustness.md").read_text("utf-8")
    shown = page.partition("## ✗ Baseline\n")[2].partition("\n## ")[0]
    assert shown.count("<br>*clean:* ") == 3
    assert "– missed" in shown
