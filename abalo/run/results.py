"""The results of a run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any

from abalo.bundled import CASES, bundled_path
from abalo.capabilities.facts import CapabilityFields
from abalo.config.thresholds import Thresholds, load
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result as CaseResult
from abalo.core.protocols.probe import Case
from abalo.core.records.words import count
from abalo.core.running.judging import Judged
from abalo.core.statistics.estimates import Estimate
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.verdicts import Judgement, Verdict
from abalo.errors import AbaloError
from abalo.locking import FolderLock
from abalo.reporting.formats.failure import failed_case
from abalo.reporting.formats.files import JSON_NAME, check_reports, write_report
from abalo.reporting.runs.comparison import ComparedRuns, compare_runs, concluded_by, page
from abalo.reporting.runs.finished import Run
from abalo.reporting.runs.reference import Reference, read_reference, side_of
from abalo.run.showing import page_html, report_html, result_html
from abalo.run.store import CaseRecord
from abalo.run.tables import COLUMNS, ChangedExample, changed_example, rows_of

_NOWHERE = Path(os.devnull, JSON_NAME)
"""The path of a report that is in no folder."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Result:
    """One case, run and judged.

    ``results`` are its entries in the document, one per view, the bound view first; ``record`` is what is stored.
    ``reports`` is the folder of the reports.
    """

    judged: Judged
    results: Sequence[CaseResult]
    record: CaseRecord
    reports: Path = Path("reports")

    def __repr__(self) -> str:
        return f"<{self.case.id}: {self.verdict or 'measured'}>"

    def _repr_html_(self) -> str:
        return result_html(self.results[0])

    @property
    def case(self) -> Case:
        """The case."""
        return self.judged.case

    @property
    def verdict(self) -> Verdict | None:
        """``"pass"``, ``"fail"`` or ``"inconclusive"``, the worst over the bounds; None without bounds."""
        return self.judged.verdict

    @property
    def holds(self) -> bool:
        """True if no bound of a blocking case failed."""
        return self.judged.holds

    @property
    def explanation(self) -> str:
        """One line per bound, failed ones first: value, interval, limit, verdict and reason."""
        return self.judged.explanation

    @property
    def failure(self) -> str:
        """What a failed test shows: the bounds in words, two examples, and the command that shows more."""
        return failed_case(self.results[0], self.reports)

    @property
    def broken(self) -> Sequence[str]:
        """A few failed fillings per template of a capability, with faults.

        Empty for other cases, or if text is withheld.
        """
        capability = CapabilityFields.of(self.results[0]).capability
        return [f"{each.shown[-1].text}: {each.fault}" for each in capability.failures] if capability else []

    def examples(self) -> list[ChangedExample]:
        """Returns the worst examples, the worst first, as reports show them.

        Empty for withheld text, and for attacks, questions and others whose reports show other findings.
        """
        return [changed_example(each) for each in self.results[0].examples]

    @property
    def judgements(self) -> Sequence[Judgement]:
        """The judgement on each bound."""
        return self.judged.judgements

    @property
    def metrics(self) -> Mapping[str, Estimate]:
        """The metrics in the bound view, each with ``value``, ``low``, ``high`` and ``n``; NaN if undefined."""
        return self.judged.bound_view.overall

    @property
    def per_group(self) -> Mapping[str, Mapping[str, Estimate]]:
        """The metrics by group, such as entity type or part of speech."""
        return self.judged.bound_view.per_group

    @property
    def records(self) -> Sequence[str]:
        """Lines of ``examples.jsonl``; empty if text is withheld."""
        return self.record.lines

    @property
    def evidence(self) -> Evidence:
        """The counts behind the judgement."""
        return self.judged.evidence


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ComparedReports:
    """The losses of a run against another.

    ``found`` holds both runs and every loss; ``document`` is the report of the new run.
    """

    found: ComparedRuns
    document: Document

    def __repr__(self) -> str:
        return f"<{self.found.new.name} against {self.found.reference.name}: {self.verdict}>"

    def _repr_html_(self) -> str:
        return page_html(page(self.found, self.document, date.today()).blocks(None))

    @property
    def verdict(self) -> str:
        """``"pass"``, ``"fail"``, ``"inconclusive"``, or ``"measured"`` if nothing could be compared."""
        return concluded_by(self.found).verdict


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Report:
    """The judged cases of a run and their document.

    ``evidence`` covers the clean corpus and each case, ``records`` are lines of ``examples.jsonl``, and ``with_text``
    allows files to quote the corpus. ``thresholds`` are those that it was judged by; None means the shipped ones.
    """

    results: Sequence[Result]
    document: Document
    evidence: Mapping[str, Evidence]
    records: Sequence[str] = ()
    with_text: bool = True
    thresholds: Thresholds | None = None

    def __repr__(self) -> str:
        return f"<run of {count(len(self.results), 'case')}: {self.verdict}>"

    def _repr_html_(self) -> str:
        return report_html(self.document)

    @property
    def verdict(self) -> str:
        """``"pass"``, ``"fail"``, ``"inconclusive"``, or ``"measured"`` if no case has a bound."""
        return self.document.verdict

    def rows(self) -> list[dict[str, Any]]:
        """Returns a row for each case: ``case``, ``task``, ``probe``, ``verdict``, ``blocking`` and a number.

        It is the number behind the verdict. ``metric`` names it, and ``group`` its label, if any. ``value`` lies
        between ``low`` and ``high``, over ``n`` distinct examples. ``limit`` and ``p`` belong to the bound that
        decides; None without bounds.
        """
        return rows_of(self.document)

    def to_frame(self) -> Any:
        """Returns `rows` as a pandas data frame; raises `AbaloError` if pandas is not installed."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise AbaloError("to_frame() needs pandas: pip install pandas; rows() gives the same as a list") from None
        return pandas.DataFrame(self.rows(), columns=[*COLUMNS])

    def compare(self, other: Report | str | Path) -> ComparedReports:
        """Judges the losses of this run against another run, as ``abalo compare OTHER THIS`` does.

        ``other`` is a report, or the folder of a run. The limits are those that this run was judged by. Raises
        `AbaloError` if the runs cannot be compared.
        """
        if not isinstance(other, Report | str | Path):
            raise AbaloError(f"compare: {other!r:.80} is no run; expected a report, or the folder of one")
        reference = other._side if isinstance(other, Report) else read_reference(Path(other))
        thresholds = load(bundled_path(CASES)) if self.thresholds is None else self.thresholds
        found = compare_runs(reference, self._side, thresholds, date.today())
        return ComparedReports(found, self.document)

    @property
    def _side(self) -> Reference:
        names = dict.fromkeys(own.model.name for own in self.document.tasks.values())
        lines = [*self.records] if self.with_text else None
        return side_of(Run(self.document, self.evidence, _NOWHERE, lines), ", ".join(names))

    def write(self, folder: str | Path = "reports") -> Path:
        """Writes robustness.json, report.html, robustness.md, evidence.npz and examples.jsonl; returns the path of the
        first.

        If text is withheld, examples.jsonl is omitted and earlier files with text are removed. Raises `AbaloError` if
        the folder cannot be written or is in use by another run.
        """
        folder = Path(folder)
        check_reports(folder)
        with FolderLock(folder):
            return write_report(self.document, self.evidence, self.records if self.with_text else None, folder)
