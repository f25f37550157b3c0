"""report.metrics.json: flat numbers of a run, as trackers get them."""

import json

from abalo.core.documents.document import Document
from abalo.core.records.json_records import read
from abalo.reporting.formats.metrics_json import METRICS_NAME, REPORT_FORMAT, as_metrics
from abalo.reporting.formats.tracking import track
from tests.reporting.documents import sample


def test_the_file_has_each_number_under_one_name():
    document = read(Document, sample())
    found = json.loads(REPORT_FORMAT.text(document, ()))
    assert found.keys() == track(document).metrics.keys()
    assert all(isinstance(value, int | float) for value in found.values())
    intervals = [name.removesuffix(".low") for name in found if name.endswith(".low")]
    assert intervals
    assert all(found[f"{name}.low"] <= found[name] <= found[f"{name}.high"] for name in intervals)


def test_numbers_are_rounded_as_in_the_document():
    assert json.loads(as_metrics({"a": 1 / 3, "b": -0.0})) == {"a": 0.333333, "b": 0.0}


def test_every_run_writes_it():
    assert (REPORT_FORMAT.file, METRICS_NAME) == ("report.metrics.json", "report.metrics.json")
