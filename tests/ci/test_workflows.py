"""Our own workflows and action.yml: pinned, with few permissions, without a stranger's words in a script."""

import re
import shutil
import subprocess
import sys
import tomllib

import pytest
import yaml

from abalo import __version__
from tests.ci.runner import ROOT
from tests.rows import every

PATHS = [*sorted(ROOT.joinpath(".github", "workflows").glob("*.yml")), ROOT / "action.yml"]
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in PATHS if path.parent != ROOT}
JOBS = {(name, job): found for name, flow in WORKFLOWS.items() for job, found in flow["jobs"].items()}
USES = [(path.name, found) for path in PATHS for found in re.findall(r"uses: *(.+)", path.read_text("utf-8"))]
PYPROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
PYTHONS = [name.rpartition(" ")[2] for name in PROJECT["classifiers"] if "Python :: 3." in name]

MAY_WRITE = {("docs", "publish"): {"pages", "id-token"}, ("release", "publish"): {"id-token"}}
"""The jobs that may do more than read, and what."""


def scripts(job):
    return [step["run"] for step in job["steps"] if "run" in step]


def started_by(flow):
    return flow[True]  # YAML reads the key "on" as true


def test_there_are_workflows_for_tests_documentation_and_releases():
    assert {*WORKFLOWS} == {"tests", "nightly", "docs", "release"}


@every(("where", "used"), USES)
def test_an_action_is_pinned_to_a_commit_whose_version_is_named(where, used):
    assert re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", used), where


def test_an_action_is_of_one_version_everywhere():
    pins = {used.partition("@")[::2] for _, used in USES}
    assert len({name for name, _ in pins}) == len(pins)


@pytest.mark.parametrize(("name", "job"), JOBS)
def test_a_job_has_the_permissions_that_it_needs_and_no_other(name, job):
    assert WORKFLOWS[name]["permissions"] == {}
    given = JOBS[name, job]["permissions"]
    assert given == (
        {"contents": "read"} if (name, job) not in MAY_WRITE else dict.fromkeys(MAY_WRITE[name, job], "write")
    )


@pytest.mark.parametrize(("name", "job"), MAY_WRITE)
def test_a_job_that_may_write_runs_no_code_of_ours(name, job):
    assert scripts(JOBS[name, job]) == []
    assert not any("checkout" in step["uses"] for step in JOBS[name, job]["steps"])
    assert JOBS[name, job]["environment"]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_no_workflow_lends_its_rights_to_strangers(name):
    started = started_by(WORKFLOWS[name])
    assert {*started} <= {"pull_request", "push", "schedule"}
    assert all({*how} <= {"branches", "tags"} for event, how in started.items() if how and event != "schedule")


@pytest.mark.parametrize(("name", "job"), JOBS)
def test_no_expression_stands_in_a_script_and_no_token_stays_in_a_checkout(name, job):
    assert not any("${{" in script for script in scripts(JOBS[name, job]))
    for step in JOBS[name, job]["steps"]:
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize(("name", "job"), JOBS)
def test_a_job_ends_at_some_time(name, job):
    assert 0 < JOBS[name, job]["timeout-minutes"] <= (300 if name == "nightly" else 90)


def test_every_python_is_tried_and_one_with_the_lowest_and_one_with_the_newest_versions():
    tried = JOBS["tests", "tests"]["strategy"]["matrix"]["python"]
    assert tried[: len(PYTHONS)] == PYTHONS, "a Python is tried before it is promised"
    assert JOBS["tests", "gate"]["strategy"]["matrix"]["python"] == [tried[0], tried[-1]]
    assert JOBS["tests", "lowest"]["steps"][1]["with"]["python-version"] == PYTHONS[0]
    assert "--resolution lowest-direct" in str(scripts(JOBS["tests", "lowest"]))
    assert "constraints" not in str(scripts(JOBS["tests", "newest"]))
    (pythons,) = [step["with"]["python-version"].split() for step in JOBS["release", "corners"]["steps"][1:2]]
    assert pythons == [PYTHONS[0], PYTHONS[-1]]


def test_a_release_is_published_only_of_a_tag_after_all_else():
    assert started_by(WORKFLOWS["release"]) == {"push": {"tags": ["v[0-9]+.[0-9]+.[0-9]+"]}}
    assert JOBS["release", "publish"]["needs"] == ["build", "audit", "corners"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__), "the pattern of tags knows no other form"
    assert "cache" not in str(WORKFLOWS["release"]["jobs"])


def test_the_commands_of_scripts_are_there():
    text = "\n".join(script for job in JOBS.values() for script in scripts(job))
    targets = {*re.findall(r"^(\w+):", ROOT.joinpath("Makefile").read_text("utf-8"), re.MULTILINE)}
    assert {*re.findall(r"\bmake (\w+)", text)} <= targets
    modules = re.findall(r"python -m release\.(\w+)", text)
    named = {*re.findall(r"release/\w+\.sh", text)} | {f"release/{each}.py" for each in modules}
    assert named == {"release/build.sh", "release/corners.py", "release/ready.py"}
    assert all(ROOT.joinpath(each).is_file() for each in named)
    extras = {extra for found in re.findall(r"\.\[([\w,]+)\]", text) for extra in found.split(",")}
    assert extras == {"dev"}
    assert (
        {*re.findall(r"--group (\w+)", text)}
        == {"docs", "notebook", "release", "ui"}
        <= {*PYPROJECT["dependency-groups"]}
    )


def test_the_action_is_recommended_in_the_version_that_is_ours():
    page = ROOT.joinpath("docs", "how-to", "ci.md").read_text("utf-8")
    owner = PROJECT["urls"]["Source"].removeprefix("https://github.com/")
    major = __version__.partition(".")[0]
    assert {*re.findall(r"uses: (\S+/abalo@\S+)", page)} == {f"{owner}@v{major}"}


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("zizmor", ["--offline", "--no-progress", "--persona=regular"]),
        ("check-jsonschema", ["--builtin-schema=vendor.github-workflows"]),
        ("actionlint", []),
    ],
    ids=["zizmor", "check-jsonschema", "actionlint"],
)
def test_linters_find_nothing(program, arguments):
    found = shutil.which(program) or shutil.which(program, path=str(sys.prefix) + "/bin")
    if found is None:
        pytest.skip(f"{program} is not installed: workflows were NOT read by it")
    paths = PATHS if program == "zizmor" else PATHS[:-1]
    done = subprocess.run([found, *arguments, *map(str, paths)], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
