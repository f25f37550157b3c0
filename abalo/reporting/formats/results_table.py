"""The table of cases as data for a script."""

from __future__ import annotations

from abalo.core.documents.blocks import Measured
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.documents.losses_found import LossFacts
from abalo.core.protocols.results import (
    bound,
    changed_nothing,
    is_there,
    label_in_words,
    measured_number,
    metric_of,
    metric_to_draw,
    probe_of,
    scenario,
    task_of,
)
from abalo.core.records import words
from abalo.core.records.example import JsonObject
from abalo.errors import visible
from abalo.reporting.documents.standing import REGRESSED, regressions, standing
from abalo.reporting.drawing.lanes import anchor

_PLACES = 6


def row(result: Result, loss: LossFacts | None, document: Document) -> JsonObject:
    """Returns a case as plain values.

    ``where`` names the group if only a group regressed; ``margin`` is the distance of the number to the nearest bound
    on it, negative beyond it, and ``bound`` this bound in words.
    """
    shown = metric_to_draw(result)
    margin, nearest = _nearest(result, shown)
    metric = metric_of(result, shown)
    decided, lost = standing(result, document), regressions(document).get(result.id)
    lead = None if lost is None else lost.loss
    return {
        "id": visible(result.id),
        "anchor": anchor(result.id),
        "name": visible(scenario(result)),
        "task": task_of(result).title,
        "kind": words.identifier_in_words(probe_of(result).name),
        "verdict": decided.verdict or "unjudged",
        "sign": words.sign(decided.verdict),
        "word": decided.word,
        "metric": metric.words,
        "unit": metric.unit,
        "number": _numbers(Measured() if changed_nothing(result) else measured_number(result, shown)),
        "margin": margin,
        "bound": nearest,
        "loss": _numbers(Measured() if loss is None else Measured.of(loss)),
        "state": REGRESSED if lost is not None else None if loss is None else words.state(loss.state),
        "where": "" if lead is None or lead.type is None else label_in_words(result.task, lead.type),
        "groups": {
            visible(group): _numbers(Measured.of(own.more[shown]))
            for group, own in result.per_type.items()
            if own.more.get(shown) and is_there(own)
        },
    }


def losses_of(document: Document) -> dict[str, LossFacts]:
    """Returns each case's overall loss by id."""
    compared = {} if document.comparison is None else document.comparison.tasks
    found = [each for own in compared.values() for each in (own.baseline, *own.losses) if each]
    return {each.id or "": each for each in found if each.type is None}


def _nearest(result: Result, shown: str) -> tuple[float | None, str]:
    if changed_nothing(result):
        return None, ""
    margins = [
        (each.limit - each.value if each.bound.startswith("max") else each.value - each.limit, each)
        for each in result.judgements
        if each.value is not None and each.type is None and each.bound.partition("_")[2] == shown
    ]
    if not margins:
        return None, ""
    margin, nearest = min(margins, key=lambda each: each[0])
    return _round(margin), visible(bound(result, nearest.bound, nearest.limit, nearest.type))


def _numbers(found: Measured) -> list[float | None]:
    return [_round(end) for end in found.ends]


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, _PLACES) + 0.0
