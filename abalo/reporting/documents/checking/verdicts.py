"""Recomputes stored verdicts from their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from abalo.core.clean_score import LEAST
from abalo.core.document import Document, Least, ScoreJudgement, TaskFacts
from abalo.core.found import Estimated, GroupFacts, Interval, JudgementFacts, Result, Taken, certain
from abalo.core.judging import worst_of
from abalo.core.metrics import Metric
from abalo.core.noise import least_flips
from abalo.core.numbers import STORED
from abalo.core.plan import BASELINE
from abalo.core.probe import probes
from abalo.core.records import as_json
from abalo.core.sequential import level_at, look_notes
from abalo.core.statistics import FEWEST_CLUSTERS
from abalo.core.task import tasks
from abalo.core.verdicts import FEWEST_HOLDING, Bound, Side, Verdict, level_of
from abalo.reporting.documents.checking.faults import Fault, differing, near, unlikely
from abalo.reporting.documents.document import NOT_BOUND, bounds_in

NUMBERS = "its numbers"

VerdictPair = tuple[Verdict, Verdict]
"""The verdict with and without correction."""

_OPEN: VerdictPair = ("inconclusive", "inconclusive")


@dataclass(frozen=True, slots=True)
class _Clean:
    task: str
    metrics: Mapping[str, Estimated | None]
    per_type: Mapping[str, GroupFacts]
    judgements: Sequence[JudgementFacts]
    probe: str = BASELINE
    taken: Taken | None = None


AnyResult = Result | _Clean

_SLACK = 1e-4
"""Numerical tolerance between p and the level."""


@dataclass(frozen=True, slots=True)
class _Rules:
    confidence: float | None
    m: int | None
    corrected: bool
    notes: Mapping[str, int] | None

    @property
    def alone(self) -> float | None:
        return self._spent(1)

    @property
    def level(self) -> float | None:
        return None if self.m is None else self._spent(self.m)

    def _spent(self, m: int) -> float | None:
        if self.confidence is None or self.notes is None:
            return None
        return level_at(self.notes, level_of(self.confidence, m, corrected=self.corrected))


def verdict_faults(document: Document) -> Iterator[Fault]:
    """Yields contradictions in stored verdicts and clean scores."""
    for result in document.results:
        yield from _of_result(result, document)
    yield from _corrections(document)
    clean: dict[str, Result] = {}
    for result in document.results:
        if result.id == f"{result.task}/{BASELINE}":
            clean.setdefault(result.task, result)
    for name, own in document.tasks.items():
        yield from _of_clean(name, own, clean.get(name), document)


def _corrections(document: Document) -> Iterator[Fault]:
    tasks_run = document.tasks
    for result in document.results:
        own = tasks_run.get(result.task)
        clean, bounds = (None, None) if own is None else (own.baseline.m, own.bounds)
        if result.m is None or result.id == f"{result.task}/{BASELINE}":
            continue
        if not isinstance(clean, int) or not isinstance(bounds, int):
            continue
        possible = {max(1, bounds - clean), *([max(1, bounds)] if clean == 1 else [])}
        if document.gate.correction == "none":
            possible = {1}
        yield from unlikely(f"results[{result.id}].m", result.m, sorted(possible), f"tasks.{result.task}.bounds")


def _of_result(result: Result, document: Document) -> Iterator[Fault]:
    place, judgements = f"results[{result.id}]", result.judgements
    if not judgements:
        expected = {name: value for name, value in NOT_BOUND.items() if name != "reason"}
        for name, value in expected.items():
            yield from differing(f"{place}.{name}", getattr(result, name), value, "its judgements")
        return
    yield from _of_judgements(place, result, result.m, document)
    yield from _deciding(place, result)
    yield from differing(
        f"{place}.bound",
        result.bound,
        bounds_in((each.bound, each.type, each.limit) for each in judgements),
        "its judgements",
    )


def _deciding(place: str, result: Result) -> Iterator[Fault]:
    verdict = worst_of([each.verdict for each in result.judgements])
    yield from unlikely(f"{place}.verdict", result.verdict, [verdict], "its judgements")
    same = [each for each in result.judgements if each.verdict == verdict]
    least = min(1.0 if each.p is None else each.p for each in same)
    first = [each for each in same if (1.0 if each.p is None else each.p) <= least + STORED]
    for name in ("p", "reason", "verdict_uncorrected"):
        yield from unlikely(
            f"{place}.{name}",
            getattr(result, name),
            dict.fromkeys(getattr(each, name) for each in first),
            "its judgements",
        )


def _rules(result: AnyResult, m: int | None, document: Document) -> _Rules:
    gate, taken = document.gate, result.taken
    notes: Mapping[str, int] | None = {}
    if taken is not None:
        notes = look_notes(taken.look, taken.of_distinct, taken.of_seeds)
    return _Rules(gate.confidence, m, gate.correction != "none", notes)


# Judgements -----------------------------------------------------------------------------------------------------------


def _of_judgements(place: str, result: AnyResult, m: int | None, document: Document) -> Iterator[Fault]:
    rules, failed = _rules(result, m, document), _failed_scores(result, document)
    for number, each in enumerate(result.judgements):
        here = f"{place}.judgements[{number}]"
        if any(_same_limit(each, score) for score in failed):
            for name in ("verdict", "verdict_uncorrected"):
                yield from unlikely(
                    f"{here}.{name}", getattr(each, name), ["fail"], f"tasks.{result.task}.baseline.{LEAST}"
                )
        else:
            yield from _of_judgement(here, each, result, rules)
            yield from _as_measured(here, each, _measured_bound(each, result))


def _of_judgement(place: str, judgement: JudgementFacts, result: AnyResult, rules: _Rules) -> Iterator[Fault]:
    decided = _decide_without_interval(judgement, result)
    possible = [(decided, decided)] if decided is not None else _possible(judgement, result, rules)
    said = judgement.verdict, judgement.verdict_uncorrected
    if said not in possible:
        verdicts = list(dict.fromkeys(verdict for verdict, _ in possible))
        if said[0] in verdicts:
            alone = list(dict.fromkeys(one for verdict, one in possible if verdict == said[0]))
            yield from unlikely(f"{place}.verdict_uncorrected", said[1], alone, NUMBERS)
        else:
            yield from unlikely(f"{place}.verdict", said[0], verdicts, NUMBERS)
    if decided is None:
        yield from _check_reason(place, judgement.verdict, judgement.reason)


def _check_reason(place: str, verdict: str, reason: str | None) -> Iterator[Fault]:
    if (verdict == "inconclusive") != (reason is not None):
        follows = "pass or fail" if reason is None else "inconclusive"
        yield Fault(f"{place}.verdict", verdict, follows, "its reason" if reason else "no reason beside it")


def _decide_without_interval(judgement: JudgementFacts, result: AnyResult) -> Verdict | None:
    return (
        None
        if not isinstance(result, Result) or result.probe == BASELINE
        else probes()[result.probe].decided_in(result, judgement)
    )


def _possible(judgement: JudgementFacts, result: AnyResult, rules: _Rules) -> Sequence[VerdictPair]:
    bound, metric = _bound(judgement), _metric(judgement, result)
    low, high, p = judgement.low, judgement.high, judgement.p
    if p is None or metric.keeps(bound.side, bound.limit):
        return [_OPEN]
    if low is None or high is None:
        return []
    alone, level = rules.alone, rules.level
    measured = _measured_bound(judgement, result)
    n = None if measured is None else measured.n
    few = n is not None and (n < FEWEST_HOLDING or (bound.type is not None and n < FEWEST_CLUSTERS))
    small = n is None or n < FEWEST_CLUSTERS
    found: list[VerdictPair] = [("fail", "fail")] if small and (level is None or p <= level + STORED) else []
    for own in () if few else _by_interval(bound, low, high):
        if alone == 0:
            found.append(_OPEN)
        elif small or alone is None or (p <= alone + _SLACK if own == "fail" else p >= alone - _SLACK):
            found += _correct(own, p, level, rules.corrected)
    noise = judgement.noise
    if noise is not None and any("fail" in pair for pair in found):
        flips = least_flips(metric, low, high)
        kept = found if flips > noise - STORED else [pair for pair in found if "fail" not in pair]
        found = kept if flips > noise + STORED else [*kept, _OPEN]
    if not metric.covered:
        found = [_OPEN if pair == ("pass", "pass") else pair for pair in found]
    return list(dict.fromkeys(found))


def _by_interval(bound: Bound, low: float, high: float) -> Iterator[Verdict]:
    better, worse = sorted((bound.excess(low), bound.excess(high)))
    if worse <= STORED:
        yield "pass"
    if better > -STORED:
        yield "fail"
    if better <= STORED and worse > -STORED and low < high:
        yield "inconclusive"


def _correct(own: Verdict, p: float, level: float | None, corrected: bool) -> Iterator[VerdictPair]:
    if own != "fail" or not corrected:
        yield own, own
        return
    if level is None or (level > 0 and p <= level + STORED):
        yield "fail", "fail"
    if level is None or level == 0 or p > level - STORED:
        yield "inconclusive", "fail"


def _bound(judgement: JudgementFacts | ScoreJudgement) -> Bound:
    side, _, metric = judgement.bound.partition("_")
    return Bound(
        metric, cast(Side, side), judgement.limit, judgement.type if isinstance(judgement, JudgementFacts) else None
    )


def _metric(judgement: JudgementFacts, result: AnyResult) -> Metric:
    return tasks()[result.task].metrics()[_bound(judgement).metric]


def _measured_bound(judgement: JudgementFacts | ScoreJudgement, result: AnyResult) -> Estimated | None:
    bound = _bound(judgement)
    group = GroupFacts(more=result.metrics) if bound.type is None else result.per_type.get(bound.type, GroupFacts())
    return group.more.get(bound.metric)


def _as_measured(place: str, judgement: Interval, measured: Estimated | None) -> Iterator[Fault]:
    if measured is None:
        return
    for name in ("value", "low", "high"):
        yield from differing(f"{place}.{name}", getattr(judgement, name), getattr(measured, name), "its metrics")


# Clean scores ---------------------------------------------------------------------------------------------------------


def _of_clean(name: str, own: TaskFacts, row: Result | None, document: Document) -> Iterator[Fault]:
    baseline, place = own.baseline, f"tasks.{name}.baseline"
    if row is not None:
        for field in ("verdict", "blocking", "m", "judgements"):
            if row.judgements or field == "judgements":
                said, follows = as_json(getattr(baseline, field)), as_json(getattr(row, field))
                yield from differing(f"{place}.{field}", said, follows, f"the case {row.id}")
        for metric, value in baseline.more.items():
            if metric in row.metrics and value is not None:
                follows = as_json(row.metrics[metric])
                yield from differing(f"{place}.{metric}", as_json(value), follows, f"the case {row.id}")
    judgements = baseline.judgements
    clean = _Clean(name, baseline.more, baseline.per_type, judgements)
    yield from _of_judgements(place, clean, baseline.m, document)
    if baseline.verdict is not None or judgements:
        verdicts = [each.verdict for each in judgements]
        yield from unlikely(f"{place}.verdict", baseline.verdict, [worst_of(verdicts)], "its judgements")
    for score in _failed_scores(clean, document):
        if not any(_same_limit(each, score) and each.verdict == "fail" for each in judgements):
            yield Fault(f"{place}.judgements", f"no failure of {score.bound}", "fail", f"{place}.{LEAST}")
    if baseline.least is not None:
        yield from _of_least(f"{place}.{LEAST}", baseline.least, clean)


def _failed_scores(result: AnyResult, document: Document) -> list[ScoreJudgement]:
    if result.probe != BASELINE:
        return []
    least = document.tasks[result.task].baseline.least if result.task in document.tasks else None
    return [] if least is None else [each for each in least.judgements if each.verdict == "fail"]


def _same_limit(judgement: JudgementFacts, score: ScoreJudgement) -> bool:
    names = ("bound", "limit", "value", "low", "high")
    return judgement.type is None and all(near(getattr(judgement, name), getattr(score, name)) for name in names)


def _of_least(place: str, least: Least, clean: AnyResult) -> Iterator[Fault]:
    rows = least.judgements
    floor = f"min_{tasks()[clean.task].floor}"
    alone = len({row.training for row in rows}) == 1
    for number, row in enumerate(rows):
        here, named = f"{place}.judgements[{number}]", f"training {row.training + 1}"
        reason = None if row.reason == named and not alone else row.reason
        yield from _check_reason(here, row.verdict, reason)
        measured = _measured_bound(row, clean)
        if alone and measured is not None:
            yield from _as_measured(here, row, measured)
        if row.value is not None and row.verdict != "inconclusive":
            small = measured is None or measured.n < FEWEST_CLUSTERS
            possible = [*_by_interval(_bound(row), certain(row.low), certain(row.high)), *(["fail"] if small else [])]
            yield from unlikely(f"{here}.verdict", row.verdict, possible, NUMBERS)
        if row.bound == floor and number == 0:
            yield from differing(f"{place}.limit", least.limit, row.limit, f"{place}.judgements")
    verdicts = {row.verdict for row in rows}
    state = "below" if "fail" in verdicts else "undecided" if "inconclusive" in verdicts else "above"
    yield from unlikely(f"{place}.state", least.state, [state], f"{place}.judgements")
    if (least.reason is None) != (state == "above"):
        yield Fault(f"{place}.reason", least.reason, f"a reason unless {'above'!r}", f"{place}.judgements")
