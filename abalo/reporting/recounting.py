"""A finished run counted again: judged anew from its evidence, and compared with its report field by field."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from abalo.config.thresholds import load
from abalo.core.results import Json
from abalo.errors import AbaloError
from abalo.reporting.checking import Fault, differing
from abalo.reporting.comparing import Reference, reference_for
from abalo.reporting.files import as_bytes
from abalo.reporting.finished import Run, whole
from abalo.reporting.loss_tests import rows_of
from abalo.reporting.rejudging import rejudged
from abalo.reporting.stored import from_stored

_NAMED = 5
"""How many fields a message names."""

_OF_RUN = ("complete", "verdict", "counts", "gate", "capabilities")
_OF_TASK = ("baseline", "bounds", "skipped")
"""The fields that judging makes, beside results and losses."""


def check_recount(run: Run, thresholds: Path, against: Path | None) -> None:
    """Raises `AbaloError` if the report differs from the one that its evidence gives.

    Args:
        run: The run, its report and its evidence read.
        thresholds: The thresholds file that it was judged by.
        against: The reference that it was judged against; None for the one that the thresholds file names.
    """
    options = run.document.get("options") or {}
    file = load(thresholds, options.get("language"), options.get("least"))
    reference: Reference | None = None
    if run.document.get("comparison") or (file.gate.against and against is None):
        reference = reference_for(run.path.parent, run.document, against, file.gate)
    elif against is not None:
        raise AbaloError(f"--against {against}: {run.path} was not judged against a reference; leave the option out")
    with whole(run.path):
        again = from_stored(json.loads(as_bytes(rejudged(run, file, reference, _day(run.document)))))
        faults = list(islice(_differing(run.document, again), _NAMED + 1))
    if faults:
        more = ", and more" if len(faults) > _NAMED else ""
        told = "; ".join(map(str, faults[:_NAMED]))
        raise AbaloError(
            f"{run.path}: is damaged, or was judged by other bounds than those of {thresholds}: {told}{more}; give the "
            "thresholds file of the run with --thresholds FILE, or judge it anew with abalo rejudge"
        )


def _day(document: Json) -> date:
    """A day on which the run can have been judged: waivers that its report calls over were over then."""
    began = str(document.get("date", ""))[:10]
    days = [date.fromisoformat(began)] if began else []
    compared = document.get("comparison") or {"tasks": {}}
    rows = [row for own in compared["tasks"].values() for row in rows_of(own)]
    over = [row["waiver"]["until"] for row in rows if row["waiver"] is not None and row["waiver"]["over"]]
    days += [date.fromisoformat(until) + timedelta(days=1) for until in over]
    return max(days, default=date.today())


def _differing(said: Json, again: Json) -> Iterator[Fault]:
    source = "its evidence"
    for name in _OF_RUN:
        yield from differing(name, said.get(name), again.get(name), source)
    results, follows = (_by_view(document) for document in (said, again))
    for place in dict.fromkeys((*results, *follows)):
        yield from differing(place, results.get(place), follows.get(place), source)
    for name, own in (again.get("tasks") or {}).items():
        for field in _OF_TASK:
            place = f"tasks.{name}.{field}"
            yield from differing(place, said["tasks"][name].get(field), own.get(field), source)
    yield from differing("comparison", _losses(said), _losses(again), source)


def _by_view(document: Json) -> dict[str, Json]:
    """The results of a document by case and view, without examples."""
    found: dict[str, Json] = {}
    for result in document["results"]:
        kept = {name: value for name, value in result.items() if name != "examples"}
        place = f"results[{result['id']}]"
        found[place if place not in found else f"results[{result['id']} in the view {result['view']}]"] = kept
    return found


def _losses(document: Json) -> Any:
    """The losses of a document, without the sentences that they quote."""
    return _without_text(document.get("comparison"))


def _without_text(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_text(each) for name, each in value.items() if name != "text"}
    return [*map(_without_text, value)] if isinstance(value, list) else value
