"""Files that every report has beside robustness.json."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from abalo.core.document import Document
from abalo.core.registry import Registry
from abalo.errors import AbaloError


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


report_formats: Registry[ReportFormat] = Registry("report format", group="abalo.report_formats")
"""All report formats by name."""
