"""The verdicts of a stored report, recomputed from the numbers beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from abalo.core.clean_score import LEAST
from abalo.core.engine import TAKEN
from abalo.core.judging import worst_of
from abalo.core.metrics import Metric
from abalo.core.noise import least_flips
from abalo.core.numbers import STORED
from abalo.core.plan import BASELINE
from abalo.core.probe import probes
from abalo.core.results import NOISE, Json
from abalo.core.sequential import level_at, noted
from abalo.core.statistics import FEWEST_CLUSTERS
from abalo.core.task import tasks
from abalo.core.verdicts import FEWEST_HOLDING, Bound, Side, Verdict, level_of
from abalo.reporting.checking.faults import Fault, differing, near, unlikely
from abalo.reporting.document import NOT_BOUND, bounds_in

NUMBERS = "its numbers"

Pair = tuple[Verdict, Verdict]
"""A verdict and the one of the interval alone."""

_OPEN: Pair = ("inconclusive", "inconclusive")

_SLACK = 1e-4
"""How far p may be off the level at which its interval ends: both come from one curve, but not by the same steps."""


@dataclass(frozen=True, slots=True)
class _Rules:
    """How the bounds of a case were judged.

    ``confidence`` is that of the gate and ``m`` the number of bounds corrected for, None if the report lacks it.
    ``notes`` are those of a case that may stop early, and None if the report lacks them.
    """

    confidence: float | None
    m: int | None
    corrected: bool
    notes: Mapping[str, int] | None

    @property
    def alone(self) -> float | None:
        """The one-sided level of the interval."""
        return self._spent(1)

    @property
    def level(self) -> float | None:
        """The one-sided level that p is compared with."""
        return None if self.m is None else self._spent(self.m)

    def _spent(self, m: int) -> float | None:
        if self.confidence is None or self.notes is None:
            return None
        return level_at(self.notes, level_of(self.confidence, m, corrected=self.corrected))


def verdict_faults(document: Json) -> Iterator[Fault]:
    """The verdicts of results and of clean scores that do not follow from their numbers."""
    for result in document["results"]:
        yield from _of_result(result, document)
    yield from _corrections(document)
    clean: dict[str, Json] = {}
    for result in document["results"]:
        if result["id"] == f"{result['task']}/{BASELINE}":
            clean.setdefault(result["task"], result)
    for name, own in (document.get("tasks") or {}).items():
        yield from _of_clean(name, own, clean.get(name), document)


def _corrections(document: Json) -> Iterator[Fault]:
    """The bounds of a task are those on its clean corpus and those of its cases, each corrected for each other."""
    tasks_run = document.get("tasks") or {}
    for result in document["results"]:
        own = tasks_run.get(result["task"]) or {}
        clean, bounds = (own.get("baseline") or {}).get("m"), own.get("bounds")
        if result.get("m") is None or result["id"] == f"{result['task']}/{BASELINE}":
            continue
        if not isinstance(clean, int) or not isinstance(bounds, int):
            continue
        possible = {max(1, bounds - clean), *([max(1, bounds)] if clean == 1 else [])}
        if (document.get("gate") or {}).get("correction") == "none":
            possible = {1}
        yield from unlikely(
            f"results[{result['id']}].m", result["m"], sorted(possible), f"tasks.{result['task']}.bounds"
        )


def _of_result(result: Json, document: Json) -> Iterator[Fault]:
    """The faults of a case in one view: a view without bounds has no verdict."""
    place, judgements = f"results[{result['id']}]", result["judgements"]
    if not judgements:
        expected = {name: value for name, value in NOT_BOUND.items() if name != "reason"}
        for name, value in expected.items():
            yield from differing(f"{place}.{name}", result.get(name, value), value, "its judgements")
        return
    yield from _of_judgements(place, result, result.get("m"), document)
    yield from _deciding(place, result)
    yield from differing(f"{place}.bound", result["bound"], bounds_in(judgements), "its judgements")


def _deciding(place: str, result: Json) -> Iterator[Fault]:
    """The worst verdict over the bounds, and what is repeated of the judgement that made it."""
    verdict = worst_of([each["verdict"] for each in result["judgements"]])
    yield from unlikely(f"{place}.verdict", result["verdict"], [verdict], "its judgements")
    same = [each for each in result["judgements"] if each["verdict"] == verdict]
    least = min(1.0 if each["p"] is None else each["p"] for each in same)
    first = [each for each in same if (1.0 if each["p"] is None else each["p"]) <= least + STORED]
    for name in (each for each in ("p", "reason", "verdict_uncorrected") if each in result):
        yield from unlikely(
            f"{place}.{name}", result.get(name), dict.fromkeys(each[name] for each in first), "its judgements"
        )


def _rules(result: Json, m: int | None, document: Json) -> _Rules:
    gate, taken = document.get("gate") or {}, result.get(TAKEN)
    notes: Mapping[str, int] | None = {}
    if taken is not None:
        known = "of_distinct" in taken
        notes = noted(taken["look"], taken["of_distinct"], taken["of_seeds"]) if known else None
    return _Rules(gate.get("confidence"), m, gate.get("correction") != "none", notes)


# Judgements -----------------------------------------------------------------------------------------------------------


def _of_judgements(place: str, result: Json, m: int | None, document: Json) -> Iterator[Fault]:
    rules, failed = _rules(result, m, document), _failed_scores(result, document)
    for number, each in enumerate(result["judgements"]):
        here = f"{place}.judgements[{number}]"
        if any(_same_limit(each, score) for score in failed):
            for name in ("verdict", "verdict_uncorrected"):
                yield from unlikely(f"{here}.{name}", each[name], ["fail"], f"tasks.{result['task']}.baseline.{LEAST}")
        else:
            yield from _of_judgement(here, each, result, rules)
            yield from _as_measured(here, each, _measured(each, result))


def _of_judgement(place: str, judgement: Json, result: Json, rules: _Rules) -> Iterator[Fault]:
    decided = _decided(judgement, result)
    possible = [(decided, decided)] if decided is not None else _possible(judgement, result, rules)
    said = judgement["verdict"], judgement["verdict_uncorrected"]
    if said not in possible:
        verdicts = list(dict.fromkeys(verdict for verdict, _ in possible))
        if said[0] in verdicts:
            alone = list(dict.fromkeys(one for verdict, one in possible if verdict == said[0]))
            yield from unlikely(f"{place}.verdict_uncorrected", said[1], alone, NUMBERS)
        else:
            yield from unlikely(f"{place}.verdict", said[0], verdicts, NUMBERS)
    if decided is None:
        yield from _reasoned(place, judgement["verdict"], judgement["reason"])


def _reasoned(place: str, verdict: str, reason: str | None) -> Iterator[Fault]:
    """A verdict is inconclusive if there is a reason for it, and only then."""
    if (verdict == "inconclusive") != (reason is not None):
        follows = "pass or fail" if reason is None else "inconclusive"
        yield Fault(f"{place}.verdict", verdict, follows, "its reason" if reason else "no reason beside it")


def _decided(judgement: Json, result: Json) -> Verdict | None:
    """The verdict of a case that no interval decides."""
    return None if result["probe"] == BASELINE else probes()[result["probe"]].decided_in(result, judgement)


def _possible(judgement: Json, result: Json, rules: _Rules) -> Sequence[Pair]:
    """The verdicts that the numbers of a judgement allow; several if they were rounded to a limit."""
    bound, metric = _bound(judgement), _metric(judgement, result)
    low, high, p = judgement["low"], judgement["high"], judgement["p"]
    if p is None or metric.keeps(bound.side, bound.limit):
        return [_OPEN]
    if low is None or high is None:
        return []
    alone, level = rules.alone, rules.level
    measured = _measured(judgement, result)
    n = None if measured is None else measured["n"]
    few = n is not None and (n < FEWEST_HOLDING or (bound.type is not None and n < FEWEST_CLUSTERS))
    small = n is None or n < FEWEST_CLUSTERS
    found: list[Pair] = [("fail", "fail")] if small and (level is None or p <= level + STORED) else []
    for own in () if few else _by_interval(bound, low, high):
        if alone == 0:
            found.append(_OPEN)
        elif small or alone is None or (p <= alone + _SLACK if own == "fail" else p >= alone - _SLACK):
            found += _corrected(own, p, level, rules.corrected)
    noise = judgement.get(NOISE)
    if noise is not None and any("fail" in pair for pair in found):
        flips = least_flips(metric, low, high)
        kept = found if flips > noise - STORED else [pair for pair in found if "fail" not in pair]
        found = kept if flips > noise + STORED else [*kept, _OPEN]
    return list(dict.fromkeys(found))


def _by_interval(bound: Bound, low: float, high: float) -> Iterator[Verdict]:
    """The verdicts of an interval whose ends, like the limit, were rounded."""
    better, worse = sorted((bound.excess(low), bound.excess(high)))
    if worse <= STORED:
        yield "pass"
    if better > -STORED:
        yield "fail"
    if better <= STORED and worse > -STORED and low < high:
        yield "inconclusive"


def _corrected(own: Verdict, p: float, level: float | None, corrected: bool) -> Iterator[Pair]:
    """The verdicts after correction for other bounds."""
    if own != "fail" or not corrected:
        yield own, own
        return
    if level is None or (level > 0 and p <= level + STORED):
        yield "fail", "fail"
    if level is None or level == 0 or p > level - STORED:
        yield "inconclusive", "fail"


def _bound(judgement: Json) -> Bound:
    side, _, metric = judgement["bound"].partition("_")
    return Bound(metric, cast(Side, side), judgement["limit"], judgement.get("type"))


def _metric(judgement: Json, result: Json) -> Metric:
    return tasks()[result["task"]].metrics()[_bound(judgement).metric]


def _measured(judgement: Json, result: Json) -> Json | None:
    """The measured number that a bound is about, as the result has it; None if it has none."""
    bound = _bound(judgement)
    found = result["metrics"] if bound.type is None else result["per_type"].get(bound.type, {})
    return cast("Json | None", found.get(bound.metric))


def _as_measured(place: str, judgement: Json, measured: Json | None) -> Iterator[Fault]:
    """The number and its interval are those of the metric, if the report has it."""
    if measured is None:
        return
    for name in ("value", "low", "high"):
        yield from differing(f"{place}.{name}", judgement[name], measured[name], "its metrics")


# Clean scores ---------------------------------------------------------------------------------------------------------


def _of_clean(name: str, own: Json, row: Json | None, document: Json) -> Iterator[Fault]:
    """The faults of the clean corpus of a task; ``row`` is its result, None if it is none of the run."""
    baseline, place = own["baseline"], f"tasks.{name}.baseline"
    for field in ("verdict", "blocking", "m", "judgements") if row is not None and "verdict" in baseline else ():
        if field in baseline and row is not None and (row["judgements"] or field == "judgements"):
            yield from differing(f"{place}.{field}", baseline[field], row[field], f"the case {row['id']}")
    if row is not None:
        for metric, value in baseline.items():
            if metric in row["metrics"] and isinstance(value, Mapping):
                yield from differing(f"{place}.{metric}", value, row["metrics"][metric], f"the case {row['id']}")
    judgements = baseline.get("judgements", ())
    clean = {
        "task": name,
        "probe": BASELINE,
        "metrics": baseline,
        "per_type": baseline.get("per_type", {}),
        "judgements": judgements,
    }
    yield from _of_judgements(place, clean, baseline.get("m"), document)
    if "verdict" in baseline:
        verdicts = [each["verdict"] for each in judgements]
        yield from unlikely(f"{place}.verdict", baseline["verdict"], [worst_of(verdicts)], "its judgements")
    for score in _failed_scores(clean, document):
        if not any(_same_limit(each, score) and each["verdict"] == "fail" for each in judgements):
            yield Fault(f"{place}.judgements", f"no failure of {score['bound']}", "fail", f"{place}.{LEAST}")
    if (baseline.get(LEAST) or {}).get("judgements") is not None:
        yield from _of_least(f"{place}.{LEAST}", baseline[LEAST], clean)


def _failed_scores(result: Json, document: Json) -> list[Json]:
    """The limits that the clean score of a training is wholly below, which stand among the bounds too."""
    if result["probe"] != BASELINE:
        return []
    own = ((document.get("tasks") or {}).get(result["task"]) or {}).get("baseline") or {}
    return [each for each in (own.get(LEAST) or {}).get("judgements", ()) if each["verdict"] == "fail"]


def _same_limit(judgement: Json, score: Json) -> bool:
    """Whether a judgement is that on the clean score of a training."""
    names = ("bound", "limit", "value", "low", "high")
    return judgement["type"] is None and all(near(judgement[name], score[name]) for name in names)


def _of_least(place: str, least: Json, clean: Json) -> Iterator[Fault]:
    """The faults of how clean scores were judged."""
    rows = least["judgements"]
    floor = f"min_{tasks()[clean['task']].floor}"
    alone = len({row["training"] for row in rows}) == 1
    for number, row in enumerate(rows):
        here, named = f"{place}.judgements[{number}]", f"training {row['training'] + 1}"
        reason = None if row["reason"] == named and not alone else row["reason"]
        yield from _reasoned(here, row["verdict"], reason)
        measured = _measured(row, clean)
        if alone and measured is not None:
            yield from _as_measured(here, row, measured)
        if row["value"] is not None and row["verdict"] != "inconclusive":
            small = measured is None or measured["n"] < FEWEST_CLUSTERS
            possible = [*_by_interval(_bound(row), row["low"], row["high"]), *(["fail"] if small else [])]
            yield from unlikely(f"{here}.verdict", row["verdict"], possible, NUMBERS)
        if row["bound"] == floor and number == 0:
            yield from differing(f"{place}.limit", least["limit"], row["limit"], f"{place}.judgements")
    verdicts = {row["verdict"] for row in rows}
    state = "below" if "fail" in verdicts else "undecided" if "inconclusive" in verdicts else "above"
    yield from unlikely(f"{place}.state", least["state"], [state], f"{place}.judgements")
    if (least["reason"] is None) != (state == "above"):
        yield Fault(f"{place}.reason", least["reason"], f"a reason unless {'above'!r}", f"{place}.judgements")
