"""The recipes of docs/ci.md: their inputs are those of the action, their permissions few, their commands known."""

import re
import shlex
import tomllib

import pytest
import yaml

from abalo.cli import parser
from tests.ci.runner import ACTION, ROOT

SOURCE = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]["urls"]["Source"]
ABALO = SOURCE.removeprefix("https://github.com/")
PAGE = ROOT.joinpath("docs", "ci.md").read_text("utf-8")
RECIPES = {name: yaml.safe_load(text) for name, text in re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE, re.DOTALL)}
WORKFLOWS = {name: found for name, found in RECIPES.items() if name.startswith(".github/")}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_gives_the_action_inputs_that_it_has_and_jobs_few_permissions(name):
    found = WORKFLOWS[name]
    assert found["permissions"] == {}
    assert "pull_request_target" not in str(found)
    for job in found["jobs"].values():
        assert set(job["permissions"]) <= {"contents", "pull-requests"}
        steps = [step for step in job["steps"] if step["uses"].startswith(f"{ABALO}@")]
        assert steps
        assert all(set(step["with"]) <= set(ACTION["inputs"]) for step in steps)
        assert not any("run" in step for step in job["steps"])


def test_every_input_is_in_the_table():
    table = PAGE.partition("| input |")[2].partition("\n\n")[0]
    assert set(ACTION["inputs"]) <= {*re.findall(r"`([\w-]+)`", table)}


def test_commands_of_the_recipes_are_known():
    shell = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
    lines = [*shell, *(line for line in RECIPES[".gitlab-ci.yml"]["abalo"]["script"])]
    asked = [shlex.split(line.partition("||")[0]) for line in lines if line.startswith("abalo ")]
    assert len(asked) == 6
    for _, *arguments in asked:
        parser().parse_args(arguments)  # ends the test where an option is not known
