"""Losses against the accepted run as tests, reported after all others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from abalo.comparison.document.node_names import FUNCTION, MODULE, TESTS
from abalo.pytest_plugin.html_page import untyped
from abalo.pytest_plugin.keys import LOSSES, NOTHING_HERE, is_ours, leave_out

if TYPE_CHECKING:
    from abalo.comparison.document.loss_tests import LossTest
    from abalo.core.documents.document import Document

LOSS = "loss"

_LAST_FAILED = "cache/lastfailed"


# Collecting ----------------------------------------------------------------------------------------------------------


def select_tasks(config: pytest.Config) -> None:
    """Adds the task folder of each selected loss, which needs all its cases."""
    for argument in list(config.args):
        place, _, name = argument.partition("::")
        task = _task_of(name)
        if Path(place).name == f"{MODULE}.py" and _is_shipped(Path(config.invocation_params.dir, place)):
            folder = str(Path(place).parent / task)
        elif place == f"{TESTS}.{MODULE}":
            folder = f"{TESTS}.{task}".rstrip(".")
        else:
            continue
        if folder not in config.args:
            config.args.append(folder)


def _task_of(name: str) -> str:
    return name.removeprefix(f"{FUNCTION}[").partition("/")[0] if name.startswith(f"{FUNCTION}[") else ""


def parametrise(metafunc: pytest.Metafunc) -> None:
    """One test per possible loss; none without a reference."""
    if LOSS in metafunc.fixturenames:
        params = [pytest.param(name, marks=marks) for name, marks in _possible(metafunc.config)]
        metafunc.parametrize(LOSS, params, ids=[str(param.values[0]) for param in params])


def _possible(config: pytest.Config) -> Iterator[tuple[str, Sequence[pytest.MarkDecorator]]]:
    from abalo.comparison.document.loss_tests import LABELS, MEAN
    from abalo.comparison.test.family import TYPES
    from abalo.comparison.test.label_losses import label_metric
    from abalo.core.statistics.plan import BASELINE
    from abalo.pytest_plugin.cases import configuration

    found = configuration(config)
    if found.reference is None or found.thresholds is None:
        return
    known, evidence = found.reference.run.document.tasks, found.reference.run.evidence
    for task in (task for task in found.tasks if task.name in known):
        for name in (BASELINE, MEAN, LABELS, *([] if label_metric(task) is None else [TYPES])):
            yield f"{task.name}/{name}", ()
        for case in found.thresholds.cases:
            compared = case.probe.compared_by(task) is not None or case.max_losses
            judged = compared and case.id in evidence and found.thresholds.skipped(case) is None
            if case.task == task.name and case.name != BASELINE and judged:
                yield case.id, [pytest.mark.deep] * case.deep


def leave_to_the_end(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Removes loss tests, which are reported at the end; selected ones do not count as deselected."""
    listed = bool(config.getoption("collectonly"))
    losses = [item for item in items if item.get_closest_marker(LOSSES) is not None]
    left_out = [item for item in losses if not listed or not _is_shown(item)]
    chosen = [item for item in left_out if _is_shown(item)]
    leave_out(config, items, [item for item in left_out if item not in chosen], NOTHING_HERE)
    if chosen and not any(map(is_ours, items)) and not hasattr(config, "workerinput"):
        raise pytest.UsageError(
            f"{chosen[0].nodeid}: is a loss, and no case is selected; a loss is judged with the cases of its task: "
            "give its id without -k, or select its case"
        )
    items[:] = [item for item in items if item not in chosen]


def _is_shown(item: pytest.Item) -> bool:
    given: Mapping[str, object] = getattr(getattr(item, "callspec", None), "params", {})
    deep = item.get_closest_marker("deep") is not None and "deep" not in item.config.getoption("markexpr")
    return isinstance(given.get(LOSS), str) and not deep


# Node ids ------------------------------------------------------------------------------------------------------------


def node_of(config: pytest.Config, path: Path) -> str | None:
    """The dotted node id of a shipped module outside rootdir, or None."""
    folder = None if path.is_relative_to(config.rootpath) else _shipped_tests()
    if folder is None or not path.is_relative_to(folder):
        return None
    return ".".join(path.relative_to(folder.parent).with_suffix("").parts)


def keep_dotted(config: pytest.Config) -> None:
    """Shows dotted ids unchanged."""
    relative = config.cwd_relative_nodeid

    def shown(nodeid: Any) -> Any:  # a string before pytest 9.2
        return nodeid if str(nodeid).startswith(f"{TESTS}.") else relative(nodeid)

    config.cwd_relative_nodeid = shown  # type: ignore[method-assign]


def _shipped_tests() -> Path | None:
    found = find_spec(TESTS)
    return None if found is None or found.origin is None else Path(found.origin).parent


