"""The results that a report shows, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from abalo.core.documents.blocks import Measured, VerdictMark
from abalo.core.documents.document import Document, TaskFacts
from abalo.core.documents.found import DrawnFields, GroupFacts, JudgementFacts, RequirementFacts, Result, certain
from abalo.core.protocols import probe_report
from abalo.core.protocols.probe import probes
from abalo.core.protocols.task import tasks
from abalo.core.protocols.units import units
from abalo.core.records import words
from abalo.core.statistics.metrics import Share
from abalo.core.statistics.verdicts import FEWEST_HOLDING
from abalo.errors import visible

if TYPE_CHECKING:
    from abalo.core.protocols.probe import Probe
    from abalo.core.protocols.task import Task
    from abalo.core.statistics.metrics import Metric

_WORST_FIRST = ("fail", "inconclusive", "pass", None)

# Which results ------------------------------------------------------------------------------------------------------


def task_of(result: Result) -> Task:
    """The result's task."""
    return tasks()[result.task]


def probe_of(result: Result) -> Probe:
    """The result's probe."""
    return probes()[result.probe]


def inputs_unasked(result: Result) -> int:
    """Inputs not asked for lack of calls."""
    return 0 if result.calls is None else result.calls.get("left_out", 0)


def by_case(document: Document) -> list[list[Result]]:
    """The results by case, the bound view first."""
    groups: dict[str, list[Result]] = {}
    for result in document.results:
        groups.setdefault(result.id, []).append(result)
    ordered = [sorted(group, key=lambda result: result.bound is None) for group in groups.values()]
    sizes: dict[str, int] = {}
    for group in ordered:
        sizes[group[0].task] = sizes.get(group[0].task, 0) + 1
    return sorted(ordered, key=lambda group: (-sizes[group[0].task], group[0].task, not is_floor(group[0])))


def cases(document: Document) -> list[Result]:
    """One result per case."""
    return [group[0] for group in by_case(document)]


def siblings(result: Result, document: Document) -> list[Result]:
    """The other views of the case."""
    return [other for other in document.results if other.id == result.id and other.view != result.view]


def facts_of(document: Document, task: str) -> TaskFacts | None:
    """The facts of a task; None if unknown."""
    return document.tasks.get(task)


def is_floor(result: Result) -> bool:
    """Whether the case only measures the model's quality."""
    task = task_of(result)
    return result.headline in (task.floor, task.graded.get(task.floor))


def views_differ(views: Sequence[Result]) -> bool:
    """Whether views differ to three decimals."""
    scores = {measured_number(view, task_of(view).floor).number for view in views}
    return len(scores) > 1


def needing_attention(document: Document) -> list[Result]:
    """Failed cases, blocking ones first, then inconclusive ones; each kind as charts order it."""
    asked = (result for result in cases(document) if result.verdict in ("fail", "inconclusive"))
    return sorted(asked, key=lambda result: (*rank(result)[:1], is_of_few(result), *worst_drawn_first(result)))


def worst_drawn_first(result: Result) -> tuple[int, bool, float]:
    """Ranks the verdict, then the number that a chart shows, as a share of its scale."""
    metric, number = metric_of(result, metric_to_draw(result)), number_to_draw(result)[0]
    return *rank(result), -_share(number.value or 0.0, metric)


def weight(result: Result) -> float:
    """The importance of a case."""
    worst, last = rank(result)
    return -4.0 * worst - 2.0 * last + cost(result)


def cost(result: Result) -> float:
    """The headline number as a cost, a share of the scale."""
    return _share(headline(result).value or 0.0, metric_of(result, result.headline))


def _share(value: float, metric: Metric) -> float:
    reach = max(abs(metric.low), abs(metric.high))
    lost = metric.high - value if metric.more_is_better else value
    return lost / (reach if 0 < reach < float("inf") else 1.0)


def groups_of(tables: Iterable[Mapping[str, GroupFacts]]) -> list[str]:
    """Every group with numbers, sorted, if `is_there`."""
    found: set[str] = set()
    for table in tables:
        found.update(group for group, row in table.items() if group not in found and is_there(row))
    return sorted(found)


def is_there(row: GroupFacts) -> bool:
    """Whether examples or numbers hold the group."""
    numbers = (each.value for each in row.more.values() if each is not None)
    return bool(row.support) or any(numbers)


def by_task(document: Document) -> list[tuple[Task, list[Result]]]:
    """The tasks with their results."""
    found: dict[str, list[Result]] = {}
    for result in cases(document):
        found.setdefault(result.task, []).append(result)
    for name in document.tasks:
        found.setdefault(name, [])
    return [(tasks()[name], results) for name, results in found.items()]


def of_corpus(results: Iterable[Result]) -> list[Result]:
    """The results about the corpus, not templates."""
    return [result for result in results if not probe_of(result).apart]


