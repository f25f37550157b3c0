"""Bounds from a measurement: what a model does today, with a stated margin, is what it must keep to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.toml_document import TOMLDocument

from abalo.bundled import bundled
from abalo.judging import Judged
from abalo.runs import BASELINE, Case
from abalo.statistics import UNDEFINED, Bound, Estimate
from abalo.thresholds import OVERALL

_STEP = Decimal("0.001")


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A bound with the limit that a measurement gives it."""

    case: Case
    bound: Bound
    estimate: Estimate
    limit: float


def calibrated(judged: Judged, margin: float) -> list[Calibrated]:
    """New limits for the bounds of a case: the far end of the interval, and ``margin`` more, in steps of 0.001.

    A case without bounds gets one: on the F1 of the baseline, on the F1 drop of anything else. A bound on a number that
    has no meaning here, such as the F1 of a type that the corpus lacks, is left as it is.
    """
    case = judged.run.case
    view = judged.bound_view
    found = []
    for bound in case.bounds or (_usual_bound(case),):
        estimates = view.overall if bound.type is None else view.per_type.get(bound.type, {})
        estimate = estimates.get(bound.metric, UNDEFINED)
        if not math.isnan(estimate.value):
            found.append(Calibrated(case, bound, estimate, _limit(bound, estimate, margin)))
    return found


def _usual_bound(case: Case) -> Bound:
    return Bound("f1", "min", 0.0) if case.name == BASELINE else Bound("f1_drop", "max", 1.0)


def _limit(bound: Bound, estimate: Estimate, margin: float) -> float:
    if bound.side == "max":
        return min(1.0, float(Decimal(estimate.high + margin).quantize(_STEP, ROUND_CEILING)))
    return max(-1.0, float(Decimal(estimate.low - margin).quantize(_STEP, ROUND_FLOOR)))


def rewritten(path: Path, bounds: Sequence[Calibrated], provenance: str) -> str:
    """The thresholds file, comments and order kept, with the new limits; one that extends another is written out whole.

    ``provenance`` becomes the first comment, in place of an earlier one.
    """
    document = _flattened(path)
    for calibrated_bound in bounds:
        entry = _entry(document, calibrated_bound.case)
        bound = calibrated_bound.bound
        present = entry.get(bound.name)
        if isinstance(present, Mapping):
            entry[bound.name][bound.type or OVERALL] = calibrated_bound.limit
        else:
            entry[bound.name] = calibrated_bound.limit
    return _with_provenance(tomlkit.dumps(document), provenance)


_PROVENANCE = "# Calibrated: "


def _with_provenance(text: str, provenance: str) -> str:
    kept = [line for line in text.splitlines() if not line.startswith(_PROVENANCE)]
    place = next((i for i, line in enumerate(kept) if not line.startswith("#")), 0)
    return "\n".join([*kept[:place], f"{_PROVENANCE}{provenance}", *kept[place:]]) + "\n"


def _flattened(path: Path) -> TOMLDocument:
    document = tomlkit.parse(path.read_text(encoding="utf-8-sig"))
    base_name = document.pop("extends", None)
    if base_name is None:
        return document
    base = _flattened(bundled("thresholds.toml") if base_name == "default" else path.parent / str(base_name))
    for section, tables in document.items():
        if isinstance(base.get(section), Mapping):
            base[section].update(tables)
        else:
            base[section] = tables
    return base


def _entry(document: TOMLDocument, case: Case) -> Any:
    """The table in the file that the case was read from: the one with the same parameters."""
    entries: Any = document[case.task]
    wanted = dict(case.params) | ({"limit": case.limit} if case.limit is not None else {})
    return next(entry for entry in entries[case.name] if _parameters(entry, wanted) == wanted)


def _parameters(entry: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    return {name: entry[name] for name in wanted if name in entry}
