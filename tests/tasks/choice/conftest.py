"""Inspect, kept to the folder of a test."""

import pytest

from tests.corpora.conftest import written  # noqa: F401 (a fixture)


@pytest.fixture
def inspecting(tmp_path, monkeypatch):
    """Skips without Inspect; its traces and settings stay in the folder of the test."""
    pytest.importorskip("inspect_ai")
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.delenv("INSPECT_LOG_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "logs"
