"""Files that every report has beside robustness.json."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from abalo.core.documents.document import Document
from abalo.core.protocols.registry import Registry
from abalo.errors import AbaloError, visible

MARKDOWN_NAME = "robustness.md"
PAGE_NAME = "report.html"


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """A file of the folder of reports.

    Attributes:
        name: an identifier.
        file: the name of the file, such as ``robustness.csv``; one that is there is replaced.
        make: ``make(document, examples)`` returns its text. ``examples`` are the lines of examples.jsonl; there are
            none while a run goes on, and under ``--abalo-no-text``.
    """

    name: str
    file: str
    make: Callable[[Document, Iterable[str]], str]

    def __post_init__(self) -> None:
        if not re.fullmatch(r"\w[\w.-]*", self.file):
            raise AbaloError(f"report format {self.name}: file {self.file!r}; expected a name without folders")

    def text(self, document: Document, examples: Iterable[str]) -> str:
        """What ``make`` returns; raises `AbaloError` if a format from outside fails."""
        if self.file in (MARKDOWN_NAME, PAGE_NAME):
            return self.make(document, examples)
        try:
            made = self.make(document, examples)
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            failed = f"{type(error).__name__}: {visible(error)} ({place.filename}:{place.lineno})"
            raise AbaloError(f"report format {self.name}: {failed}") from error
        if not isinstance(made, str):
            raise AbaloError(f"report format {self.name}: made {type(made).__name__}; expected a string")
        return made


report_formats: Registry[ReportFormat] = Registry(
    "report format", "abalo.reporting.formats", "REPORT_FORMAT", group="abalo.report_formats"
)
"""All report formats by name."""


def name_reports(folder: Path, *, with_latex: bool = False) -> str:
    """The files in words, such as ``reports/robustness.md, .json, report.html``."""
    added = [each.file for each in report_formats().values() if each.file not in (MARKDOWN_NAME, PAGE_NAME)]
    latex = [".tex"] * with_latex
    return ", ".join([str(folder / MARKDOWN_NAME), ".json", *latex, PAGE_NAME, *added])
