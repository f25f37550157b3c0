"""The table of all cases of a page, as data that a script sorts and filters."""

from __future__ import annotations

from typing import Any

from abalo.core import words
from abalo.core.blocks import Measured
from abalo.core.results import Json, headline, is_there, metric_of, probe_of, scenario, task_of
from abalo.errors import visible
from abalo.reporting.lanes import anchor
from abalo.reporting.standing import REGRESSED, regressions, standing

_PLACES = 4
"""Decimals of numbers: one more than is shown."""


def row(result: Json, loss: Json | None, document: Json) -> dict[str, Any]:
    """A case as plain values; ``loss`` is what it lost against the reference, if that is known.

    A case that lost as a whole or in a group is regressed; ``where`` names the group if a group alone did.

    ``number`` is its headline number with the ends of its interval, ``groups`` the same of each group, ``margin`` how
    far it is from its nearest bound, negative beyond it.
    """
    metric = metric_of(result, result["headline"])
    decided, lost = standing(result, document), regressions(document).get(result["id"])
    lead = None if lost is None else lost.loss
    return {
        "id": visible(result["id"]),
        "anchor": anchor(result["id"]),
        "name": visible(scenario(result)),
        "task": task_of(result).title,
        "kind": words.spoken(probe_of(result).name),
        "verdict": decided.verdict or "unjudged",
        "sign": words.sign(decided.verdict),
        "word": decided.word,
        "metric": metric.words,
        "unit": metric.unit,
        "number": _numbers(headline(result)),
        "margin": _margin(result),
        "loss": None if loss is None else _rounded(loss["value"]),
        "state": REGRESSED if lost is not None else None if loss is None else loss["state"],
        "where": "" if lead is None or lead["type"] is None else words.name(lead["type"]),
        "groups": {
            visible(group): _numbers(Measured.of(own[result["headline"]]))
            for group, own in result["per_type"].items()
            if own.get(result["headline"]) and is_there(own)
        },
    }


def losses_of(document: Json) -> dict[str, Json]:
    """The loss of each case as a whole against the reference, by the id of the case."""
    compared = document.get("comparison") or {"tasks": {}}
    found = [each for own in compared["tasks"].values() for each in (own["baseline"], *own["losses"]) if each]
    return {each["id"]: each for each in found if each["type"] is None}


def _margin(result: Json) -> float | None:
    """The smallest distance of a bound from what it is about; None without a bound on a number."""
    margins = [
        each["limit"] - each["value"] if each["bound"].startswith("max") else each["value"] - each["limit"]
        for each in result["judgements"]
        if each["value"] is not None
    ]
    return _rounded(min(margins, default=None))


def _numbers(found: Measured) -> list[float | None]:
    return [_rounded(end) for end in found.ends]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _PLACES) + 0.0
