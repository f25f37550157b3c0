"""Brings the fixtures that behavioural tests use."""

from functools import partial

import pytest

from abalo.config.options import Options
from abalo.invariances import Hunt
from abalo.pytest_plugin.fixtures import *  # noqa: F403
from tests_behavioral import hunting


def pytest_ignore_collect(config: pytest.Config) -> None:
    """Ends a run without the plugin, which gives each test its cases, before any module is collected."""
    for name in ("abalo", "abalo.pytest_plugin"):
        if config.pluginmanager.is_blocked(name):
            needed = f"tests_behavioral needs the plugin that -p no:{name} blocks; leave -p no:{name} out"
            raise pytest.Collector.CollectError(needed)


@pytest.fixture(scope="session")
def hunt(abalo_options: Options, pytestconfig: pytest.Config) -> Hunt:
    """A search for the smallest edit that breaks an invariance, as hard as ``--abalo-profile`` says."""
    database = pytestconfig.rootpath / ".hypothesis" / "abalo"
    return partial(hunting.hunt, effort=hunting.EFFORTS[abalo_options.profile], database=database)
