"""Collects results from all processes and writes the reports."""

from __future__ import annotations

import shutil
import signal
import tempfile
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from abalo.errors import AbaloError, redacted, visible_lines
from abalo.pytest_plugin.html_page import HtmlPage, sent_in, status_of, untyped
from abalo.pytest_plugin.keys import CONFIGURATION, DEAL, LEFT_OUT, PAYLOAD, STORE, UNUSABLE, is_ours
from abalo.pytest_plugin.losses import Losses

if TYPE_CHECKING:
    from abalo.config.dealing import Deal
    from abalo.core.documents.document import Document
    from abalo.core.documents.found import Result
    from abalo.core.records.example import JsonObject
    from abalo.core.records.json_records import Json
    from abalo.run.reports import RunReports

_WITHHELD = "the message may quote the corpus, so --abalo-no-text withholds it; run again without to read it"

_NARROW = 80
"""Columns that a narrower terminal wraps."""

_LEFT = "fail, left to merge"

_SENT = ("abalo", "abalo_regression")

_SHORT = {"measured": "m", "undecided": "u", "fail, not blocking": "n", _LEFT: "f"}


class ReportWriter:
    """Collects results and writes reports; silent until a test of ours appears."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.page = HtmlPage(config, self._folder())
        self.losses = Losses(config)
        self.ours = False
        self.problem: str | None = None
        self.folders: set[str] = set()
        self.stayed: str | None = None
        self.document: Document | None = None
        self.cases: dict[str, str] = {}
        self.deal: Deal | None = None
        self._deselected = 0
        self._stays_out = False
        self._unusable = False
        self._exit_code: Callable[[], int] = lambda: pytest.ExitCode.OK
        self._store: str | None = None
        if self._is_worker:
            config.stash[STORE] = untyped(config).workerinput["abalo_store"]

    @cached_property
    def reports(self) -> RunReports:
        """The findings of the run and their folder."""
        from abalo.pytest_plugin.sent import records_of
        from abalo.run.reports import RunReports

        option, failures = self.config.getoption, self.config.getoption("abalo_save_failures")
        return RunReports(
            self._folder(),
            records_of(self.config),
            with_text=not option("abalo_no_text"),
            latex=option("abalo_latex"),
            resume=option("abalo_resume"),
            failures=None if failures is None else self.config.invocation_params.dir / failures,
            selection=self._selection(),
            shown=str(option("abalo_reports")),
        )

    @property
    def _is_worker(self) -> bool:
        return hasattr(self.config, "workerinput")

    # xdist: a folder for the workers, and their complaints -----------------------------------------------------------

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Gives workers a shared folder for clean predictions."""
        if self._store is None:
            self._store = tempfile.mkdtemp(prefix="abalo-")
        node.workerinput["abalo_store"] = self._store

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Raises what a worker could not raise."""
        found = getattr(node, "workeroutput", {})
        self.problem = self.problem or found.get("abalo_problem")
        self._unusable |= found.get("abalo_unusable", False)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self) -> None:
        """Begins the reports for workers with our tests."""
        from abalo.pytest_plugin.collected import read_note

        found = read_note(Path(self._store)) if self._store is not None else None
        if found is not None and not self.ours:
            from abalo.pytest_plugin.progress import tell

            self._wake()
            self.reports.expected, self.cases, self.deal = found.expected, dict(found.cases), found.deal
            self.reports.selected = {*self.cases.values()}
            self._begin()
            tell(self.config, found.said)

    def pytest_unconfigure(self) -> None:
        if self._store is not None:
            shutil.rmtree(self._store, ignore_errors=True)
        if "reports" in vars(self):
            self.reports.release()

    # Collecting ------------------------------------------------------------------------------------------------------

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        ours = [item for item in session.items if item.get_closest_marker("abalo")]
        if any(item.get_closest_marker("abalo_regressions") for item in session.items):
            self._wake()
        if ours:
            from abalo.pytest_plugin.cases import awaited_cases, case_of

            self._wake()
            self.reports.expected = list(awaited_cases(ours))
            self.reports.selected = {case.id for item in ours if (case := case_of(item)) is not None}
        if DEAL in self.config.stash:  # also where all tests were dealt to other shards
            self._wake()
            self.deal = self.config.stash[DEAL]
        self._stays_out = not self._runs(session)
        if not self.ours or self._stays_out:
            return
        if self._is_worker:
            self._leave_note(session.items)
        else:
            self._begin()

    def _runs(self, session: pytest.Session) -> bool:
        goes_on = not session.testsfailed or self.config.getoption("continue_on_collection_errors")
        return bool(goes_on) and not self.config.getoption("collectonly") and self._own_problem() is None

    def _leave_note(self, items: list[pytest.Item]) -> None:
        from abalo.pytest_plugin.cases import case_of
        from abalo.pytest_plugin.collected import Collected, leave

        ours = {item.nodeid: case_of(item) for item in items if is_ours(item)}
        cases = {name: name if case is None else case.id for name, case in ours.items()}
        said = self._said(items) or ""
        leave(Collected(self.reports.expected, cases, self.deal, said), Path(self.config.stash[STORE]))

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        self._deselected += len(items)

    def pytest_report_collectionfinish(self, items: list[pytest.Item]) -> list[str]:
        said = None if self.config.getoption("collectonly") else self._said(items)
        return (
            [] if said is None else [f"abalo: {line}" for line in (said, self._left_out(), *self._idle(items)) if line]
        )

    def _idle(self, items: Sequence[pytest.Item]) -> list[str]:
        from abalo.core.records.words import count
        from abalo.pytest_plugin.cases import case_of, configuration

        thresholds = configuration(self.config).thresholds
        if thresholds is None:
            return []
        cases = [case for item in items if is_ours(item) and (case := case_of(item)) is not None]
        counts, idle = Counter(case.task for case in cases), thresholds.idle
        found = [f"{count(counts[task], 'case')} skipped: {why}" for task, why in idle.items() if counts[task]]
        lacking = {case.id: thresholds.skipped(case) for case in cases if case.task not in idle}
        if all(lacking.values()):
            found += [f"{each} skipped: {why}" for each, why in lacking.items()]
        return found

    def _left_out(self) -> str:
        ours = self.config.stash.get(LEFT_OUT, {})
        others = self._deselected - sum(ours.values())
        counts = {**ours, "by options such as -k and -m": others} if others else ours
        told = [f"{n} {why}" for why, n in sorted(counts.items(), key=lambda each: -each[1])]
        return f"{self._deselected} deselected: {'; '.join(told)}" if ours else ""

    def _said(self, items: Sequence[pytest.Item]) -> str | None:
        if not any(map(is_ours, items)):
            return None
        from abalo.config.run_table import run_line
        from abalo.pytest_plugin.cases import configuration

        found = configuration(self.config)
        return None if found.options is None else run_line(found.options, found.tasks)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if not is_ours(item):
            return report
        from abalo.pytest_plugin.cases import case_of
        from abalo.pytest_plugin.sent import Sent

        if self.config.getoption("abalo_no_text"):
            report.sections.clear()  # what a model prints may be what it read
            for entry in getattr(getattr(report.longrepr, "reprtraceback", None), "reprentries", ()):
                entry.reprfuncargs = None  # pytest 8 prints the arguments of a test, such as a regression
            if report.failed and (report.when != "call" or PAYLOAD not in item.stash):
                report.longrepr = f"{call.excinfo.typename if call.excinfo else 'error'}: {_WITHHELD}"
        report.sections = [(name, redacted(text)) for name, text in report.sections]
        if report.failed and (said := redacted(report.longreprtext)) != report.longreprtext:
            report.longrepr = said
        found = item.stash.get(PAYLOAD, None) if report.when == "call" else None
        if item.get_closest_marker("abalo_regressions") is not None:
            if found is not None:
                untyped(report).abalo_regression = replace(found, status=self._left_to_merge(report))
        else:
            case, found = case_of(item), found or Sent()
            name = found.id or (case.id if case else None)
            status = self._status(item, report, found.results[0]) if found.results else None
            place = str(item.path.parent)
            found = replace(found, id=name, expected=self.reports.expected, folder=place, status=status)
            untyped(report).abalo = found
            if report.failed and found.results:
                _begin_with_number(report, found.results[0])
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_report_to_serializable(self) -> Generator[None, Json | None, Json | None]:
        """Sends what a test found as plain values."""
        data = yield
        found = [name for name in _SENT if data is not None and data.get(name) is not None]
        if data is None or not found:
            return data
        from abalo.core.records.json_records import as_json

        return {**data, **{name: as_json(data[name]) for name in found}}

    @pytest.hookimpl(wrapper=True)
    def pytest_report_from_serializable(self, data: Json) -> Generator[None, Any, Any]:
        """Reads what the test of a worker found."""
        report = yield
        for name in _SENT:
            if data.get(name) is not None:
                from abalo.core.records.json_records import read
                from abalo.pytest_plugin.sent import Sent

                setattr(report, name, read(Sent, data[name]))
        return report

    @pytest.hookimpl(tryfirst=True)  # before the terminal, and xdist in a worker, take it
    def pytest_warning_recorded(self, warning_message: warnings.WarningMessage, when: str) -> None:
        """Hides secrets, and texts in a run without: models raise warnings in threads of unrelated tests."""
        if when == "runtest" and self.config.getoption("abalo_no_text"):
            warning_message.message, warning_message.line = UserWarning(_WITHHELD), ""
        elif (told := redacted(said := str(warning_message.message))) != said:
            warning_message.message, warning_message.line = UserWarning(told), ""

    def _status(self, item: pytest.Item, report: pytest.TestReport, result: Result) -> str | None:
        found = _status(item, report, result)
        return found or (self._left_to_merge(report) if result.verdict == "fail" and result.blocking else None)

    def _left_to_merge(self, report: pytest.TestReport) -> str | None:
        if self.deal is None or not report.failed:
            return None
        report.outcome, report.longrepr = "passed", None
        return _LEFT

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        retried, found = sent_in(report, "abalo_regression"), sent_in(report)
        if retried is not None:
            self._wake()
            self.reports.add_facts(retried.facts or {})
            self.reports.regressions += [retried.regression] if retried.regression else []
        if found is None:
            if report.failed and retried is None and report.nodeid in self.cases:  # its worker may have died
                self.reports.add_error(self.cases[report.nodeid], report.longreprtext)
            return
        self._wake()
        if report.when == "call" and found.id is not None:
            self.losses.ran(report.nodeid, found.id)
        self._know(found.folder)
        self.reports.expected = self.reports.expected or found.expected
        if found.facts is not None:
            self.reports.add_measured(found.facts)
        if found.results and found.id is not None:
            self.reports.add(found.id, found.results)
            self.page.add_detail(report, found.results, self.reports.facts)
        elif report.failed:
            self.reports.add_error(str(found.id or report.nodeid), report.longreprtext)

    def _wake(self) -> None:
        if not self.ours:
            self.ours = True
            self.page.begin()

    def _know(self, folder: str) -> None:
        """Imports each conftest.py from the root to a test's folder, since it may register the task of the test."""
        manager, option = untyped(self.config.pluginmanager), self.config.getoption
        # Only a controller of workers has not imported them. Another pytest has no such method; there, register in the
        # conftest.py of the root.
        if folder not in self.folders and manager.hasplugin("dsession") and hasattr(manager, "_loadconftestmodules"):
            namespaces = self.config.getini("consider_namespace_packages")
            root = self.config.rootpath
            manager._loadconftestmodules(
                Path(folder), option("importmode"), root, consider_namespace_packages=namespaces
            )
        self.folders.add(folder)

    def pytest_report_teststatus(
        self, report: pytest.TestReport
    ) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
        status = status_of(report)
        return (status, _SHORT[status], (status.upper(), {"yellow": True})) if status else None

    # Writing ---------------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        self._exit_code = lambda: session.exitstatus
        if self._is_worker:
            self._leave_problem()
            return
        self.problem = self.problem or self._own_problem()
        if self.problem is not None:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
        if self.problem is not None or self._stays_out or not self.ours:
            return
        self.problem = self._kept_out()  # held since the run began, unless workers could leave no note
        if self.problem is not None:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
            return
        if self.deal is not None and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = exitstatus = pytest.ExitCode.OK  # all was dealt to other shards
        if self._has_stopped(session, exitstatus):
            session.exitstatus = exitstatus = pytest.ExitCode.TESTS_FAILED
        reports = self.reports
        if reports.replaced and self._is_unusable() and not reports.facts:
            self._restore()
            return
        self.document = self.page.document = self._written(exitstatus)
        self.losses.report(session, self.document, reports.lines or ())
        reports.clear(self.document)
        if exitstatus == pytest.ExitCode.OK and self.deal is None:
            from abalo.reporting.documents.conclusion import conclude

            session.exitstatus = conclude(self.document).exit_code
        if reports.unwritten is not None and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def _has_stopped(self, session: pytest.Session, exitstatus: int) -> bool:
        most = self.config.getoption("maxfail")
        ended = self._is_unusable() or (most and session.testsfailed >= most)
        return bool(ended) and exitstatus == pytest.ExitCode.INTERRUPTED

    def _is_unusable(self) -> bool:
        return self._unusable or self.config.stash.get(UNUSABLE, False)

    def _restore(self) -> None:
        shown = self.config.getoption("abalo_reports")
        try:
            self.reports.restore()
            kept = "keeps the report of an earlier run, which abalo verdict refuses"
            self.stayed = f"reports: no case ran, so {shown} {kept}"
        except AbaloError as error:
            self.stayed = f"reports: no case ran, and the report of an earlier run could not be restored: {error}"

    def _begin(self) -> None:
        """Marks the report as unfinished, in case the run is killed."""
        reason = self._kept_out() or self._of_another_shard() or self._same_page() or self._written_as_begun()
        if reason is not None:
            self._stays_out = True
            raise pytest.UsageError(visible_lines(reason))
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, signal.default_int_handler)

    def _same_page(self) -> str | None:
        from abalo.reporting.formats.report_format import PAGE_NAME

        asked = self.config.getoption("htmlpath", None)
        report = self._folder() / PAGE_NAME
        if asked is None or Path(self.config.invocation_params.dir, asked).resolve() != report.resolve():
            return None
        self.page.withdraw()
        other = report.with_name("pytest.html")
        return f"--html {asked}: Abalo writes its report there; choose another name, such as {other}"

    def _kept_out(self) -> str | None:
        from abalo.locking import InUseError

        try:
            self.reports.hold()
        except InUseError as error:
            return str(error)
        return None

    def _of_another_shard(self) -> str | None:
        if self.deal is None:
            return None
        from abalo.pytest_plugin.cases import configuration
        from abalo.reporting.runs.shards import check_own

        options = configuration(self.config).options
        try:
            if options is not None and options.shard is not None:
                check_own(self._folder(), options.shard)
        except AbaloError as error:
            return str(error)
        return None

    def _leave_problem(self) -> None:
        output = untyped(self.config).workeroutput
        output["abalo_problem"] = self._own_problem()
        output["abalo_unusable"] = self.config.stash.get(UNUSABLE, False)

    def _own_problem(self) -> str | None:
        found = self.config.stash.get(CONFIGURATION, None)
        return found.problem if found is not None else None

    def _written_as_begun(self) -> str | None:
        try:
            self.reports.begin(self._shard_facts(None))
        except AbaloError as error:
            return str(error)
        return None

    def _written(self, exit_code: int) -> Document:
        from abalo.pytest_plugin.cases import configuration

        complete = exit_code in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) and self.deal is None
        by, reference = None, None  # before the tests of workers are known, perhaps no thresholds can be read
        if complete:
            by, reference = configuration(self.config).thresholds, configuration(self.config).reference
        facts = self._shard_facts(exit_code)
        return self.reports.write(facts, complete=complete, thresholds=by, reference=reference)

    def _selection(self) -> dict[str, list[str]]:
        from abalo.reporting.runs.accepting import EVERY_TEST

        option = self.config.option
        words = ["--pyargs"] * bool(option.pyargs) + list(option.file_or_dir)
        for flag, value in (("-k", option.keyword), ("-m", option.markexpr)):
            words += [flag, value] if value else []
        for node in option.deselect or ():
            words += ["--deselect", node]
        return {} if tuple(words) == EVERY_TEST else {"selection": words}

    def _shard_facts(self, exit_code: int | None) -> JsonObject:
        if self.deal is None:
            return {}
        from abalo.pytest_plugin.cases import configuration
        from abalo.reporting.runs.shards import shard_facts

        found = configuration(self.config)
        if found.options is None or found.thresholds is None:
            return {}
        return shard_facts(found.options, self.deal, found.thresholds, found.reference, exit_code)

    def _exit_in_words(self) -> str:
        from abalo.core.records.gate import UNDECIDED

        code = int(self._exit_code())
        nothing = self.document is not None and self.document.verdict == "measured" and code == UNDECIDED
        return f"{code}, since no bound and no reference decides" if nothing else str(code)

    def _folder(self) -> Path:
        return self.config.invocation_params.dir / str(self.config.getoption("abalo_reports"))

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.problem is not None and self.config.pluginmanager.hasplugin("dsession"):  # else pytest tells it
            terminalreporter.write_line(f"ERROR: {visible_lines(self.problem)}", red=True)
        if self.stayed is not None:
            terminalreporter.write_line(visible_lines(self.stayed))
        if self.document:
            from abalo.reporting.formats.report_format import name_reports
            from abalo.reporting.formats.terminal import lines

            terminalreporter.section("robustness")
            legend = self._legend(terminalreporter.stats)
            if legend:
                terminalreporter.write_line(legend)
            full, width = self.config.get_verbosity() > 0, terminalreporter._tw.fullwidth
            more = f"-v, or {Path(self.config.getoption('abalo_reports')) / 'report.html'}"
            for line, colour in lines(self.document, full=full, width=max(width, _NARROW), more=more):
                terminalreporter.write_line(line, **({colour: True} if colour else {}))
        if self.document and self.reports.unwritten is not None:
            terminalreporter.write_line(f"ERROR: {visible_lines(self.reports.unwritten)}", red=True)
        elif self.document:
            reports = Path(self.config.getoption("abalo_reports"))
            written = name_reports(reports, with_latex=self.config.getoption("abalo_latex"))
            told = f"reports: {written}; exit code {self._exit_in_words()}"
            terminalreporter.write_line(visible_lines(told))
            if self.deal is not None:
                terminalreporter.write_line(visible_lines(f"judge all shards with: abalo merge {reports} … --out DIR"))
        designed = any(map(self.config.getoption, ("abalo_budget", "abalo_design")))  # is run again as a whole
        if self.document and self.document.missing and self.reports.finished and not designed:
            from abalo.core.records.words import count

            kept = count(self.reports.finished, "case is", "cases are")
            terminalreporter.write_line(f"to go on: the same command with --abalo-resume; {kept} finished")
        if self.document and self.config.getoption("abalo_no_text"):
            for name in self._texts_kept():
                own = "it is your own, of --abalo-save-failures; remove it if no text may stay"
                terminalreporter.write_line(visible_lines(f"note: {name} holds sentences and stays: {own}"))
        if self.document and self.reports.saved is not None:
            terminalreporter.write_line(
                visible_lines(f"{self.reports.saved} new failures in {self.config.getoption('abalo_save_failures')}")
            )

    def _legend(self, found: Mapping[str, object]) -> str:
        if self.config.get_verbosity() > 0:  # which shows words
            return ""
        letters = _SHORT | {"skipped": "s"}
        shown = ((letter, status) for status, letter in letters.items() if found.get(status))
        return " · ".join(f"{letter} {status.replace('fail,', 'failed,')}" for letter, status in shown)

    def _texts_kept(self) -> list[str]:
        from abalo.reporting.documents.quoting import quoting_but_kept

        shown = Path(self.config.getoption("abalo_reports"))
        return [str(shown / path.name) for path in quoting_but_kept(self._folder())]


