"""What others publish and we install: pinned, listed, looked after, and with a way to report a fault."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
RELEASE = yaml.safe_load(ROOT.joinpath(".github", "workflows", "release.yml").read_text("utf-8"))["jobs"]
PROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))
PINNED = {
    line.partition("==")[0]
    for line in ROOT.joinpath("ci", "constraints.txt").read_text("utf-8").splitlines()
    if "==" in line
}


def scripts(job):
    return [step["run"] for step in RELEASE[job]["steps"] if "run" in step]


@pytest.mark.parametrize("job", ["build", "audit"])
def test_a_job_of_the_release_installs_pinned_versions_alone(job):
    installs = [script for script in scripts(job) if "pip install" in script]
    assert installs
    assert all("-c ci/constraints.txt" in script or "torch==" in script for script in installs)
    assert not any("--upgrade" in script for script in installs)


def test_what_builds_is_pinned_also_where_it_is_installed_by_the_build():
    tools = [*PROJECT["dependency-groups"]["release"], *PROJECT["build-system"]["requires"], "pip"]
    assert {re.split("[>=]", each)[0] for each in tools} <= PINNED
    assert "PIP_CONSTRAINT=$PWD/ci/constraints.txt" in ROOT.joinpath("release", "build.sh").read_text("utf-8")


def test_nothing_is_published_before_known_faults_are_looked_for():
    (audit,) = [script for script in scripts("audit") if script.startswith("pip-audit")]
    assert "--requirement ci/constraints.txt" in audit
    assert "--strict" in audit
    assert "audit" in RELEASE["publish"]["needs"]


def test_the_bill_of_materials_has_every_pinned_version(tmp_path):
    pytest.importorskip("cyclonedx_py")
    (command,) = [script for script in scripts("audit") if script.startswith("cyclonedx-py")]
    assert "ci/constraints.txt" in command
    words = [sys.executable, "-m", "cyclonedx_py", *command.split()[1:-1], str(tmp_path / "sbom.json")]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    found = yaml.safe_load(tmp_path.joinpath("sbom.json").read_text("utf-8"))
    assert {each["name"] for each in found["components"]} == PINNED


def test_somebody_looks_after_actions_the_lock_and_the_bounds():
    path = ROOT / ".github" / "dependabot.yml"
    found = {
        (each["package-ecosystem"], each["directory"]) for each in yaml.safe_load(path.read_text("utf-8"))["updates"]
    }
    assert found == {("github-actions", "/"), ("pip", "/ci"), ("pip", "/")}
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.dependabot", str(path)]
    subprocess.run(command, check=True, capture_output=True)


def test_there_is_a_private_way_to_report_a_fault_and_no_invented_address():
    page = ROOT.joinpath("SECURITY.md").read_text("utf-8")
    assert "Report a vulnerability" in page
    assert not re.search(r"\S+@\S+\.\S+|https?://", page)
