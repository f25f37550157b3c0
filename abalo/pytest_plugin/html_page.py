"""The page of pytest-html, where there is one: our columns, the inside of our rows, the verdict above the table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

_COLLAPSED = "passed"
"""The rows that pytest-html shows closed unless its configuration says otherwise; ours that are undecided are, too."""


class HtmlPage:
    """Adds to the page once `begin` says that tests of ours are there; until then it is that of somebody else.

    ``folder`` is that of the reports. ``document`` is that of the run, once it has ended.
    """

    def __init__(self, config: pytest.Config, folder: Path) -> None:
        self.document: Mapping[str, Any] = {}
        self._config = config
        self._folder = folder
        self._ours = False
        self._html: Any = None
        self._states: dict[str, list[str]] = {}

    def begin(self) -> None:
        """Gives the page our title and columns."""
        self._ours = True
        if self._html is not None:
            from abalo.reporting.columns import RAREST, header_cells
            from abalo.reporting.quoting import PAGE_TITLE

            self._html.title = PAGE_TITLE
            self._html.table_header[2:2] = header_cells()
            if self._config.getini("render_collapsed") == _COLLAPSED:
                self._html.set_data("renderCollapsed", [_COLLAPSED, "skipped", RAREST])

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_report_title(self, report: Any) -> None:
        """Keeps the page; whether it is ours is known only when tests are."""
        self._html = report

    def withdraw(self) -> None:
        """Keeps pytest-html from writing the page."""
        plugins = self._config.pluginmanager.get_plugins()
        for plugin in [each for each in plugins if self._html and getattr(each, "_report", None) is self._html]:
            self._config.pluginmanager.unregister(plugin)

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_summary(self, prefix: list[str]) -> None:
        """The verdict, the facts and the chart above the table; our own results beside those of pytest."""
        if self._states:
            prefix.append(self._with_filters())
        if self.document:
            from abalo.reporting.html import STYLE, summary

            prefix.append(STYLE + self._link_to_page() + summary(self.document))

    def _with_filters(self) -> str:
        """Counts our own results apart from the outcomes that pytest has for them; returns the style of the filters."""
        from abalo.reporting.columns import status_filter

        counts, styles = self._html.outcomes, []
        others = {name: counts.pop(name) for name in [*counts] if name != "failed"}
        for status, outcomes in self._states.items():
            name, style = status_filter(status)
            counts[name] = {"label": status.capitalize(), "value": len(outcomes)}
            styles.append(style)
            for outcome in outcomes:
                others[outcome]["value"] -= 1
        counts.update(others)
        return f"<style>{' '.join(styles)}</style>"

    def _link_to_page(self) -> str:
        """A link from the page of pytest-html to the report, which lies in the folder of the reports."""
        from abalo.reporting.columns import text
        from abalo.reporting.files import PAGE_NAME

        page = Path(self._config.invocation_params.dir, str(self._config.getoption("htmlpath")))
        place = Path(os.path.relpath(self._folder / PAGE_NAME, page.parent)).as_posix()
        return f'<p class="abalo-report"><a href="{text(quote(place))}">Report for reviewers: {PAGE_NAME}</a></p>'

    def add_detail(self, report: pytest.TestReport, results: list[dict[str, Any]], facts: Mapping[str, Any]) -> None:
        """Judgements, tables and examples, for inside the row."""
        if self._html is not None:
            from pytest_html import extras

            from abalo.reporting.html import detail

            shown = extras.html(detail(results[0], results[1:], facts))
            extended(report).extras = [*getattr(report, "extras", []), shown]

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_row(self, report: pytest.TestReport, cells: list[str]) -> None:
        """Our columns and words; the node id, which may hold anything, escaped."""
        if self._ours:
            from abalo.reporting.columns import row_cells, status_cell, text

            found = getattr(report, "abalo", {})
            results = found.get("results", ())
            status = status_of(report)
            if status:
                self._states.setdefault(status, []).append(report.outcome)
                cells[0] = status_cell(status)
            cells[1] = f'<td class="col-testId">{text(report.nodeid)}</td>'
            cells[2:2] = row_cells(results[0] if results else None)

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_html(self, report: pytest.TestReport, data: list[str]) -> None:
        """No empty log beside our details; any other folded away, the error of a case without results in sight."""
        found = getattr(report, "abalo", {})
        if found.get("status") or (found and data == ["No log output captured."]):
            data.clear()
        elif found and data:
            from abalo.reporting.columns import text
            from abalo.reporting.html import folded
            from abalo.reporting.run import error_in

            lead = "" if "results" in found or not report.failed else text(error_in(report.longreprtext))
            data[:] = [folded("\n".join(data), lead)]


def status_of(report: pytest.TestReport) -> str | None:
    """The status of a test of ours that pytest has no outcome for."""
    found = (getattr(report, name, None) for name in ("abalo", "abalo_regression", "abalo_loss"))
    return next((each["status"] for each in found if each is not None and each.get("status")), None)


def extended(report: pytest.TestReport) -> Any:
    """The report as the open namespace that it is: whatever plain values are put on it travel to the controller."""
    return report
