"""The part of Abalo that pytest loads by itself: options, one marker, and the report.

It is a guest in other people's sessions: it imports no model library, prints nothing and brings no fixture, and the
report stays silent until a test marked ``abalo`` is collected. Fixtures come from `abalo.pytest_plugin.fixtures`.
"""

from __future__ import annotations

import pytest

from abalo.pytest_plugin.options import add_options
from abalo.pytest_plugin.report import Report


def pytest_addoption(parser: pytest.Parser) -> None:
    """All options are called ``--abalo-…``."""
    add_options(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Lets the project be found although our options take values, which pytest could not know earlier."""
    if any(word.startswith("--abalo-") for word in args):
        from abalo.pytest_plugin.rootdir import mend

        mend(early_config, args)


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker, and the report as a plugin with a state of its own."""
    config.addinivalue_line(
        "markers", "abalo(table): one test per case of [[table]] in thresholds.toml, such as abalo('ner.accents')"
    )
    config.addinivalue_line("markers", "deep: a case that takes long; left out unless -m speaks of it, as in -m deep")
    config.addinivalue_line("markers", "abalo_regressions: one test per record of --abalo-regressions FILE")
    config.pluginmanager.register(Report(config), "abalo-report")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrises tests marked ``abalo`` by their cases, and those of regressions by their records."""
    if metafunc.definition.get_closest_marker("abalo") is not None:
        from abalo.pytest_plugin.cases import parametrise

        parametrise(metafunc)
    if metafunc.definition.get_closest_marker("abalo_regressions") is not None:
        from abalo.pytest_plugin.cases import parametrise_regressions

        parametrise_regressions(metafunc)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Ends the run with a usage error where the configuration of our tests is wrong."""
    if any(item.get_closest_marker(name) for item in items for name in ("abalo", "abalo_regressions")):
        from abalo.pytest_plugin.cases import drop_empty, leave_deep_out, refuse_bad_configuration

        refuse_bad_configuration(config, items)
        drop_empty(items)
        leave_deep_out(config, items)
