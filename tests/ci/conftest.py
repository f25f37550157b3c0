"""A checkout with its origin, and a service behind a fake ``gh``."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.ci.runner import Job, Service, git
from tests.forked import SCRIPTS, Forking

PYTHON = """#!/bin/sh
case "$1 $2 $3" in
  "-P -m abalo") shift 3; exec {folder}/abalo "$@";;
  "-m pytest "*) shift 2; exec {folder}/python-m-pytest "$@";;
  *) exec {python} "$@";;
esac
"""


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
    """An origin with one commit on ``main``, and a clone of it."""
    folder = tmp_path_factory.mktemp("cloned")
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main", "origin")
    git(folder, "-C", "origin", "config", "uploadpack.allowReachableSHA1InWant", "true")
    git(folder, "clone", "--quiet", "origin", "checkout")
    checkout = folder / "checkout"
    checkout.joinpath("README.md").write_text("A model.\n", "utf-8")
    git(checkout, "add", ".")
    git(checkout, "commit", "--quiet", "--message=First")
    git(checkout, "push", "--quiet", "origin", "HEAD:main")
    return folder


@pytest.fixture
def checkout(tmp_path, cloned):
    """A clone of an origin with one commit on ``main``."""
    shutil.copytree(cloned, tmp_path, dirs_exist_ok=True)
    config = tmp_path / "checkout" / ".git" / "config"
    config.write_text(config.read_text("utf-8").replace(str(cloned), str(tmp_path)), "utf-8")
    return tmp_path / "checkout"


@pytest.fixture
def jobs(tmp_path, checkout, service):
    """Makes jobs on the checkout, each with a temporary folder of its own."""
    numbers = iter(range(100))

    def job(**more) -> Job:
        folder = tmp_path / f"job-{next(numbers)}"
        folder.mkdir()
        return Job(checkout, folder, service, **{"sha": git(checkout, "rev-parse", "HEAD"), **more})

    return job
