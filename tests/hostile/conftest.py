"""Fixtures of the tests of hostile input: files, models, checkpoints and whole projects, as other tests make them."""

import sys

import pytest

from tests.commands.conftest import refused
from tests.corpora.conftest import refusal, rendered, written
from tests.models.conftest import broken_checkpoint, checkpoint, write_module
from tests.plugin.conftest import miniature, project
from tests.recorded import pytester, records

__all__ = [
    "broken_checkpoint",
    "checkpoint",
    "project",
    "pytester",
    "records",
    "refusal",
    "refused",
    "rendered",
    "write_module",
    "written",
]


@pytest.fixture
def here(pytester, monkeypatch):
    """The folder of a project, as the working directory, for commands in this process."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield miniature(pytester).path
    sys.modules.pop("models", None)
