"""Whether a stored report follows from its own numbers, so that an edited verdict is found without its evidence."""

from __future__ import annotations

from collections.abc import Iterator

from abalo.capabilities.blocks import overview
from abalo.core.results import Json
from abalo.reporting.checking.faults import Fault, differing
from abalo.reporting.checking.losses import loss_faults
from abalo.reporting.checking.verdicts import verdict_faults
from abalo.reporting.conclusion import concluded
from abalo.reporting.document import counts_of, with_top_level

__all__ = ["Fault", "differing", "faults"]

_COSTS = ("tasks", "forwards")
"""Fields at the top on which no verdict depends."""


def faults(document: Json) -> Iterator[Fault]:
    """Every field of a report that does not follow from other fields, the verdict on the run first.

    Fields that the report lacks are not asked for.
    """
    results, tasks = document["results"], document.get("tasks") or {}
    yield from differing("its verdict", document.get("verdict"), concluded(document).verdict, "its results")
    if document["complete"] and (document["missing"] or document["errors"]):
        yield Fault("complete", True, False, "its missing cases and errors")
    yield from verdict_faults(document)
    yield from loss_faults(document)
    yield from differing("counts", document.get("counts"), counts_of(results), "its results")
    for regression in document["regressions"]:
        same = regression.get("labels") is not None and regression.get("labels") == regression.get("recorded")
        if regression["status"] == "still broken" and not same:
            yield Fault(f"regressions[{regression['id']}].status", "still broken", "fixed", "its labels")
    if "capabilities" in document:
        yield from differing("capabilities", document["capabilities"], overview(results), "its results")
    if tasks:
        for name, value in with_top_level({"tasks": tasks}, results).items():
            if name in document and name not in _COSTS:
                yield from differing(name, document[name], value, "its tasks")
        bounds = [own.get("bounds") for own in tasks.values()]
        if None not in bounds and "bounds" in (document.get("gate") or {}):
            yield from differing("gate.bounds", document["gate"]["bounds"], sum(bounds), "its tasks")
