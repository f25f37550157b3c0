"""docs/tutorial.md happens as it is told: files are written, commands run, and their output is compared."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from abalo import __version__
from docs import transcripts
from tests.ci.runner import ACTION
from tests.forked import SCRIPTS

ROOT = Path(__file__).parent.parent
TUTORIAL = ROOT.joinpath("docs", "tutorial.md").read_text("utf-8")
ABALO = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]["urls"]["Source"].removeprefix(
    "https://github.com/"
)


def test_the_workflow_gives_the_action_inputs_that_it_has_and_few_permissions():
    (text,) = re.findall(r"```yaml\n(.*?)```", TUTORIAL, re.DOTALL)
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    (job,) = workflow["jobs"].values()
    assert set(job["permissions"]) <= {"contents", "pull-requests"}
    (step,) = [each for each in job["steps"] if each["uses"].startswith(f"{ABALO}@")]
    assert step["uses"] == f"{ABALO}@v{__version__.partition('.')[0]}"
    assert set(step["with"]) <= set(ACTION["inputs"])
    assert f"--as {step['with']['reference']}" in TUTORIAL


@pytest.mark.slow
def test_the_tutorial_happens_as_it_is_told(tmp_path, monkeypatch, forks):
    folder = tmp_path / "project"
    folder.mkdir()
    usual = dict(transcripts.environment())
    first = forks.programs(tmp_path / "bin", **SCRIPTS)
    monkeypatch.setattr(transcripts, "environment", lambda: usual | {"PATH": f"{first}:{usual['PATH']}"})
    codes = []
    for each in transcripts.replay(TUTORIAL, folder):
        assert each.difference is None, f"$ {each.command}\n" + "\n".join(each.printed)
        codes.append((each.command.partition(" ")[0], each.code))
    judged = [code for program, code in codes if program == "pytest"]
    assert judged == [0, 1, 0, 0]  # a look, the pull request, its fix, the gate of bounds
    assert ("abalo", 1) in codes  # the verdict on the pull request
    assert folder.joinpath(".github", "workflows", "abalo.yml").exists()