def _status(item: pytest.Item, report: pytest.TestReport, result: Result) -> str | None:
    from abalo.core.protocols.task import tasks

    for name in dict.fromkeys((tasks()[result.task].floor, result.headline)):
        measured = result.metrics.get(name)
        if measured is not None:
            item.user_properties.append((name, round(measured.value or 0.0, 6)))
    item.user_properties.append(("verdict", str(result.verdict)))
    if report.passed and result.verdict in (None, "inconclusive"):
        from abalo.capabilities.facts import foreign
        from abalo.core.protocols.results import outcome

        report.outcome = "skipped"
        impossible = result.verdict is None and result.reason
        said = (
            f"cannot happen here: {result.reason}"
            if impossible
            else foreign(result) or result.reason or outcome(result)
        )
        report.longrepr = (str(item.path), 0, said)
        return None if impossible or foreign(result) else "measured" if result.verdict is None else "undecided"
    return "fail, not blocking" if report.passed and result.verdict == "fail" else None


def _begin_with_number(report: pytest.TestReport, result: Result) -> None:
    """Lets pytest's short summary, which it cuts to the terminal, begin with the failed number and its bound."""
    from abalo.core.protocols.results import beyond, deciding

    crash, failed = getattr(report.longrepr, "reprcrash", None), deciding(result)
    if crash is not None and result.verdict == "fail" and failed:
        crash.message = f"{beyond(failed[0], result)}: {crash.message.removeprefix('Failed: ')}"
