"""A checkout with its origin, and a service behind a fake ``gh``."""

import shutil
import sys

import pytest

from tests.ci.runner import Job, Service, git
from tests.forked import SCRIPTS, forks

__all__ = ["forks"]


PYTHON = """#!/bin/sh
case "$1 $2 $3" in
  "-P -m abalo") shift 3; exec {forked}/abalo "$@";;
  "-m pytest "*) shift 2; exec {forked}/pytest "$@";;
  *) exec {python} "$@";;
esac
"""


@pytest.fixture
def service(tmp_path, forks):
    """The service; its folder has a ``python``, too, whose commands of ``abalo`` and pytest are forks."""
    if shutil.which("jq") is None:
        pytest.skip("the fake gh needs jq, as gh has it built in")
    forked = forks.programs(tmp_path / "forked", abalo=SCRIPTS["abalo"], pytest="pytest")
    program = tmp_path / "bin" / "python"
    program.parent.mkdir()
    program.write_text(PYTHON.format(forked=forked, python=sys.executable), "utf-8")
    program.chmod(0o755)
    return Service(program.parent)


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