def by_probe(results: Iterable[Result]) -> list[tuple[str, list[Result]]]:
    """The results by probe name."""
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(result.probe, []).append(result)
    return [(name, found[name]) for name in probes() if name in found]


def title_in_task(title: str, task: Task, document: Document) -> str:
    """The title, with the task's if several ran."""
    several = len({*(result.task for result in document.results), *document.tasks}) > 1
    return f"{task.title}: {title}" if several else title


IMPOSSIBLE = "cannot happen here"


# Numbers ------------------------------------------------------------------------------------------------------------


def metric_of(result: Result, name: str) -> Metric:
    """A metric of the result's task."""
    return task_of(result).metrics()[name]


def measured_number(result: Result, name: str) -> Measured:
    """A number of a result, possibly empty."""
    return Measured.of(result.metrics.get(name), metric_of(result, name).unit)


NOISE = "noise"


def noise(result: Result, name: str) -> Measured | None:
    """The noise on the metric's scale; None if unmeasured."""
    found, metric = result.noise, metric_of(result, name)
    if not found or not metric.flips:
        return None
    scale = metric.value.scale if isinstance(metric.value, Share) else 1.0
    value, low, high = (None if end is None else scale * end for end in (found.value, found.low, found.high))
    return Measured(value, low, high, metric.unit)


_SHARES = {
    "flips": "clean to changed",
    "clean": "between clean repeats",
    "changed": "between changed repeats",
    "majority": "by majority",
}


def _with_noise(result: Result, name: str) -> str:
    found = noise(result, name)
    if found is None:
        return ""
    own = certain(result.noise)
    if name != own.metric or own.repeats is None:
        return f" (between two repeats of the clean corpus {found})"
    shares = ", ".join(f"{getattr(own, side):.3f} {said}" for side, said in _SHARES.items())
    return f" beyond noise (outputs that differ: {shares}; {own.repeats} repeats)"


def headline(result: Result) -> Measured:
    """The number that summarises the case."""
    return measured_number(result, result.headline)


def limit_of(result: Result, group: str | None = None) -> float | None:
    """The upper bound on the headline number, if any."""
    names = [f"max_{result.headline}"]
    if result.changed == result.sentences:
        names.append(names[0].removesuffix("_changed"))
    limits = {each.bound: each.limit for each in result.judgements if each.type == group}
    return next((limits[name] for name in names if name in limits), None)


def metric_to_draw(result: Result) -> str:
    """The metric that a chart shows: the one of the bound that decided, else the headline number."""
    perturbed = probe_of(result).perturbs
    for each in worst_first(result):
        name = each.bound.partition("_")[2]
        if perturbed and each.type is None and measured_number(result, name).value is not None:
            return name
    return result.headline


def number_to_draw(result: Result) -> tuple[Measured, float | None]:
    """The number that a chart shows, and its bound, if any."""
    name = metric_to_draw(result)
    if changed_nothing(result):
        return Measured(), None
    limits = [each for each in worst_first(result) if (each.bound.partition("_")[2], each.type) == (name, None)]
    return measured_number(result, name), limits[0].limit if limits else None


def is_of_few(result: Result) -> bool:
    """Whether a case changed fewer than 20 examples and no bound on it is decided."""
    return result.changed < FEWEST_HOLDING and result.verdict not in ("pass", "fail")


def changed_examples(result: Result) -> str:
    """The number of changed examples, such as ``180/200``."""
    return probe_report.changed_share(result) if probe_of(result).perturbs else words.NOTHING


def group_noun(result: Result) -> str:
    """A group in words, such as ``template``."""
    return units(probe_of(result), task_of(result)).group_noun


def group_in_words(result: Result, group: str) -> str:
    """The name of a group on pages."""
    return label_in_words(result.task, group)


def label_in_words(task: str, label: str) -> str:
    """The name of a label of a task on pages."""
    return words.label(tasks()[task].report.group_names.get(label, label))


# Cases in words -----------------------------------------------------------------------------------------------------


def scenario(result: Result) -> str:
    """The case in words, such as ``Character noise (rate 0.1)``."""
    return case_in_words(result, probe_of(result).report.settings(result))


def case_in_words(result: Result, settings: Sequence[str]) -> str:
    """The case in words, with these settings."""
    every = [*settings, *map(_requirement, DrawnFields.of(result).require)]
    return words.name(probe_of(result).report.title(result) + (f" ({', '.join(every)})" if every else ""))


def _requirement(each: RequirementFacts) -> str:
    return f"{words.identifier_in_words(each.validator)} {_sign(each.side)} {each.limit:g}"


def bounds(result: Result, *, detectable: bool = True, beside: str = "") -> str:
    """All bounds of a case, failed ones first; ``beside`` names the metric shown before its bound."""
    parts = []
    for each in worst_first(result):
        metric = metric_of(result, each.bound.partition("_")[2])
        seen = (
            ""
            if not each.detectable_loss or not detectable or each.verdict == "fail"
            else f" (detectable loss {limit_in_words(round(each.detectable_loss, 3), metric)})"
        )
        said = bound(result, each.bound, each.limit, each.type)
        if each.type is None and metric.name == beside:
            said = f"allowed{said.removeprefix(metric.words).removesuffix(metric.unit)}".rstrip()
        parts.append(said + seen)
    return "; ".join(parts) or words.NOTHING


