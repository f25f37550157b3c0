"""A checkout with its origin, and a service behind a fake ``gh``."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.ci.runner import Job, Service, head, shell
from tests.forked import SCRIPTS, Forking

PYTHON = """#!/bin/sh
case "$1 $2 $3" in
  "-P -m abalo") shift 3; exec {folder}/abalo "$@";;
  "-m pytest "*) shift 2; exec {folder}/python-m-pytest "$@";;
  *) exec {python} "$@";;
esac
"""

CLONED = """
git init --quiet --bare --initial-branch=main origin
git -C origin config uploadpack.allowReachableSHA1InWant true
git clone --quiet origin checkout
cd checkout
echo "A model." >README.md
git add .
git commit --quiet --message=First
for number in 1 2 3; do
  git commit --quiet --allow-empty --message=$number
  git rev-parse HEAD
done
git push --quiet origin HEAD:main
"""


def configured(checkout: Path, old: str, new: str) -> None:
    """Replaces a value in the configuration of a checkout."""
    config = checkout / ".git" / "config"
    config.write_text(config.read_text("utf-8").replace(old, new), "utf-8")


def forked(folder: Path, forks: Forking) -> Path:
    """The folder with ``abalo``, ``pytest`` and a ``python`` that runs both, all in forks."""
    forks.programs(folder, **SCRIPTS, **{"python-m-pytest": "pytest"})
    folder.joinpath("python").write_text(PYTHON.format(folder=folder, python=sys.executable), "utf-8")
    folder.joinpath("python").chmod(0o755)
    return folder


@pytest.fixture
def service(tmp_path, forks):
    """The service; commands of ``abalo`` and pytest are forks."""
    if shutil.which("jq") is None:
        pytest.skip("the fake gh needs jq, as gh has it built in")
    return Service(forked(tmp_path / "bin", forks))


@pytest.fixture(scope="session")
def cloned(tmp_path_factory):
    """An origin with four commits on ``main``, a clone of it, and the last three commits, oldest first."""
    folder = tmp_path_factory.mktemp("cloned")
    return folder, shell(folder, CLONED).split()


@pytest.fixture
def checkout(tmp_path, cloned):
    """A clone of an origin with four commits on ``main``."""
    shutil.copytree(cloned[0], tmp_path, dirs_exist_ok=True)
    configured(tmp_path / "checkout", str(cloned[0]), str(tmp_path))
    return tmp_path / "checkout"


@pytest.fixture
def commits(checkout, cloned):
    """The last three commits, oldest first; the last is checked out."""
    return cloned[1]


@pytest.fixture
def jobs(tmp_path, checkout, service):
    """Makes jobs on the checkout, each with a temporary folder of its own."""
    numbers = iter(range(100))

    def job(**more) -> Job:
        folder = tmp_path / f"job-{next(numbers)}"
        folder.mkdir()
        return Job(checkout, folder, service, **{"sha": head(checkout), **more})

    return job
