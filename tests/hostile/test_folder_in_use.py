"""The folder of the reports: one run at a time, and never the finished report of an earlier one."""

import pytest

from abalo.locking import LOCK_NAME, FolderLock

WATCHING = """
import json
import os
from pathlib import Path

from models import gazetteer


def reading():
    def predict(batch):
        document = json.loads(Path("reports/robustness.json").read_text("utf-8"))
        Path("seen.txt").write_text(f"{document['complete']} {document['verdict']} {document['missing']}", "utf-8")
        return gazetteer()(batch)

    return predict


def leaving():
    def predict(batch):
        if any("Belem" in words for words in batch):  # only once accents are gone
            os._exit(0)
        return gazetteer()(batch)

    return predict
"""


def test_a_folder_that_another_run_writes_to_is_refused_and_left_alone(project):
    (project.path / "reports").mkdir()
    with FolderLock(project.path / "reports"):
        result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert (result.stdout.str() + result.stderr.str()).count("reports: in use by another run") == 1
    assert [path.name for path in (project.path / "reports").iterdir()] == [LOCK_NAME]


def test_a_wrong_configuration_is_not_written_into_the_reports_of_another_run(project):
    project.write("thresholds.toml", "[[ner.acents]]\nmax_f1_drop = 0.1\n")
    (project.path / "reports").mkdir()
    with FolderLock(project.path / "reports"):
        assert project.run().ret == pytest.ExitCode.USAGE_ERROR
    assert not (project.path / "reports" / "robustness.json").exists()


def test_the_lock_ends_with_the_run_not_with_its_file(project):
    assert project.run("-k", "accents").ret == 0
    assert (project.path / "reports" / LOCK_NAME).exists()
    assert project.run("-k", "accents").ret == 0


@pytest.mark.slow
def test_with_workers_too_no_earlier_report_stays_from_the_beginning_on(project):
    project.run()
    assert project.document()["verdict"] == "pass"
    project.write("watching.py", WATCHING)
    assert project.run("-n", "1", "-k", "accents", model="watching:reading").ret == 0
    assert (project.path / "seen.txt").read_text("utf-8") == "False inconclusive ['ner/accents']"


@pytest.mark.slow
def test_a_worker_that_dies_is_an_error_of_its_case(project):
    project.write("watching.py", WATCHING)
    result = project.run("-n", "1", "-k", "accents or baseline", model="watching:leaving")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    document = project.document()
    assert (document["verdict"], document["complete"]) == ("fail", False)
    assert [error["id"] for error in document["errors"]] == ["ner/accents"]
    assert "crashed while running" in document["errors"][0]["message"]
    assert [result["id"] for result in document["results"] if result["verdict"]] == ["ner/baseline"]
