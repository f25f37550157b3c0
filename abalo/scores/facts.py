"""The document of judged scores, as in gate.json, and its conclusion."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal

from annotated_types import Ge, Le

from abalo.comparison.test.comparison import SAME
from abalo.comparison.test.newly import Turned
from abalo.core.documents.found import Interval
from abalo.core.documents.losses_found import TurnedFacts
from abalo.core.records.gate import UNDECIDED, Correction, Gate, Inconclusive
from abalo.core.records.json_records import Count, Json, JsonRecord, Name, Positive, Share, Size, declared, read
from abalo.core.records.words import count, limit, number
from abalo.core.statistics.losses import Loss, State
from abalo.core.statistics.numbers import interval_of, number_of
from abalo.core.statistics.verdicts import Judgement, Verdict
from abalo.errors import visible
from abalo.scores.judging import MOST_DROPPED, JudgedScores
from abalo.scores.pairing import PairedScores, scores_of
from abalo.scores.rows import ScoreFile
from abalo.scores.rules import Better

SCHEMA: Final = "abalo-gate/1"

_SEEN = 0.1
"""A comparison is blind if the loss may be larger, or a third of the reference's score."""

_SEEN_TIMES = 10
"""The same without a range, in largest losses."""

_NAMED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLoss(Interval):
    """The loss of a metric or a slice."""

    value: float | None = declared(
        "Loss: mean of the reference minus mean of the new scores, or the reverse if less is better, as a share of the "
        "range; without a range, in the unit of the scores. Positive is worse."
    )
    low: float | None = declared("Lower end of its corrected interval.")
    high: float | None = declared("Upper end.")
    slice: str | None = declared("The slice; null for all examples.")
    state: State = declared(
        "regressed: the interval is above the limit. improved: below 0. no worse: within the limit. same results: "
        "all scores are equal. not judged: too few examples, only shown. Otherwise undecided or not comparable."
    )
    reason: str | None = declared("Why it is undecided; null if the interval tells.")
    limit: float = declared("Largest allowed loss.")
    reference: float | None = declared("Mean of the reference, in the unit of the scores.")
    new: float | None = declared("Mean of the new scores.")
    p: Share | None = declared("One-sided p of a loss within the limit, corrected; null if not tested.")
    level: Annotated[float, Ge(0), Le(0.5)] | None = declared("Level that `p` is compared with.")
    detectable_loss: float | None = declared("Smallest loss that would be found with 80 % power.")
    uncorrected_high: float | None = declared("Upper end of the uncorrected interval; null for slices.")
    unit: Literal["example", "cluster"] = declared("What `n` and `discordant` count.")
    n: Count = declared("Number of distinct examples compared, or of clusters.")
    discordant: Count = declared("Number of those whose scores differ.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreBound(Interval):
    """A limit of the new scores."""

    bound: Literal["minimum", "maximum", "max_newly_wrong"] = declared("Key of the limit.")
    limit: float = declared("Limit, inclusive.")
    verdict: Verdict = declared("fail: the whole interval is beyond the limit after correction. pass: all is within.")
    reason: str | None = declared("Why it is inconclusive; null if decided.")
    p: Share | None = declared("One-sided p of the limit being held; null if not judged.")
    needed: Count | None = declared("Estimated number of distinct examples that would decide; null if none would.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LostExample(JsonRecord):
    """An example with a lower score now."""

    id: str
    reference: float
    new: float | None = declared("The new score; null if it is missing.")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedMetric(JsonRecord):
    """One metric of both files."""

    range: Sequence[float] | None = declared("Smallest and largest score; null without limits.")
    better: Better = declared("Whether more or less is better.")
    blocking: bool = declared("Whether a failure fails the gate.")
    reference: float | None = declared("Mean of the reference over the compared examples; null without a reference.")
    new: Interval = declared("Mean of the new scores.")
    loss: ScoreLoss | None = declared("Loss against the reference; null without one.")
    slices: Sequence[ScoreLoss] = declared("Losses of slices.")
    bounds: Sequence[ScoreBound] = declared("Limits of the new scores.")
    newly_wrong: TurnedFacts | None = declared(
        "Examples that were right and are wrong now; null unless all scores are 0 or 1 and each example has one run."
    )
    newly_right: TurnedFacts | None = declared("Examples that were wrong and are right now, likewise.")
    noise: Sequence[float | None] = declared(
        "Standard deviation of the mean over one run of each example, of the reference and of the new scores; null "
        "without several runs."
    )
    of: Count = declared("Number of examples with a score in the reference.")
    missing: Count = declared("Number of examples without a new score, which count as the worst.")
    empty_runs: Count = declared(
        "Number of new runs without a score, of examples with others; they count as the worst."
    )
    dropped_runs: Count = declared("Number of those that are left out instead.")
    fewer_runs: Count = declared("Number of examples with fewer runs than in the reference.")
    dropped: Count = declared("Number of examples without a new score that are left out.")
    only_new: Count = declared("Number of examples that only the new file has.")
    only_new_ids: Sequence[str] = declared("The first of them, at most 20.")
    lost: Sequence[LostExample] = declared("Examples that lost most, at most 10.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreFileFacts(JsonRecord):
    """A file of scores."""

    name: str = declared("Path as given.")
    reader: str = declared("What it was read as.")
    accepted: Json | None = declared(
        "Date and commit of the acceptance; null if not accepted.", default=None, required=True
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GateDocument(JsonRecord):
    """Judged scores."""

    schema: Literal["abalo-gate/1"] = SCHEMA
    verdict: Literal["pass", "fail", "inconclusive", "measured"] = declared("Verdict.")
    headline: Name = declared("PASS, OK, FAIL, INCONCLUSIVE, UNDECIDED, or MEASURED, NOT JUDGED.")
    exit_code: Count = declared("Exit code.")
    reasons: Sequence[str] = declared("Why nothing was decided.")
    thresholds: str | None = declared("Thresholds file; null without one.")
    confidence: Annotated[float, Ge(0.5), Le(1)] = declared("Confidence of every interval.")
    correction: Correction = declared("Correction of the level for the number of losses and limits.")
    inconclusive: Inconclusive = declared("Effect of an undecided loss or limit on the exit code.")
    resamples: Positive = declared("Bootstrap draws behind each interval.")
    level: Size = declared("Level of all losses; three quarters are for metrics, one for slices.")
    reference: ScoreFileFacts | None = declared("The reference; null without one.")
    new: ScoreFileFacts = declared("The new scores.")
    metrics: Mapping[str, JudgedMetric] = declared("Judged metrics by name.")
    notes: Sequence[str] = declared("What was not judged.")


def document_of(
    judged: Sequence[JudgedScores],
    old: ScoreFile | None,
    new: ScoreFile,
    gate: Gate,
    *,
    accepted: Json | None = None,
    thresholds: str | None = None,
    notes: Sequence[str] = (),
) -> GateDocument:
    """The document of judged scores, concluded."""
    metrics = {each.name: _metric(each) for each in judged}
    told: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": "measured",
        "headline": "-",
        "exit_code": 0,
        "reasons": [],
        "thresholds": thresholds,
        "confidence": gate.confidence,
        "correction": gate.correction,
        "inconclusive": gate.inconclusive,
        "resamples": gate.resamples,
        "level": (1 - gate.confidence) / 2,
        "reference": None if old is None else {"name": old.name, "reader": old.reader, "accepted": accepted},
        "new": {"name": new.name, "reader": new.reader, "accepted": None},
        "metrics": metrics,
        "notes": list(notes),
    }
    return _concluded(read(GateDocument, told))


def _metric(judged: JudgedScores) -> JudgedMetric:
    rule, pair, turned = judged.rule, judged.paired, judged.newly
    return read(
        JudgedMetric,
        {
            "range": None if rule.range is None else list(rule.range),
            "better": rule.better,
            "blocking": rule.blocking,
            "reference": number_of(judged.old),
            "new": interval_of(judged.new),
            "loss": None if pair is None else _loss(judged.loss, judged),
            "slices": [_loss(loss, judged, label) for label, loss in judged.slices],
            "bounds": [_bound(key, each) for key, each in judged.bounds],
            "newly_wrong": None if turned is None else _turned(turned.wrong),
            "newly_right": None if turned is None else _turned(turned.right),
            "noise": [number_of(each) for each in judged.noise],
            "of": 0 if pair is None else pair.of,
            "missing": judged.empty[1] if pair is None else int(pair.filled.sum()),
            "empty_runs": 0 if rule.missing == "drop" else judged.empty[0],
            "dropped_runs": judged.empty[0] if rule.missing == "drop" else 0,
            "fewer_runs": 0 if pair is None else pair.fewer,
            "dropped": 0 if pair is None else len(pair.dropped),
            "only_new": 0 if pair is None else len(pair.only_new),
            "only_new_ids": [] if pair is None else list(pair.only_new[:_NAMED]),
            "lost": [] if pair is None else [_lost(pair, judged, k) for k in judged.worst],
        },
    )


def _loss(loss: Loss, judged: JudgedScores, label: str | None = None) -> dict[str, object]:
    unit = 1.0 if judged.rule.range is not None else judged.unit
    found = replace(loss.loss, **{end: unit * getattr(loss.loss, end) for end in ("value", "low", "high")})
    return {
        **interval_of(found),
        "slice": label,
        "state": loss.state,
        "reason": loss.reason or None,
        "limit": loss.limit if judged.rule.max_loss is None else judged.rule.max_loss,
        "reference": number_of(scores_of(loss.reference * unit, judged.rule)),
        "new": number_of(scores_of(loss.new * unit, judged.rule)),
        "p": number_of(loss.p),
        "level": number_of(loss.level),
        "detectable_loss": number_of(unit * loss.detectable_loss),
        "uncorrected_high": None if label is not None else number_of(unit * loss.uncorrected_high),
        "unit": "cluster" if judged.paired is not None and judged.paired.clustered else "example",
        "n": loss.loss.n,
        "discordant": loss.discordant,
    }


def _bound(key: str, judged: Judgement) -> dict[str, object]:
    return {
        **interval_of(judged.estimate),
        "bound": key,
        "limit": judged.bound.limit,
        "verdict": judged.verdict,
        "reason": judged.reason,
        "p": judged.p,
        "needed": judged.needed,
    }


def _turned(turned: Turned) -> dict[str, object]:
    return {**interval_of(turned.share), "count": turned.count}


def _lost(pair: PairedScores, judged: JudgedScores, place: int) -> dict[str, object]:
    old, new = (scores_of(float(side[place]), judged.rule) for side in (pair.old, pair.new))
    return {"id": pair.ids[place], "reference": old, "new": None if pair.filled[place] else new}


# The conclusion -------------------------------------------------------------------------------------------------------


def _concluded(document: GateDocument) -> GateDocument:
    blocking = {name: own for name, own in document.metrics.items() if own.blocking}
    reasons = tuple(_open(document, blocking))
    if any(True for own in blocking.values() for _ in failures_of(own)):
        verdict, headline, code, reasons = "fail", "FAIL", 1, ()
    elif not any(own.bounds or own.loss is not None for own in document.metrics.values()):
        verdict, headline, code = "measured", "MEASURED, NOT JUDGED", UNDECIDED
    elif reasons:
        verdict, headline, code = "inconclusive", "INCONCLUSIVE", UNDECIDED
    else:
        held = all(own.loss is None or _is_held(own.loss) for own in blocking.values())
        judged = [each for own in blocking.values() for each in own.bounds]
        sure = document.reference is not None or all(each.verdict == "pass" or not _leans(each) for each in judged)
        sure = sure and bool(blocking)
        word = "PASS" if held and sure else "OK" if document.reference is not None else "UNDECIDED"
        verdict, headline, code = "pass", word, 0
    return replace(document, verdict=verdict, headline=headline, exit_code=code, reasons=reasons)  # type: ignore[arg-type]


def failures_of(own: JudgedMetric) -> Iterator[ScoreLoss | ScoreBound]:
    """Yields the regressed losses and the broken limits of a metric."""
    yield from (loss for loss in (own.loss, *own.slices) if loss is not None and loss.state == "regressed")
    yield from (bound for bound in own.bounds if bound.verdict == "fail")


def _is_held(loss: ScoreLoss) -> bool:
    return loss.state in ("no worse", "improved", *SAME)


def _leans(bound: ScoreBound) -> bool:
    if bound.verdict != "inconclusive":
        return False
    if bound.value is None:
        return True
    return bound.value < bound.limit if bound.bound == "minimum" else bound.value > bound.limit


def _open(document: GateDocument, blocking: Mapping[str, JudgedMetric]) -> Iterator[str]:
    for name, own in blocking.items():
        yield from (f"{visible(name)}: {reason}" for reason in _open_in(own, document.inconclusive))


def _open_in(own: JudgedMetric, inconclusive: Inconclusive) -> Iterator[str]:
    loss = own.loss
    if loss is not None:
        share = own.dropped / max(1, own.of)
        if share > MOST_DROPPED:
            yield (
                f"{count(own.dropped, 'example')} of the reference, {100 * share:.1f} %, have no new score and were "
                f"dropped; at most {100 * MOST_DROPPED:g} % may be"
            )
        if loss.state == "not comparable":
            yield loss.reason or "not comparable"
        elif loss.state == "can't tell":
            yield from _blind(own, loss)
            if inconclusive == "fail":
                yield 'the loss is undecided, and [gate] says inconclusive = "fail"'
    for bound in own.bounds:
        if _leans(bound):
            told = "has no value" if bound.value is None else "lies beyond it"
            yield f"the {bound.bound} {limit(bound.limit)} is undecided, and the number {told}"
        elif bound.verdict == "inconclusive" and inconclusive == "fail":
            yield f'the {bound.bound} is undecided, and [gate] says inconclusive = "fail"'


def _blind(own: JudgedMetric, loss: ScoreLoss) -> Iterator[str]:
    if own.range is None:
        most = _SEEN_TIMES * loss.limit
    else:
        low, high = own.range
        score = math.nan if loss.reference is None else (loss.reference - low) / (high - low)
        most = min(_SEEN, (score if own.better == "more" else 1 - score) / 3)
    if loss.uncorrected_high is None or loss.uncorrected_high > most:
        told = (
            "is not known"
            if loss.uncorrected_high is None
            else f"may be as large as {number(loss.uncorrected_high)}; at most {limit(round(most, 6))} is expected"
        )
        yield f"the loss {told}; more examples are needed"
