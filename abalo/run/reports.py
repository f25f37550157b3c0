"""The findings of a run, and the folder of its reports."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from abalo.attacks.regressions import load, save
from abalo.config.thresholds import Thresholds
from abalo.core.documents.document import Document, Regression
from abalo.core.documents.found import Result
from abalo.core.records.example import JsonObject
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.plan import BASELINE
from abalo.errors import AbaloError
from abalo.files import check_writable
from abalo.locking import FolderLock, InUseError
from abalo.reporting.documents.document import in_order
from abalo.reporting.formats import files
from abalo.reporting.formats.marks import RunMark, new_mark, read_mark
from abalo.reporting.runs.accepting import commands_after
from abalo.reporting.runs.judging import RunFindings, join_facts, judge
from abalo.reporting.runs.reference import Reference
from abalo.run.store import RunStore, StoredLines, clean_name, remove_finished


class RunReports:
    """Collects the findings of a run and writes its reports.

    Args:
        folder: The folder of the reports.
        store: Where the run's processes store its cases.
        resume: Whether the run goes on with the cases of an earlier one.
        failures: The corpus of failures to add to, if any.
        selection: Words of the command that select tests, unless it runs all of them.
        shown: The folder as the user gave it.
    """

    def __init__(
        self,
        folder: Path,
        store: RunStore,
        *,
        with_text: bool = True,
        latex: bool = False,
        resume: bool = False,
        failures: Path | None = None,
        selection: JsonObject | None = None,
        shown: str = "reports",
    ) -> None:
        self._folder, self._store, self._selection, self._shown = folder, store, selection or {}, shown
        self._with_text, self._latex, self._resume, self._failures = with_text, latex, resume, failures
        self.expected: Sequence[str] = ()
        self.selected: Collection[str] | None = None
        self.facts: JsonObject = {}
        self.regressions: list[Regression] = []
        self.saved: int | None = None
        self.unwritten: str | None = None
        self._results: dict[str, Sequence[Result]] = {}
        self._errors: dict[str, str] = {}
        self._measured: set[str] = set()
        self._mark: RunMark | None = None
        self._lock = FolderLock(folder)
        self._earlier: Mapping[str, bytes | None] = {}

    # The folder ------------------------------------------------------------------------------------------------------

    def hold(self) -> None:
        """Keeps other runs out of the folder; raises `InUseError`."""
        try:
            self._lock.hold()
        except InUseError:
            raise
        except AbaloError:  # told where the reports are written
            pass

    def release(self) -> None:
        """Lets other runs in."""
        self._lock.release()

    def begin(self, more: JsonObject) -> None:
        """Writes an unfinished report with ``more`` facts, in case the run is killed; raises `AbaloError`."""
        if self._failures is not None:
            if self._failures.exists():
                load(self._failures)
            check_writable(self._failures.parent)
        self._mark = new_mark(self._resumed())
        document = self._document(more, {}, None, complete=False)
        self._earlier = files.write_begun(
            document, self._mark, self._folder, with_text=self._with_text, latex_too=self._latex
        )
        if not self._resume:  # which alone goes on with what an earlier run has finished
            remove_finished(self._folder)

    def _resumed(self) -> str | None:
        if not self._resume or not self.finished:
            return None
        try:
            mark = read_mark(self._folder)
        except AbaloError:  # replaced
            return None
        return None if mark is None else mark.run

    @property
    def replaced(self) -> bool:
        """Whether an earlier report with results gave way."""
        return bool(self._earlier)

    def restore(self) -> None:
        """Puts the earlier report back; raises `AbaloError`."""
        files.restore(self._earlier, self._folder)

    @property
    def finished(self) -> int:
        """The number of expected cases in the store."""
        return sum(map(self._store.has, self.expected))

    # Findings --------------------------------------------------------------------------------------------------------

    def add_facts(self, facts: JsonObject) -> None:
        """Adds facts of the run, with some tasks under ``tasks``."""
        self.facts = join_facts([self.facts, facts])

    def add_measured(self, facts: JsonObject) -> None:
        """Adds facts of tasks whose clean corpora are in the store."""
        self.add_facts(facts)
        self._measured |= {*facts["tasks"]}

    def add(self, case: str, results: Sequence[Result]) -> None:
        """Adds a judged case, which is in the store."""
        self._results[case] = results

    def add_error(self, case: str, message: str) -> None:
        """Adds the reason for a case without results; the first one stays."""
        self._errors.setdefault(case, message)

    @property
    def lines(self) -> Iterable[str] | None:
        """The lines of examples.jsonl, which can be read again; None if text is withheld."""
        return StoredLines(self._store, [*self._stored().values()]) if self._with_text else None

    def _stored(self) -> dict[str, str]:
        """The names in the store by id, in the order of the report."""
        clean = {f"{task}/{BASELINE}": clean_name(task) for task in self._measured}
        return in_order(clean, {case: case for case in self._results}, self._order())

    def _order(self) -> list[str]:
        return [*self.expected, *(case for case in self._results if case not in self.expected)]

    def _evidence(self) -> dict[str, Evidence]:
        found: dict[str, Evidence] = {}
        for case, name in self._stored().items():
            try:
                found[case] = self._store.evidence(name)
            except AbaloError as error:
                self._results.pop(case, None)
                self.add_error(case, str(error))
        return found

    # Reports ---------------------------------------------------------------------------------------------------------

    def write(
        self, more: JsonObject, *, complete: bool, thresholds: Thresholds | None, reference: Reference | None
    ) -> Document:
        """Judges the run and writes its reports; ``unwritten`` says why it could not."""
        evidence, fresh = self._evidence(), new_mark() if self._mark is None else None  # workers could leave no note
        self._mark = self._mark or fresh
        document = self._document(more, evidence, self.lines, complete=complete, by=thresholds, reference=reference)
        try:
            files.write_all(document, evidence, self.lines, self._folder, mark=fresh, latex_too=self._latex)
            if self._failures is not None:
                self.saved = save(self._failures, files.failures(document.results, self._folder))
        except AbaloError as error:
            self.unwritten = str(error)
        return document

    def clear(self, document: Document) -> None:
        """Removes the stored cases of a run that has nothing to go on with."""
        if document.missing or document.errors or self.unwritten is not None:
            return
        try:
            remove_finished(self._folder)
        except AbaloError as error:
            self.unwritten = str(error)

    def _document(
        self,
        more: JsonObject,
        evidence: Mapping[str, Evidence],
        lines: Iterable[str] | None,
        *,
        complete: bool,
        by: Thresholds | None = None,
        reference: Reference | None = None,
    ) -> Document:
        facts = {**self.facts, **more, **({} if self._mark is None else {"run": self._mark.run})}
        if self.selected is not None and "tasks" in facts:
            facts["tasks"] = {name: _of_selected(own, self.selected) for name, own in facts.get("tasks", {}).items()}
        if "options" in facts:
            facts["options"] = {**facts["options"], **self._selection}

        def measured() -> RunFindings:
            return RunFindings(
                facts=facts,
                results=[result for case in self._order() for result in self._results.get(case, ())],
                evidence=evidence,
                lines=lines,
                missing=[case for case in self.expected if case not in self._results and case not in self._errors],
                errors=[{"id": case, "message": message} for case, message in sorted(self._errors.items())],
                regressions=sorted(self.regressions, key=lambda regression: regression.id),
                complete=complete,
            )

        try:
            document = judge(measured(), by, reference)
        except AbaloError as error:  # such as counts that another version wrote
            self.add_error("the comparison with the reference", str(error))
            document = judge(measured(), by)
        if not document.complete or not self.facts:
            return document
        return replace(document, next=commands_after(document, self._shown))


def _of_selected(own: JsonObject, selected: Collection[str]) -> JsonObject:
    """A task's facts, without skipped cases that nobody selected."""
    return {**own, "skipped": [each for each in own.get("skipped", ()) if each["id"] in selected]}
