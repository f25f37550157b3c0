"""Fixtures of the task that asks questions."""

from tests.tasks.choice.conftest import inspecting, written  # noqa: F401 (fixtures)
