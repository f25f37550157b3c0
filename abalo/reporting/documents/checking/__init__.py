"""Checks that a stored report follows from its own numbers."""

from __future__ import annotations

from collections.abc import Iterator

from abalo.capabilities.blocks import overview
from abalo.core.document import Document
from abalo.core.records import as_json
from abalo.reporting.documents.checking.faults import Fault, differing
from abalo.reporting.documents.checking.losses import loss_faults
from abalo.reporting.documents.checking.verdicts import verdict_faults
from abalo.reporting.documents.conclusion import conclude
from abalo.reporting.documents.document import counts_of, with_top_level

__all__ = ["Fault", "differing", "faults"]

_COSTS = ("tasks", "forwards")
"""No verdict depends on these fields."""


def faults(document: Document) -> Iterator[Fault]:
    """Yields every field that contradicts other fields, the run's verdict first; ignores missing fields."""
    results, said = document.results, as_json(document)
    yield from differing("its verdict", document.verdict, conclude(document).verdict, "its results")
    if document.complete and (document.missing or document.errors):
        yield Fault("complete", True, False, "its missing cases and errors")
    yield from verdict_faults(document)
    yield from loss_faults(document)
    yield from differing("counts", document.counts, counts_of(results), "its results")
    for regression in document.regressions:
        same = regression.labels is not None and regression.labels == regression.recorded
        if regression.status == "still broken" and not same:
            yield Fault(f"regressions[{regression.id}].status", "still broken", "fixed", "its labels")
    if "capabilities" in said:
        yield from differing("capabilities", said["capabilities"], overview(results), "its results")
    if document.tasks:
        for name, value in with_top_level({"tasks": said["tasks"]}, results).items():
            if name in said and name not in _COSTS:
                yield from differing(name, said[name], value, "its tasks")
        bounds = [own.bounds for own in document.tasks.values() if own.bounds is not None]
        if len(bounds) == len(document.tasks) and document.gate.bounds is not None:
            yield from differing("gate.bounds", document.gate.bounds, sum(bounds), "its tasks")
