"""Formats of one's own: a file more in the folder of reports."""

import pytest

from abalo import AbaloError
from abalo.core import records
from abalo.core.document import Document
from abalo.core.registry import Registry
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
def test_one_that_fails_is_named_and_nothing_is_written(make, told, tmp_path):
    register(ReportFormat("lines", "lines.txt", make))
    with pytest.raises(AbaloError, match=f"report format lines: {told}"):
        write_report(SAMPLE, {}, (), tmp_path)
    assert [*tmp_path.iterdir()] == []
