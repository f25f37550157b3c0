"""Checks the report of a run against its evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from itertools import chain, islice
from pathlib import Path

from abalo.comparison.document.loss_tests import rows_of
from abalo.config.thresholds import load
from abalo.core.documents.document import Document
from abalo.core.records.json_records import Json, as_json
from abalo.core.statistics.numbers import STORED
from abalo.core.statistics.plan import BASELINE
from abalo.errors import AbaloError
from abalo.reporting.documents.stored import from_stored
from abalo.reporting.formats.files import as_bytes, reference_folder
from abalo.reporting.runs.finished import Run, whole
from abalo.reporting.runs.reference import Reference, reference_for
from abalo.reporting.runs.rejudging import rejudge

_NAMED = 5

_OF_RUN = ("complete", "verdict", "counts", "gate", "capabilities")
_OF_TASK = ("baseline", "bounds", "skipped")


def check_recount(run: Run, thresholds: Path, against: Path | None) -> Path | None:
    """Returns the reference; raises `AbaloError` if the report differs from its evidence.

    ``against`` is the reference; None for the one in the thresholds file, else the one that the report names.
    """
    options = run.document.options or {}
    file = load(thresholds, options.get("language"), options.get("least"))
    if against is None and run.document.comparison is not None:
        against = Path(file.gate.against) if file.gate.against else reference_folder(run.document.comparison)
    reference: Reference | None = None
    if run.document.comparison or (file.gate.against and against is None):
        reference = reference_for(run.path.parent, run.document, against, file.gate)
    elif against is not None:
        raise AbaloError(f"--against {against}: {run.path} was not judged against a reference; leave the option out")
    with whole(run.path):
        again = from_stored(json.loads(as_bytes(rejudge(run, file, reference, _day(run.document)))))
        faults = list(islice(chain(_left_out(run), _differing(as_json(run.document), again)), _NAMED + 1))
    if faults:
        more = ", and more" if len(faults) > _NAMED else ""
        told = "; ".join(faults[:_NAMED])
        raise AbaloError(
            f"{run.path}: is damaged, or was judged by other bounds than those of {thresholds}: {told}{more}; give the "
            "thresholds file of the run with --thresholds FILE, or run the gate again"
        )
    return against


def _day(document: Document) -> date:
    began = (document.date or "")[:10]
    days = [date.fromisoformat(began)] if began else []
    compared = {} if document.comparison is None else document.comparison.tasks
    rows = [row for own in compared.values() for row in rows_of(own)]
    over = [row.waiver.until for row in rows if row.waiver is not None and row.waiver.over]
    days += [date.fromisoformat(until) + timedelta(days=1) for until in over]
    return max(days, default=date.today())


def _left_out(run: Run) -> Iterator[str]:
    """Yields a line for each case that has evidence and no result."""
    told = {result.id for result in run.document.results}
    for case in run.evidence:
        if case not in told and case.partition("/")[2] != BASELINE:
            yield f"it has no result of {case}, its evidence has one"


def _differing(said: Json, again: Json) -> Iterator[str]:
    for name in _OF_RUN:
        yield from _unlike(name, said.get(name), again.get(name))
    results, follows = (_by_view(document) for document in (said, again))
    for place in dict.fromkeys((*results, *follows)):
        yield from _unlike(place, results.get(place), follows.get(place))
    for name, own in (again.get("tasks") or {}).items():
        for field in _OF_TASK:
            yield from _unlike(f"tasks.{name}.{field}", said["tasks"][name].get(field), own.get(field))
    yield from _unlike("comparison", _losses(said), _losses(again))


def _unlike(place: str, said: object, counted: object) -> Iterator[str]:
    """Yields a line for each part of a stored value that is not as counted, numbers beyond `STORED`."""
    if isinstance(said, Mapping) and isinstance(counted, Mapping):
        for name in dict.fromkeys((*said, *counted)):
            yield from _unlike(f"{place}.{name}", said.get(name), counted.get(name))
    elif isinstance(said, list | tuple) and isinstance(counted, list | tuple) and len(said) == len(counted):
        for number, (one, other) in enumerate(zip(said, counted, strict=True)):
            part = other["id"] if isinstance(other, Mapping) and isinstance(other.get("id"), str) else number
            yield from _unlike(f"{place}[{part}]", one, other)
    elif not _near(said, counted):
        yield f"{place} is {said!r:.100}, its evidence says {counted!r:.100}"


def _near(said: object, counted: object) -> bool:
    if isinstance(said, bool) or isinstance(counted, bool):
        return said is counted
    if isinstance(said, int | float) and isinstance(counted, int | float):
        return bool(abs(said - counted) <= STORED)
    return bool(said == counted)


def _by_view(document: Json) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for result in document["results"]:
        kept = {name: value for name, value in result.items() if name != "examples"}
        place = f"results[{result['id']}]"
        found[place if place not in found else f"results[{result['id']} in the view {result['view']}]"] = kept
    return found


def _losses(document: Json) -> object:
    return _without_text(document.get("comparison"))


def _without_text(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _without_text(each) for name, each in value.items() if name != "text"}
    return [*map(_without_text, value)] if isinstance(value, list) else value
