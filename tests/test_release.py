"""The steps of a release: what may be tagged, which corners are tried, where interpreters are found."""

import os
import re
import shutil
import subprocess
import sys
from email.message import Message
from pathlib import Path

import pytest

from release.corners import Corner, corners, interpreters
from release.ready import problems, section

ROOT = Path(__file__).parent.parent

CHANGELOG = """# Changelog

## [Unreleased]

## [1.2.0] - 2026-11-30

### Added

* A task.

## [1.1.0] - 2026-10-01

* Before.

[Unreleased]: https://example.org/compare/v1.2.0...HEAD
[1.2.0]: https://example.org/v1.2.0
"""


@pytest.fixture
def checkout(tmp_path):
    """A checkout that may be released as v1.2.0."""
    for folder in ("abalo", "docs/how-to"):
        tmp_path.joinpath(folder).mkdir(parents=True)
    tmp_path.joinpath("abalo", "version.py").write_text('__version__ = "1.2.0"\n', "utf-8")
    tmp_path.joinpath("CHANGELOG.md").write_text(CHANGELOG, "utf-8")
    tmp_path.joinpath("pyproject.toml").write_text('[project.urls]\nSource = "https://example.org/us/abalo"\n', "utf-8")
    for page in ("docs/how-to/ci.md", "docs/notebook.ipynb", "docs/tutorial.md"):
        tmp_path.joinpath(page).write_text("uses: us/abalo@v1\n", "utf-8")
    return tmp_path


def replace(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_a_checkout_whose_version_and_changelog_are_those_of_the_tag_may_be_released(checkout):
    assert problems("v1.2.0", checkout) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("abalo/version.py", "1.2.0", "1.2.1", "the tag v1.2.0: expected v1.2.1"),
        ("CHANGELOG.md", "## [1.2.0]", "## [1.3.0]", "CHANGELOG.md: has no heading ## [1.2.0] - YYYY-MM-DD"),
        ("CHANGELOG.md", " - 2026-11-30", "", "CHANGELOG.md: ## [1.2.0] : expected the day of the release"),
        ("CHANGELOG.md", "### Added\n\n* A task.\n", "", "CHANGELOG.md: nothing stands below ## [1.2.0]"),
        ("CHANGELOG.md", "## [Unreleased]\n", "## [Unreleased]\n\n* More.\n", "CHANGELOG.md: something stands below"),
        ("CHANGELOG.md", "example.org/v", "example.org/OWNER/v", "CHANGELOG.md: has OWNER, who is nobody"),
        ("pyproject.toml", "/us/", "/OWNER/", "pyproject.toml: has OWNER, who is nobody"),
        ("pyproject.toml", "example.org/us", "OWNER.example.org", "pyproject.toml: has OWNER, who is nobody"),
        ("docs/how-to/ci.md", "us/", "OWNER/", "docs/how-to/ci.md: has OWNER, who is nobody"),
    ],
)
def test_what_is_to_be_done_first_is_said(checkout, file, old, new, problem):
    replace(checkout / file, old, new)
    assert problems("v1.2.0", checkout)[0].startswith(problem)


def test_the_section_of_a_version_ends_where_the_next_begins():
    assert section("1.2.0", CHANGELOG) == ("- 2026-11-30", "### Added\n\n* A task.")
    assert section("1.1.0", CHANGELOG) == ("- 2026-10-01", "* Before.")
    assert section("1.0.0", CHANGELOG) is None


def test_the_command_ends_with_1_and_prints_no_notes_where_something_is_to_be_done():
    asked = [sys.executable, "-m", "release.ready", "v0.0.0"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("the tag v0.0.0: expected v")


def metadata(*pythons, pytest="pytest>=8.4"):
    made = Message()
    made["Classifier"] = "Programming Language :: Python :: 3 :: Only"
    for python in pythons:
        made["Classifier"] = f"Programming Language :: Python :: {python}"
    made["Requires-Dist"] = "pytest-html>=4.1"
    made["Requires-Dist"] = pytest
    made["Requires-Dist"] = "build>=1.2; extra == 'release'"
    return made


def test_the_corners_are_the_oldest_and_the_newest_of_python_and_pytest():
    assert corners(metadata("3.9", "3.10", "3.11")) == (Corner("3.9", "pytest==8.4.*"), Corner("3.11", "pytest"))


@pytest.mark.parametrize("given", [metadata(), metadata("3.11", pytest="pytest")], ids=["no Python", "any pytest"])
def test_a_wheel_that_does_not_name_its_corners_is_refused(given):
    with pytest.raises(ValueError, match="expected classifiers of Python versions and one requirement pytest>="):
        corners(given)


HERE = "{}.{}".format(*sys.version_info)


def test_an_interpreter_is_known_by_what_it_says_not_by_its_name(tmp_path, monkeypatch):
    stub, real = tmp_path / "python3.99", tmp_path / f"python{HERE}"
    stub.write_text("#!/bin/sh\necho not switched on >&2\nexit 127\n", "utf-8")
    real.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', "utf-8")
    for program in (stub, real):
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert interpreters([HERE, "3.99"], None) == {HERE: real}
    assert interpreters([HERE, "3.99"], f"{stub}:{real}:{tmp_path}/none") == {HERE: real}
    assert interpreters(["3.99"], str(real)) == {}


def test_the_script_that_builds_is_bash_that_shellcheck_accepts():
    path = ROOT / "release" / "build.sh"
    subprocess.run(["bash", "-n", str(path)], check=True)
    program = shutil.which("shellcheck")
    if program is None:
        pytest.skip("shellcheck is not installed")
    subprocess.run([program, str(path)], check=True)


def test_distributions_that_are_there_are_never_overwritten(tmp_path):
    old = tmp_path / "abalo-0.0.1.tar.gz"
    old.write_text("", "utf-8")
    built = [str(ROOT / "release" / "build.sh"), str(tmp_path)]
    done = subprocess.run(built, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "has distributions already" in done.stderr
    assert [*tmp_path.iterdir()] == [old]


def test_the_page_about_releases_names_every_step():
    page = ROOT.joinpath("RELEASING.md").read_text("utf-8")
    steps = {path.name for path in ROOT.joinpath("release").iterdir() if path.suffix == ".sh"}
    steps |= {f"release.{path.stem}" for path in ROOT.joinpath("release").glob("*.py") if path.stem != "__init__"}
    assert [step for step in steps if step not in page] == []
    workflow = ROOT.joinpath(".github", "workflows", "release.yml").read_text("utf-8")
    assert re.search(r"environment: (\w+)", workflow)[1] in re.findall(r"environment `(\w+)`", page)
