"""The results of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from abalo.capabilities.facts import CapabilityFields
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result as CaseResult
from abalo.core.protocols.probe import Case
from abalo.core.records.words import count
from abalo.core.running.judging import Judged
from abalo.core.statistics.estimates import Estimate
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.verdicts import Judgement, Verdict
from abalo.locking import FolderLock
from abalo.reporting.formats.failure import failed_case
from abalo.reporting.formats.files import check_reports, write_report
from abalo.run.store import CaseRecord


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
        return f"<{self.case.id}: {self.verdict}>"

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
class Report:
    """The judged cases of a run and their document.

    ``evidence`` covers the clean corpus and each case, ``records`` are lines of ``examples.jsonl``, and ``with_text``
    allows files to quote the corpus.
    """

    results: Sequence[Result]
    document: Document
    evidence: Mapping[str, Evidence]
    records: Sequence[str] = ()
    with_text: bool = True

    def __repr__(self) -> str:
        return f"<run of {count(len(self.results), 'case')}: {self.verdict}>"

    @property
    def verdict(self) -> str:
        """``"pass"``, ``"fail"``, ``"inconclusive"``, or ``"measured"`` if no case has a bound."""
        return self.document.verdict

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
