"""Fixtures that several tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from abalo.config.thresholds import Thresholds, load
from abalo.errors import AbaloError

# How hypotheses are tried in all tests: a busy machine is no failure.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


# Tests say themselves that they are in a job of GitHub Actions, where they are about one.
for _name in ("GITHUB_ACTIONS", "GITHUB_SHA"):
    os.environ.pop(_name, None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what takes long, unless ``-m`` says what is to run or a file is named."""
    if config.getoption("markexpr") or any(".py" in each for each in config.args):
        return
    long = [item for item in items if item.get_closest_marker("slow") or item.get_closest_marker("real")]
    items[:] = [item for item in items if item not in long]
    config.hook.pytest_deselected(items=long)


@pytest.fixture
def write(tmp_path):
    """Writes a thresholds file and returns its path."""

    def written(text: str | bytes, name: str = "thresholds.toml") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


def problems(path: Path) -> list[str]:
    """The lines of the error that the file leads to."""
    with pytest.raises(AbaloError) as caught:
        load(path)
    return str(caught.value).splitlines()


def ids(thresholds: Thresholds) -> list[str]:
    """The ids of all cases."""
    return [case.id for case in thresholds.cases]