def bound(result: Result, key: str, limit: float, group: str | None = None) -> str:
    """A bound as a relation, such as ``loss of SOME GROUP ≤ 0.100``."""
    side, _, name = key.partition("_")
    metric = metric_of(result, name)
    return f"{metric.words}{_of(group)} {_sign(side)} {limit_in_words(limit, metric)}"


def outcome(result: Result) -> str:
    """The named headline number, such as ``loss 0.214 [0.184, 0.244]``."""
    name = result.headline
    return f"{metric_of(result, name).words} {headline(result)}{_with_noise(result, name)}"


def changed_nothing(result: Result) -> bool:
    """Whether a perturbation changed no example; then its numbers say nothing."""
    probe = probe_of(result)
    return probe.perturbs and not probe.searches and not result.changed


def judged_metric(result: Result) -> str:
    """The metric of `judged_number`; "" if nothing changed."""
    worst = next(iter(worst_first(result)), None)
    if changed_nothing(result):
        return ""
    return result.headline if worst is None or worst.type or worst.value is None else worst.bound.partition("_")[2]


def judged_number(result: Result) -> str:
    """The named number of the worst bound; "" if nothing changed."""
    name = judged_metric(result)
    if name in ("", result.headline):
        return outcome(result) if name else ""
    metric = metric_of(result, name)
    return f"{metric.words} {Measured.of(worst_first(result)[0], metric.unit)}{_with_noise(result, name)}"


def verdict(result: Result) -> VerdictMark:
    """The verdict on a case."""
    found = result.verdict
    if found is None:
        return VerdictMark(None, IMPOSSIBLE if result.reason else "measured")
    return VerdictMark(found, words.state(found) + " (not blocking)" * (not result.blocking))


def judgement(judged: JudgementFacts, result: Result) -> str:
    """An estimate, such as ``loss 0.310 [0.262, 0.358], allowed ≤ 0.250; p < 0.001``."""
    side, _, name = judged.bound.partition("_")
    metric = metric_of(result, name)
    if changed_nothing(result):
        return bound(result, judged.bound, judged.limit, judged.type)
    line = f"{metric.words}{_of(judged.type)} {Measured.of(judged, metric.unit)}{_with_noise(result, name)}"
    line += f", allowed {_sign(side)} {limit_in_words(judged.limit, metric)}"
    return line if judged.p is None else f"{line}; {words.equals_p(judged.p)}"


def beyond(judged: JudgementFacts, result: Result) -> str:
    """A failed bound in the fewest words, such as ``0.310 > 0.250``."""
    side, _, name = judged.bound.partition("_")
    metric = metric_of(result, name)
    limit = limit_in_words(judged.limit, metric)
    return f"{Measured.of(judged, metric.unit).number} {'<' if side == 'min' else '>'} {limit}"


def doubt(judged: JudgementFacts, result: Result) -> str:
    """Why a judgement is uncertain and what would help, or ""."""
    parts = [visible(judged.reason)] if judged.reason else []
    if judged.needed is not None:
        group, metric = judged.type, metric_of(result, judged.bound.partition("_")[2])
        changed, kind = "changed " * metric.changed_only, f" with {words.label(group)}" if group else ""
        unit = f"distinct {changed}{probe_of(result).unit(task_of(result))}{kind}"
        of = result.per_type[group].more if group else result.metrics
        here = certain(of[metric.name]).n if group or changed else result.distinct
        if f"{judged.needed:,} {unit}" not in (judged.reason or ""):
            parts.append(f"about {judged.needed:,} {unit} would settle it ({here:,} here)")
    return "; ".join(parts)


def worst_first(result: Result) -> list[JudgementFacts]:
    """The judgements: failed, undecided, then the rest."""
    return sorted(result.judgements, key=lambda judged: _WORST_FIRST.index(judged.verdict))


def deciding(result: Result) -> list[JudgementFacts]:
    """The judgements behind the verdict."""
    return [judged for judged in result.judgements if judged.verdict == result.verdict]


def rank(result: Result) -> tuple[int, bool]:
    """Ranks the verdict, failed and blocking first."""
    return _WORST_FIRST.index(result.verdict), not result.blocking


def limit_in_words(limit: float, metric: Metric) -> str:
    """A limit with its unit, such as ``50 of 1,000 edits``."""
    return f"{limit:g} {metric.unit}" if metric.unit else words.limit(limit)


def _sign(side: str) -> str:
    return "≥" if side == "min" else "≤"


def _of(group: str | None) -> str:
    return f" of {words.label(group)}" if group else ""
