"""Adds our columns, details and verdict to pytest-html's page."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

if TYPE_CHECKING:
    from abalo.core.documents.document import Document
    from abalo.core.documents.found import Result
    from abalo.pytest_plugin.sent import Sent


_COLLAPSED = "passed"


class HtmlPage:
    """Changes the page only after `begin`, when our tests exist."""

    def __init__(self, config: pytest.Config, folder: Path) -> None:
        self.document: Document | None = None
        self._config = config
        self._folder = folder
        self._ours = False
        self._html: Any = None
        self._states: dict[str, list[str]] = {}

    def begin(self) -> None:
        """Sets our title and columns."""
        self._ours = True
        if self._html is not None:
            from abalo.reporting.documents.quoting import PAGE_TITLE
            from abalo.reporting.formats.pytest_columns import RAREST, header_cells

            self._html.title = PAGE_TITLE
            self._html.table_header[2:2] = header_cells()
            if self._config.getini("render_collapsed") == _COLLAPSED:
                self._html.set_data("renderCollapsed", [_COLLAPSED, "skipped", RAREST])

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_report_title(self, report: object) -> None:
        self._html = report

    def withdraw(self) -> None:
        """Stops pytest-html from writing the page."""
        plugins = self._config.pluginmanager.get_plugins()
        for plugin in [each for each in plugins if self._html and getattr(each, "_report", None) is self._html]:
            self._config.pluginmanager.unregister(plugin)

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_summary(self, prefix: list[str]) -> None:
        if self._states:
            prefix.append(self._with_filters())
        if self.document is not None:
            from abalo.reporting.formats.html import STYLE, summary

            prefix.append(STYLE + self._link_to_page() + summary(self.document))

    def _with_filters(self) -> str:
        from abalo.reporting.formats.pytest_columns import status_filter

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
        from abalo.reporting.formats.pytest_columns import text
        from abalo.reporting.formats.report_format import PAGE_NAME

        page = Path(self._config.invocation_params.dir, str(self._config.getoption("htmlpath")))
        place = Path(os.path.relpath(self._folder / PAGE_NAME, page.parent)).as_posix()
        return f'<p class="abalo-report"><a href="{text(quote(place))}">Report for reviewers: {PAGE_NAME}</a></p>'

    def add_detail(self, report: pytest.TestReport, results: Sequence[Result], facts: Mapping[str, object]) -> None:
        """Adds judgements, tables and examples to a row."""
        if self._html is not None:
            from pytest_html import extras

            from abalo.core.documents.document import Document
            from abalo.core.records.json_records import read
            from abalo.reporting.formats.html import detail

            document = read(Document, {"complete": False, "results": results, **facts})
            shown = extras.html(detail(results[0], results[1:], document))
            untyped(report).extras = [*getattr(report, "extras", []), shown]

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_row(self, report: pytest.TestReport, cells: list[str]) -> None:
        if self._ours:
            from abalo.reporting.formats.pytest_columns import row_cells, status_cell, text

            found = sent_in(report)
            status = status_of(report)
            if status:
                self._states.setdefault(status, []).append(report.outcome)
                cells[0] = status_cell(status)
            cells[1] = f'<td class="col-testId">{text(report.nodeid)}</td>'
            cells[2:2] = row_cells(found.results[0] if found and found.results else None)

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_html(self, report: pytest.TestReport, data: list[str]) -> None:
        found = sent_in(report)
        if found and (found.status or data == ["No log output captured."]):
            data.clear()
        elif found and data:
            from abalo.reporting.content.run import error_in
            from abalo.reporting.formats.html import fold_log
            from abalo.reporting.formats.pytest_columns import text

            lead = "" if found.results or not report.failed else text(error_in(report.longreprtext))
            data[:] = [fold_log("\n".join(data), lead)]


def status_of(report: pytest.TestReport) -> str | None:
    """The status of our test if pytest has no outcome for it."""
    found = (sent_in(report, name) for name in ("abalo", "abalo_regression", "abalo_loss"))
    return next((each.status for each in found if each is not None and each.status), None)


def sent_in(report: pytest.TestReport, name: str = "abalo") -> Sent | None:
    """What our test sent; None for other tests."""
    found: Sent | None = getattr(report, name, None)
    return found


def untyped(value: object) -> Any:
    """The value, with attributes that its type does not declare."""
    return value
