"""A checkout with its origin, and a service behind a fake ``gh``."""

import shutil

import pytest

from tests.ci.runner import Job, Service, git


@pytest.fixture
def service(tmp_path):
    if shutil.which("jq") is None:
        pytest.skip("the fake gh needs jq, as gh has it built in")
    return Service(tmp_path / "bin")


@pytest.fixture
def checkout(tmp_path):
    """A clone of an origin with one commit on ``main``."""
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", "origin")
    git(tmp_path, "-C", "origin", "config", "uploadpack.allowReachableSHA1InWant", "true")
    git(tmp_path, "clone", "--quiet", "origin", "checkout")
    folder = tmp_path / "checkout"
    folder.joinpath("README.md").write_text("A model.\n", "utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message=First")
    git(folder, "push", "--quiet", "origin", "HEAD:main")
    return folder


@pytest.fixture
def jobs(tmp_path, checkout, service):
    """Makes jobs on the checkout, each with a temporary folder of its own."""
    numbers = iter(range(100))

    def job(**more) -> Job:
        folder = tmp_path / f"job-{next(numbers)}"
        folder.mkdir()
        return Job(checkout, folder, service, **{"sha": git(checkout, "rev-parse", "HEAD"), **more})

    return job
