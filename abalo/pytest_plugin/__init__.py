"""The part of Abalo that pytest loads by itself: options, markers, and the report.

It is a guest in other people's sessions: it imports nothing but options and hooks, prints nothing and brings no
fixture, and the report stays silent until a test marked ``abalo`` is collected. Fixtures come from
`abalo.pytest_plugin.fixtures`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from abalo.pytest_plugin.keys import AFTER, LOSSES, MARKERS, is_ours


def _blocked(config: pytest.Config) -> bool:
    """Whether ``-p no:abalo`` asks for nothing of us; pytest knows the plugin by the name of its module alone."""
    return config.pluginmanager.is_blocked("abalo")


def pytest_addoption(parser: pytest.Parser) -> None:
    """All options are called ``--abalo-…``."""
    from abalo.pytest_plugin.options import add_options

    add_options(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Lets the project be found although our options take values, which pytest could not know earlier."""
    if any(word.startswith("--abalo-") for word in args) and not _blocked(early_config):
        from abalo.pytest_plugin.options import suggest
        from abalo.pytest_plugin.rootdir import mend

        mend(early_config, args)
        suggest(early_config, args)


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker, and the report as a plugin with a state of its own."""
    if _blocked(config):
        return
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


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """A module that ships and lies outside of rootdir, with a node id that a command line takes."""
    if _blocked(parent.config) or not module_path.name.startswith("test_"):
        return None
    from abalo.pytest_plugin.losses import node_of

    node = node_of(parent.config, module_path)
    return None if node is None else pytest.Module.from_parent(parent, path=module_path, nodeid=node)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrises tests of ours by their cases, those of regressions by their records, and those of losses."""
    marks = [name for name in (*MARKERS, LOSSES) if metafunc.definition.get_closest_marker(name) is not None]
    if _blocked(metafunc.config) or not marks:
        return
    from abalo.pytest_plugin import cases, losses

    by_marker = {MARKERS[0]: cases.parametrise, MARKERS[1]: cases.parametrise_regressions, LOSSES: losses.parametrise}
    by_marker[marks[0]](metafunc)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Notes which test comes next."""
    if is_ours(item):
        item.stash[AFTER] = nextitem


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Ends the run with a usage error where the configuration of our tests is wrong.

    Tests that ask for the fixture `judge_template` are ours without being marked.
    """
    if _blocked(config):
        return
    for item in items:
        if "judge_template" in getattr(item, "fixturenames", ()) and not is_ours(item):
            item.add_marker("abalo")
    if any(item.get_closest_marker(LOSSES) for item in items):
        from abalo.pytest_plugin.losses import leave_to_the_end

        leave_to_the_end(config, items)
    if any(map(is_ours, items)):
        from abalo.pytest_plugin.cases import (
            leave_deep_out,
            leave_empty_out,
            leave_to_other_shards,
            leave_unbinding_out,
            most_telling_first,
            refuse_bad_configuration,
        )

        refuse_bad_configuration(config, items)
        leave_empty_out(config, items)
        leave_deep_out(config, items)
        leave_unbinding_out(config, items)
        leave_to_other_shards(config, items)
        most_telling_first(config, items)
