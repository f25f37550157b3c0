"""What a run has measured, judged as a whole: the one place that compares and assembles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from abalo.comparison.document.foresight import with_foresight
from abalo.config.thresholds import Thresholds
from abalo.core.documents.document import CaseError, Document, Regression, TaskFacts
from abalo.core.documents.found import Result
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import read
from abalo.core.statistics.evidence import Evidence
from abalo.reporting.documents.document import assemble
from abalo.reporting.documents.origin import FIELDS, first_made
from abalo.reporting.runs.reference import Reference, comparison


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunFindings:
    """What a run, or what is left of it, has found.

    Args:
        facts: Facts of the run, with its tasks under ``tasks``.
        evidence: By case, the clean corpus first.
        lines: Lines of ``examples.jsonl``; None if text is withheld.
        missing: Cases that have not run.
        complete: Whether the run came to its end; else nothing is compared.
        not_run: Cases that a rejudged run lacks, with reasons.
    """

    facts: JsonObject
    results: Sequence[Result]
    evidence: Mapping[str, Evidence]
    lines: Iterable[str] | None = None
    missing: Sequence[str] = ()
    errors: Iterable[JsonObject] | Iterable[CaseError] = ()
    regressions: Iterable[Regression] = ()
    complete: bool = True
    not_run: Iterable[JsonObject] = ()


def join_facts(parts: Sequence[JsonObject]) -> JsonObject:
    """Joins the facts of a run whose parts have met different tasks, and takes date and commit from the earliest."""
    found = {name: value for part in parts for name, value in part.items() if name not in FIELDS}
    met = {name: own for part in parts for name, own in part.get("tasks", {}).items()}
    return {**first_made(parts), **found, "tasks": met}


def judge(
    found: RunFindings, thresholds: Thresholds | None, reference: Reference | None = None, today: date | None = None
) -> Document:
    """Returns the document of a run, compared with the reference if there is one, with waivers as of ``today``.

    Raises `AbaloError` if the two cannot be compared.
    """
    facts, losses = found.facts, None
    if found.complete and thresholds is not None and facts.get("tasks"):
        facts = with_foresight(facts, found.evidence, thresholds)
        if reference is not None:
            own = {name: read(TaskFacts, each) for name, each in facts["tasks"].items()}
            day, lines = today or date.today(), found.lines
            losses = comparison(own, found.evidence, thresholds, reference, day, lines, found.results)
    return assemble(
        facts,
        found.results,
        found.missing,
        found.errors,
        found.complete,
        found.regressions,
        losses,
        found.not_run,
    )