def _is_shipped(path: Path) -> bool:
    folder = _shipped_tests()
    return folder is not None and path.resolve() == (folder / path.name).resolve()


def _module(config: pytest.Config) -> str:
    folder = _shipped_tests()
    if folder is None or not folder.is_relative_to(config.rootpath):
        return f"{TESTS}.{MODULE}"
    return (folder / f"{MODULE}.py").relative_to(config.rootpath).as_posix()


# Reporting -----------------------------------------------------------------------------------------------------------


class Losses:
    """Reports losses as tests, and records the cases that ``--lf`` needs.

    Runs in the only process or xdist's controller.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._told: dict[str, LossTest] = {}
        self._ran: dict[str, set[str]] = {}

    def ran(self, node: str, case: str) -> None:
        """Records the test of a case."""
        self._ran.setdefault(case.partition("/")[0], set()).add(node)

    def report(self, session: pytest.Session, document: Document, records: Iterable[str]) -> None:
        """Sends setup, call and teardown reports for each loss; ``records`` are lines of examples.jsonl."""
        from abalo.comparison.blocks.newly_broken import with_records
        from abalo.comparison.document.loss_tests import loss_tests

        module = _module(self._config)
        self._told = {f"{module}::{test.name}": test for test in loss_tests(document.comparison)}
        shown = with_records(document, records)
        session.testscollected += len(self._told)
        terminal: Any = self._config.pluginmanager.get_plugin("terminalreporter")
        if self._told and terminal is not None and self._config.pluginmanager.hasplugin("dsession"):
            terminal.write_line("")  # ends the line of the workers
        elif self._told and terminal is not None:
            terminal.ensure_newline()
        most, self._config.option.maxfail = self._config.option.maxfail, 0  # nothing is left to be stopped
        for node, test in self._told.items():
            self._report(node, test, shown)
        self._config.option.maxfail = most

    def _report(self, node: str, test: LossTest, document: Document) -> None:
        hook = self._config.hook
        location = (node.partition("::")[0], 0, test.name)
        hook.pytest_runtest_logstart(nodeid=node, location=location)
        for when in ("setup", "call", "teardown"):
            report = pytest.TestReport(node, location, {}, "passed", None, when)
            if when == "call":
                _decide(report, test, self._message(test, document))
            hook.pytest_runtest_logreport(report=report)
        hook.pytest_runtest_logfinish(nodeid=node, location=location)

    def _message(self, test: LossTest, document: Document) -> str:
        from abalo.reporting.formats.failure import failed_loss

        reports = Path(self._config.getoption("abalo_reports"))
        return failed_loss(test, document, reports) if test.outcome == "failed" else test.message

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Lets ``--lf`` select a task until its losses are resolved."""
        cache = getattr(self._config, "cache", None)
        if cache is None or not self._told or hasattr(self._config, "workerinput"):
            return
        before: Mapping[str, bool] = cache.get(_LAST_FAILED, {})
        open_still = [node for node in before if self._is_open(node)]
        lost = {_task_of(node.partition("::")[2]) for node in open_still}
        again = {node for task in lost for node in self._ran.get(task, ())}
        kept = [node for node in before if not _is_loss(node) or node in open_still]
        after = dict.fromkeys([*kept, *sorted(again)], True)
        if after != before:
            cache.set(_LAST_FAILED, after)

    def _is_open(self, node: str) -> bool:
        from abalo.comparison.document.loss_tests import MEAN
        from abalo.comparison.test.family import TYPES
        from abalo.pytest_plugin.cases import configuration

        if not _is_loss(node) or node in self._told:
            return node in self._told and self._told[node].outcome == "failed"
        thresholds, name = configuration(self._config).thresholds, node.partition("[")[2].removesuffix("]")
        known = {case.id for case in thresholds.cases} if thresholds is not None else set()
        return name in known or name.partition("/")[2] in (MEAN, TYPES)


def _decide(report: pytest.TestReport, test: LossTest, message: str) -> None:
    from abalo.pytest_plugin.sent import Sent

    if test.outcome == "failed":
        try:
            pytest.fail(message, pytrace=False)
        except pytest.fail.Exception:
            report.longrepr = pytest.ExceptionInfo.from_current().getrepr(style="value")
        report.outcome = "failed"
    elif test.outcome in ("undecided", "skipped"):
        report.outcome = "skipped"
        report.longrepr = (report.location[0], 0, message)
    status = test.outcome if test.outcome in ("undecided", "fail, not blocking") else None
    untyped(report).abalo_loss = Sent(status=status)


def _is_loss(node: str) -> bool:
    place, _, name = node.partition("::")
    return place.removesuffix(".py").replace("/", ".").endswith(MODULE) and _task_of(name) != ""
