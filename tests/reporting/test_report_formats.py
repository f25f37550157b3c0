"""Formats of one's own: a file more in the folder of reports."""

import subprocess
import sys

import pytest

from abalo import AbaloError
from abalo.core.documents.document import Document
from abalo.core.protocols.registry import Registry
from abalo.core.records import json_records as records
from abalo.extend import ReportFormat, register
from abalo.reporting.formats.files import as_pages, write_report
from abalo.reporting.formats.tracking import files_in
from tests.reporting.documents import sample

SAMPLE = records.read(Document, sample())


def failing(document, examples):
    raise KeyError("no such case")


@pytest.fixture(autouse=True)
def restored():
    with Registry.restored():
        yield


def test_it_gets_document_and_examples_and_its_file_is_tracked(tmp_path):
    register(ReportFormat("lines", "lines.txt", lambda document, examples: f"{document.verdict} {'|'.join(examples)}"))
    document = SAMPLE
    write_report(document, {}, ["{}", "[]"], tmp_path)
    assert (tmp_path / "lines.txt").read_text("utf-8") == f"{document.verdict} {{}}|[]"
    assert tmp_path / "lines.txt" in files_in(tmp_path)
    write_report(document, {}, None, tmp_path)
    assert (tmp_path / "lines.txt").read_text("utf-8") == f"{document.verdict} "


@pytest.mark.parametrize("file", ["", "../up.txt", "a/b.txt", ".hidden", "a b"])
def test_its_file_lies_in_the_folder(file):
    with pytest.raises(AbaloError, match="expected a name without folders"):
        ReportFormat("lines", file, failing)


@pytest.mark.parametrize("file", ["robustness.json", "robustness.md", "report.html", "evidence.npz", "other.txt"])
def test_no_two_write_one_file(file):
    register(ReportFormat("other", "other.txt", lambda document, examples: ""))
    register(ReportFormat("lines", file, lambda document, examples: ""))
    with pytest.raises(AbaloError, match=f"report format lines: {file} "):
        as_pages(SAMPLE, ())


@pytest.mark.parametrize(("make", "told"), [(failing, "KeyError: 'no such case'"), (lambda *_: b"", "made bytes")])
def test_one_that_fails_is_named_after_all_others_are_written(make, told, tmp_path):
    (tmp_path / "lines.txt").write_text("of an earlier run", "utf-8")
    register(ReportFormat("lines", "lines.txt", make))
    with pytest.raises(AbaloError, match=f"report format lines: {told}.*the other reports are written"):
        write_report(SAMPLE, {}, (), tmp_path)
    assert {"robustness.json", "robustness.md", "report.html", "evidence.npz"} <= {
        each.name for each in tmp_path.iterdir()
    }
    assert not (tmp_path / "lines.txt").exists()
    with pytest.raises(AbaloError, match=f"report format lines: {told}"):
        as_pages(SAMPLE, ())


def test_a_format_registered_before_any_report_leaves_those_of_the_house():
    program = (
        "from abalo.extend import ReportFormat, register; register(ReportFormat('a', 'a.txt', print));"
        "from abalo.reporting.formats.report_format import report_formats; print(*report_formats())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("markdown metrics html a\n", "")
