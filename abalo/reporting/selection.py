"""Which results a report shows where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]
"""The document of docs/schema.md, or a part of it."""

_WORST_FIRST = ("fail", "inconclusive", "pass", None)


def by_case(document: Json) -> list[list[Json]]:
    """The results of each case together, the one to show first: the bound view, else the first, which has the examples.

    The baseline comes first, other cases in document order, those about questions last, their baseline first.
    """
    groups: dict[tuple[str, str | None], list[Json]] = {}
    for result in document["results"]:
        groups.setdefault(_case(result), []).append(result)
    ordered = [sorted(group, key=_preference) for group in groups.values()]
    return sorted(ordered, key=lambda group: (is_about_questions(group[0]), not is_baseline(group[0])))


def cases(document: Json) -> list[Json]:
    """The one result to show for each case, in the order of `by_case`."""
    return [group[0] for group in by_case(document)]


def siblings(result: Json, document: Json) -> list[Json]:
    """The other views of the same case, in document order."""
    return [other for other in document["results"] if _case(other) == _case(result) and other["view"] != result["view"]]


def views_differ(result: Json, others: Sequence[Json]) -> bool:
    """Whether F1 depends on the view, to three decimals: it does once the number of tokens has changed."""
    scores = {measured_value(view["metrics"]["f1"]) for view in (result, *others)}
    return len({score if score is None else round(score, 3) for score in scores}) > 1


def is_search(result: Json) -> bool:
    """Whether the case is an attack that searches for the change that breaks the model."""
    return result["attack"] is not None


def is_promise(result: Json) -> bool:
    """Whether the case is a promise about single edits."""
    return result["promise"] is not None


def is_about_questions(result: Json) -> bool:
    """Whether the case is about multiple-choice questions, not about tags."""
    return result["questions"] is not None


def is_slice(result: Json) -> bool:
    """Whether the case is about a part of the corpus, in which nothing is perturbed."""
    return result["slice"] is not None


def is_baseline(result: Json) -> bool:
    """Whether nothing is perturbed in the case."""
    return bool(result["perturbation"] == "baseline")


def has_f1(result: Json) -> bool:
    """Whether F1 says how the case fared: not where one entity is attacked, or one edit made, in each sentence."""
    return not is_search(result) and not is_promise(result) and not is_about_questions(result)


def headline_metric(result: Json) -> str:
    """The metric that says at once how a perturbed case fared; 0 is best.

    Of an attack that searches it is how often it succeeds, of a promise how often it is broken, of a slice how far its
    F1 lies below that of the rest, of questions how often an answer changes with the variant.
    """
    if is_about_questions(result):
        return "fragility_score"
    if is_promise(result):
        return "violations_per_thousand"
    if is_slice(result):
        return "f1_gap"
    return "success_rate" if is_search(result) else "f1_drop"


def needing_attention(document: Json) -> list[Json]:
    """Cases that failed, those that block first, then the inconclusive ones; else in document order."""
    return sorted((result for result in cases(document) if result["verdict"] in ("fail", "inconclusive")), key=_rank)


def most_telling(results: Sequence[Json], limit: int) -> list[Json]:
    """At most ``limit`` results in their order: failed ones are kept before others, then what lost most."""
    ranked = sorted(results, key=lambda result: (_rank(result), -_loss(result)))
    kept = {id(result) for result in ranked[:limit]}
    return [result for result in results if id(result) in kept]


def entity_types(document: Json) -> list[str]:
    """Every entity type that the baseline or a result has a number for, sorted."""
    tables = [document.get("baseline") or {}, *document.get("results", ())]
    return sorted({kind for table in tables for kind in table.get("per_type", ())})


def measured_value(estimate: Json | None) -> float | None:
    """The value of a measured number; None where it has no meaning."""
    value: float | None = None if estimate is None else estimate["value"]
    return value


def _case(result: Json) -> tuple[str, str | None]:
    return result["id"], result["span_source"]


def _preference(result: Json) -> int:
    return int(result["bound"] is None)


def _loss(result: Json) -> float:
    return measured_value(result["metrics"][headline_metric(result)]) or 0.0


def _rank(result: Json) -> tuple[int, bool]:
    return _WORST_FIRST.index(result["verdict"]), not result["blocking"]
