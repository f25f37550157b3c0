"""The examples of docs/how-to/ci.md: inputs are those of the action, permissions few, commands known."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import parse_qs

import pytest
import yaml

from abalo.cli import parser
from abalo.reporting.formats.comment import mark
from tests.ci.runner import ACTION, ROOT, served

SOURCE = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]["urls"]["Source"]
ABALO = SOURCE.removeprefix("https://github.com/")
PAGE = ROOT.joinpath("docs", "how-to", "ci.md").read_text("utf-8")
EXAMPLES = {name: yaml.safe_load(text) for name, text in re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE, re.DOTALL)}
WORKFLOWS = {name: found for name, found in EXAMPLES.items() if name.startswith(".github/")}


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


def test_commands_of_the_examples_are_known():
    shell = [
        line
        for block in re.findall(r"^ *```sh\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)
        for line in map(str.strip, block.splitlines())
    ]
    lines = [*shell, *(line for line in EXAMPLES[".gitlab-ci.yml"]["abalo"]["script"])]
    asked = [shlex.split(line.partition("||")[0]) for line in lines if line.startswith("abalo ")]
    assert len(asked) == 9
    for _, *arguments in asked:
        parser().parse_args(arguments)  # ends the test where an option is not known


class GitLab:
    """The notes of a merge request, behind the interface of a service."""

    def __init__(self, notes):
        self.notes = notes

    def __call__(self, method, path, body):
        place, _, query = path.partition("?")
        assert place.startswith("/api/v4/")
        if place == "/api/v4/user":
            return 200, json.dumps({"id": 5, "username": "bot"})
        *before, last = place.split("/notes")
        assert before == ["/api/v4/projects/3/merge_requests/7"]
        if method == "GET":
            assert parse_qs(query) == {"sort": ["asc"], "order_by": ["created_at"], "per_page": ["100"]}
            return 200, json.dumps(self.notes)
        text = parse_qs(body)["body"][0]
        if method == "POST":
            self.notes.append(note(len(self.notes) + 1, text))
            return 201, "{}"
        (found,) = [each for each in self.notes if f"/{each['id']}" == last]
        found["body"] = text
        return 200, "{}"


def note(number, body, author=5):
    return {"id": number, "body": body, "author": {"id": author}}


def test_the_note_of_gitlab_is_new_once_and_then_replaced(tmp_path):
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    (script,) = [line for line in EXAMPLES[".gitlab-ci.yml"]["abalo"]["script"] if "ABALO_TOKEN" in line]
    others = [note(1, "ours, about something else"), note(2, f"a stranger\n{mark('abalo')}", author=9)]
    gitlab = GitLab([dict(each) for each in others])
    tmp_path.joinpath("reports").mkdir()
    with served(gitlab) as address:
        environment = {
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            "ABALO_TOKEN": "secret",
            "CI_API_V4_URL": f"{address}/api/v4",
            "CI_PROJECT_ID": "3",
            "CI_MERGE_REQUEST_IID": "7",
            "no_proxy": "127.0.0.1",
        }
        for text in ("# FAIL", "# PASS & more: `$(id)` é"):
            comment = f"{text}\n\n{mark('abalo')}\n"
            tmp_path.joinpath("reports", "comment.md").write_text(comment, "utf-8")
            subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=tmp_path, env=environment, check=True)
            assert gitlab.notes == [*others, note(3, comment)]
