"""Brings the fixtures that behavioural tests use."""

from abalo.pytest_plugin.fixtures import *  # noqa: F403
