"""Models that change the working directory or double the process: the results stay where they belong, and are one."""

from pathlib import Path

import pytest

from abalo.models.tokens.loading import load
from perturbations import Sentence

MODEL = """
import os
from pathlib import Path

def tags(batch):
    return [["O"] * len(tokens) for tokens in batch]

def wandering():
    def predict(batch):
        Path("elsewhere").mkdir(exist_ok=True)
        os.chdir("elsewhere")
        return tags(batch)
    os.chdir("/")
    return predict

def lost():
    def predict(batch):
        os.chdir("/")
        raise ValueError("lost")
    return predict

def doubling():
    def predict(batch):
        os.fork()
        return tags(batch)
    os.fork()
    return predict

def failing_double():
    def predict(batch):
        if not os.fork():
            raise SystemExit(0)
        return tags(batch)
    return predict
"""


@pytest.mark.parametrize("factory", ["wandering", "lost", "doubling", "failing_double"])
def test_reports_stand_in_the_folder_of_the_run_and_once(project, factory):
    project.write("odd.py", MODEL)
    (project.path / "calls").touch()
    note = "import os\ndef pytest_sessionfinish():\n    os.write(os.open('calls', os.O_APPEND | os.O_WRONLY), b'x')\n"
    project.write("conftest.py", note)
    result = project.run("-k", "baseline", "--junit-xml", "junit.xml", model=f"odd:{factory}")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert (project.path / "calls").read_text("utf-8") == "x"
    assert [*project.path.rglob("robustness.json")] == [project.path / "reports" / "robustness.json"]
    assert not list(project.path.glob("elsewhere/*"))


def test_the_working_directory_is_as_it_was_after_each_call(written):
    path = written(MODEL, "odd.py")
    before = Path.cwd()
    load(f"{path}:wandering").predict([Sentence(("a",))])
    assert Path.cwd() == before
