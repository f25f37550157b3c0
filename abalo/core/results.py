"""The results in a document: which of them a report shows, and what they are in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from abalo.core import probe_report, words
from abalo.core.blocks import Measured, Verdict
from abalo.core.metrics import Share
from abalo.core.probe import probes
from abalo.core.task import tasks
from abalo.core.units import units
from abalo.errors import visible

if TYPE_CHECKING:
    from abalo.core.metrics import Metric
    from abalo.core.probe import Probe
    from abalo.core.task import Task

Json = Mapping[str, Any]
"""The document of docs/reference/report.md, or a part of it."""

_WORST_FIRST = ("fail", "inconclusive", "pass", None)

# Which results ------------------------------------------------------------------------------------------------------


def task_of(result: Json) -> Task:
    """The task that the case is of."""
    return tasks()[result["task"]]


def probe_of(result: Json) -> Probe:
    """The kind of the case."""
    return probes()[result["probe"]]


def by_case(document: Json) -> list[list[Json]]:
    """The results of each case together, the one to show first: the bound view, else the first, which has the examples.

    The task with the most cases comes first; in a task the case that says how good the model is, then document order.
    """
    groups: dict[tuple[str, str | None], list[Json]] = {}
    for result in document["results"]:
        groups.setdefault(_case(result), []).append(result)
    ordered = [sorted(group, key=lambda result: result["bound"] is None) for group in groups.values()]
    sizes: dict[str, int] = {}
    for group in ordered:
        sizes[group[0]["task"]] = sizes.get(group[0]["task"], 0) + 1
    return sorted(ordered, key=lambda group: (-sizes[group[0]["task"]], group[0]["task"], not is_floor(group[0])))


def cases(document: Json) -> list[Json]:
    """The one result to show for each case, in the order of `by_case`."""
    return [group[0] for group in by_case(document)]


def siblings(result: Json, document: Json) -> list[Json]:
    """The other views of the same case, in document order."""
    return [other for other in document["results"] if _case(other) == _case(result) and other["view"] != result["view"]]


def facts_of(document: Json, task: str) -> Json:
    """The facts about the model and the corpus of a task; empty where the run ended before they were known."""
    found: Json = (document.get("tasks") or {}).get(task, {})
    return found


def is_floor(result: Json) -> bool:
    """Whether the case says how good the model is, and no more."""
    task = task_of(result)
    return result["headline"] in (task.floor, task.graded.get(task.floor))


def views_differ(views: Sequence[Json]) -> bool:
    """Whether the views of a case differ to three decimals, as they do once an example has changed its length."""
    scores = {measured(view, task_of(view).floor).number for view in views}
    return len(scores) > 1


def needing_attention(document: Json) -> list[Json]:
    """Cases that failed, those that block first, then the inconclusive ones; else in document order."""
    return sorted((result for result in cases(document) if result["verdict"] in ("fail", "inconclusive")), key=_rank)


def weight(result: Json) -> float:
    """How much a case matters where not all can be shown: failed ones most, then what lost most."""
    worst, last = _rank(result)
    metric = metric_of(result, result["headline"])
    reach = max(abs(metric.low), abs(metric.high))
    lost = headline(result).value or 0.0
    lost = metric.high - lost if metric.more_is_better else lost
    return -4.0 * worst - 2.0 * last + lost / (reach if 0 < reach < float("inf") else 1.0)


def groups_of(results: Iterable[Json]) -> list[str]:
    """Every group, such as a type or class, that a result or a baseline has numbers for, sorted.

    Groups that `is_there` leaves out are none of them.
    """
    rows = [pair for result in results for pair in result.get("per_type", {}).items()]
    return sorted({group for group, row in rows if is_there(row)})


def is_there(row: Json) -> bool:
    """Whether corpus or model has the group of a row: its examples hold it, or one of its numbers is not 0.

    A perturbation can bring in labels that neither has, such as the types of names from another corpus.
    """
    numbers = (each.get("value") for each in row.values() if isinstance(each, dict))
    return bool(row.get("support")) or any(numbers)


def by_task(document: Json) -> list[tuple[Task, list[Json]]]:
    """The tasks of the run, each with the results to show, and those of which only the baseline is known."""
    found: dict[str, list[Json]] = {}
    for result in cases(document):
        found.setdefault(result["task"], []).append(result)
    for name in document.get("tasks") or {}:
        found.setdefault(name, [])
    return [(tasks()[name], results) for name, results in found.items()]


def of_corpus(results: Iterable[Json]) -> list[Json]:
    """The results whose units are of the corpus, and not of templates."""
    return [result for result in results if not probe_of(result).apart]


def by_probe(results: Iterable[Json]) -> list[tuple[str, list[Json]]]:
    """The results of each kind of case, by its name."""
    found: dict[str, list[Json]] = {}
    for result in results:
        found.setdefault(result["probe"], []).append(result)
    return [(name, found[name]) for name in probes() if name in found]


def titled(title: str, task: Task, document: Json) -> str:
    """The title, with that of the task where the run has several."""
    several = len({*(result["task"] for result in document["results"]), *(document.get("tasks") or {})}) > 1
    return f"{task.title}: {title}" if several else title


IMPOSSIBLE = "cannot happen here"
"""The verdict on a case that cannot make the model worse, in words."""


# Numbers ------------------------------------------------------------------------------------------------------------


def metric_of(result: Json, name: str) -> Metric:
    """A metric of the task of a result."""
    return task_of(result).metrics()[name]


def measured(result: Json, name: str) -> Measured:
    """A number of a result; without a value where the result does not have it, or it has no meaning."""
    return Measured.of(result["metrics"].get(name), metric_of(result, name).unit)


NOISE = "noise"
"""The field of a result with the share of labels that a random model changed when it was asked twice."""


def noise(result: Json, name: str) -> Measured | None:
    """The noise of the model on the scale of a metric; None for a metric that is not of flips, or without noise."""
    found, metric = result.get(NOISE), metric_of(result, name)
    if not found or not metric.flips:
        return None
    scale = metric.value.scale if isinstance(metric.value, Share) else 1.0
    return Measured.of({end: scale * found[end] for end in ("value", "low", "high")}, metric.unit)


def _with_noise(result: Json, name: str) -> str:
    found = noise(result, name)
    return "" if found is None else f" (noise {found})"


def headline(result: Json) -> Measured:
    """The number that says at once how the case fared."""
    return measured(result, result["headline"])


def limit_of(result: Json, group: str | None = None) -> float | None:
    """The upper bound on the headline number, overall or of one group; None where there is none.

    Where all was changed, the number over all is the same.
    """
    names = [f"max_{result['headline']}"]
    if result.get("changed") == result.get("sentences"):
        names.append(names[0].removesuffix("_changed"))
    limits = {each["bound"]: each["limit"] for each in result["judgements"] if each["type"] == group}
    return next((limits[name] for name in names if name in limits), None)


def limit_is_share(result: Json, judged: Json) -> bool:
    """Whether a bound is about a number from 0, or from -1, to 1."""
    return metric_of(result, judged["bound"].partition("_")[2]).high == 1.0


def changed(result: Json) -> str:
    """How many examples a case changed, such as ``180/200``; a dash where nothing is perturbed."""
    return probe_report.changed(result) if probe_of(result).perturbs else words.NOTHING


def group_noun(result: Json) -> str:
    """A group of numbers in words, such as ``template``."""
    return units(probe_of(result), task_of(result)).group_noun


# Cases in words -----------------------------------------------------------------------------------------------------


def scenario(result: Json) -> str:
    """The case in words, such as ``Character noise (rate 0.1)``, at most `words.NAME` characters."""
    return named(result, probe_of(result).report.settings(result))


def named(result: Json, settings: Sequence[str]) -> str:
    """The case in words with these settings and what its variants must keep."""
    every = [*settings, *map(_requirement, result["require"])]
    return words.name(probe_of(result).report.title(result) + (f" ({', '.join(every)})" if every else ""))


def _requirement(each: Json) -> str:
    return f"{words.spoken(each['validator'])} {_sign(each['side'])} {each['limit']:g}"


def bounds(result: Json, *, detectable: bool = True) -> str:
    """All bounds of a case, failed ones first, the others with their detectable loss if known; a dash for no bound.

    Without ``detectable`` no bound has its detectable loss.
    """
    parts = []
    for each in worst_first(result):
        metric = metric_of(result, each["bound"].partition("_")[2])
        seen = (
            ""
            if not each.get("sight") or not detectable or each["verdict"] == "fail"
            else f" (detectable loss {_limit(round(each['sight'], 3), metric)})"
        )
        parts.append(bound(result, each["bound"], each["limit"], each["type"]) + seen)
    return "; ".join(parts) or words.NOTHING


def bound(result: Json, key: str, limit: float, group: str | None = None) -> str:
    """A bound by its key in thresholds.toml as a relation, such as ``loss of SOME GROUP ≤ 0.100``."""
    side, _, metric = key.partition("_")
    return f"{metric_of(result, metric).words}{_of(group)} {_sign(side)} {_limit(limit, metric_of(result, metric))}"


def outcome(result: Json) -> str:
    """The headline number with its name, such as ``loss 0.214 [0.184, 0.244]``."""
    name = result["headline"]
    return f"{metric_of(result, name).words} {headline(result)}{_with_noise(result, name)}"


def verdict(result: Json) -> Verdict:
    """The verdict on a case in a word or two."""
    found = result["verdict"]
    if found is None:
        return Verdict(None, IMPOSSIBLE if result["reason"] else "measured")
    return Verdict(found, found if result["blocking"] else f"{found} (not blocking)")


def judgement(judged: Json, result: Json) -> str:
    """The estimate beside its bound, such as ``loss 0.310 [0.262, 0.358], allowed ≤ 0.250; p < 0.001``."""
    side, _, name = judged["bound"].partition("_")
    metric = metric_of(result, name)
    line = f"{metric.words}{_of(judged['type'])} {Measured.of(judged, metric.unit)}{_with_noise(result, name)}"
    line += f", allowed {_sign(side)} {_limit(judged['limit'], metric)}"
    return line if judged["p"] is None else f"{line}; {words.equals_p(judged['p'])}"


def doubt(judged: Json, result: Json) -> str:
    """Why a judgement is no plain pass or fail, and what would settle it; empty with nothing to say."""
    parts = [visible(judged["reason"])] if judged["reason"] else []
    if judged["needed"] is not None:
        group, metric = judged["type"], metric_of(result, judged["bound"].partition("_")[2])
        changed, kind = "changed " * metric.changed_only, f" with {words.name(group)}" if group else ""
        unit = f"distinct {changed}{probe_of(result).unit(task_of(result))}{kind}"
        of = result["per_type"][group] if group else result["metrics"]
        here = of[metric.name]["n"] if group or changed else result["distinct"]
        parts.append(f"about {judged['needed']:,} {unit} would settle it ({here:,} here)")
    return "; ".join(parts)


def worst_first(result: Json) -> list[Json]:
    """The judgements on a case: those that failed, the undecided, the rest; else in the order of the bounds."""
    return sorted(result["judgements"], key=lambda judged: _WORST_FIRST.index(judged["verdict"]))


def deciding(result: Json) -> list[Json]:
    """The judgements that made the verdict of a case."""
    return [judged for judged in result["judgements"] if judged["verdict"] == result["verdict"]]


def _case(result: Json) -> tuple[str, str | None]:
    return result["id"], result.get("span_source")


def _rank(result: Json) -> tuple[int, bool]:
    return _WORST_FIRST.index(result["verdict"]), not result["blocking"]


def _limit(limit: float, metric: Metric) -> str:
    return f"{words.limit(limit)} {metric.unit}".rstrip()


def _sign(side: str) -> str:
    return "≥" if side == "min" else "≤"


def _of(group: str | None) -> str:
    return f" of {words.name(group)}" if group else ""
