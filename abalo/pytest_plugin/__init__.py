"""The pytest plugin: options, markers and the report.

It imports only options and hooks, and stays silent until a test marked ``abalo`` is collected, because pytest also
loads it elsewhere. Fixtures are in `abalo.pytest_plugin.scores` and `abalo.pytest_plugin.fixtures`.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from abalo.pytest_plugin.keys import AFTER, LOSSES, MARKERS, STARTED, is_ours


def _is_blocked(config: pytest.Config) -> bool:
    return config.pluginmanager.is_blocked("abalo")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the ``--abalo-…`` options."""
    from abalo.pytest_plugin.options import add_options

    add_options(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Corrects rootdir, found before our options were known."""
    if any(word.startswith("--abalo-") for word in args) and not _is_blocked(early_config):
        from abalo.pytest_plugin.options import suggest
        from abalo.pytest_plugin.rootdir import mend

        mend(early_config, args)
        suggest(early_config, args)


def pytest_configure(config: pytest.Config) -> None:
    """Registers markers and the report."""
    if _is_blocked(config):
        return
    config.stash[STARTED] = time.monotonic()
    from abalo.pytest_plugin import scores
    from abalo.pytest_plugin.losses import keep_dotted, select_tasks
    from abalo.pytest_plugin.report import ReportWriter

    config.addinivalue_line(
        "markers", "abalo(table): one test per case of [[table]] in thresholds.toml, such as abalo('ner.accents')"
    )
    config.addinivalue_line("markers", "deep: a case that takes long; left out unless -m speaks of it, as in -m deep")
    config.addinivalue_line("markers", "abalo_regressions: one test per record of --abalo-regressions FILE")
    config.addinivalue_line("markers", f"{LOSSES}: one test per loss against the accepted run")
    select_tasks(config)
    keep_dotted(config)
    writer = ReportWriter(config)
    config.pluginmanager.register(writer, "abalo-report")
    config.pluginmanager.register(writer.losses, "abalo-losses")
    config.pluginmanager.register(writer.page, "abalo-html-page")
    config.pluginmanager.register(scores, "abalo-scores")


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Gives shipped modules outside rootdir usable node ids."""
    if _is_blocked(parent.config) or not module_path.name.startswith("test_"):
        return None
    from abalo.pytest_plugin.losses import node_of

    node = node_of(parent.config, module_path)
    return None if node is None else pytest.Module.from_parent(parent, path=module_path, nodeid=node)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrises tests by cases, records and losses."""
    marks = [name for name in (*MARKERS, LOSSES) if metafunc.definition.get_closest_marker(name) is not None]
    if _is_blocked(metafunc.config) or not marks:
        return
    from abalo.pytest_plugin import cases, losses

    by_marker = {MARKERS[0]: cases.parametrise, MARKERS[1]: cases.parametrise_regressions, LOSSES: losses.parametrise}
    by_marker[marks[0]](metafunc)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Records the next test."""
    if is_ours(item):
        item.stash[AFTER] = nextitem


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Stops with a usage error if our tests' configuration is invalid."""
    if _is_blocked(config):
        return
    for item in items:
        if "judge_template" in getattr(item, "fixturenames", ()) and not is_ours(item):
            item.add_marker("abalo")
    if any(item.get_closest_marker(LOSSES) for item in items):
        from abalo.pytest_plugin.losses import leave_to_the_end

        leave_to_the_end(config, items)
    if any(map(is_ours, items)):
        from abalo.pytest_plugin.cases import select

        select(config, items)
