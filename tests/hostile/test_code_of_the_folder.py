"""Commands that read a finished run execute nothing that lies in its folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from abalo.cli import main
from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.reporting.formats.files import write_json
from tests.reporting.documents import sample
from tests.reports import rewrite

READING = {
    "accept": ["reports", "--as", "references/1"],
    "comment": ["reports"],
    "compare": ["reports", "reports"],
    "history": ["reports", "reports"],
    "log-mlflow": ["reports"],
    "merge": ["reports", "reports", "--out", "merged"],
    "rejudge": ["reports"],
    "show": ["reports"],
    "verdict": ["reports"],
}

CONFTEST = 'from pathlib import Path\nPath("ran").touch()\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working directory, with a report and a conftest.py that leaves a file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "conftest", raising=False)
    write_json(typed.read(Document, sample()), Path("reports"))
    tmp_path.joinpath("conftest.py").write_text(CONFTEST, "utf-8")
    yield tmp_path
    sys.modules.pop("conftest", None)


@pytest.mark.parametrize("command", READING)
def test_a_command_that_reads_a_run_imports_no_conftest_unless_told(folder, capsys, command):
    main([command, *READING[command]])
    assert not folder.joinpath("ran").exists()
    main([command, *READING[command], "--conftest"])
    assert folder.joinpath("ran").exists()


def test_a_conftest_that_ends_the_process_is_no_verdict(folder):
    folder.joinpath("conftest.py").write_text("import os\nos._exit(0)\n", "utf-8")
    folder.joinpath("json.py").write_text("import os\nos._exit(0)\n", "utf-8")
    command = [sys.executable, "-P", "-m", "abalo", "verdict", "nothing"]
    assert subprocess.run(command, cwd=folder, check=False, capture_output=True).returncode == 2


def test_a_name_that_nobody_registered_is_told_with_the_remedy(folder, capsys):
    stored = folder.joinpath("reports", "robustness.json")
    rewrite(stored, lambda document: document["results"][0].update(probe="ours"))
    assert main(["verdict", "reports"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].endswith("it is about the kind of case 'ours', which is not known here")
    assert said[1:] == ["FAIL"]
    rewrite(stored, lambda document: document["tasks"].update(ours=document["tasks"].pop("ner")))
    rewrite(stored, lambda document: [result.update(task="ours") for result in document["results"]])
    assert main(["verdict", "reports"]) == 1
    assert "which is not known here" in capsys.readouterr().out
    assert main(["verdict", "reports", "--recount"]) == 2
    assert "'ours', which is not known here; pass --conftest" in capsys.readouterr().err


def test_the_scripts_of_the_action_keep_the_folder_out_of_the_import_path():
    for script in Path(__file__).parents[2].joinpath("ci").glob("*.sh"):
        lines = [line for line in script.read_text("utf-8").splitlines() if "-m abalo" in line]
        assert all("python -P -m abalo" in line for line in lines), script.name
