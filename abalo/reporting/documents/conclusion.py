"""The conclusion of a run: verdict, headline and exit code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from abalo.comparison.document.loss_tests import failed_tests
from abalo.comparison.test.comparison import SAME
from abalo.core.documents.document import Document, ScoreJudgement, TaskFacts
from abalo.core.documents.found import JudgementFacts
from abalo.core.documents.losses_found import ComparedTask, Comparison
from abalo.core.protocols.options import QUICK
from abalo.core.protocols.task import tasks
from abalo.core.records import words
from abalo.core.records.gate import UNDECIDED
from abalo.core.running.judging import UNBREAKABLE
from abalo.core.statistics.few_events import FEWEST
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import TOO_FEW_CHANGED

RunVerdict = Literal["fail", "inconclusive", "measured", "pass"]

SEEN = 0.1
"""A comparison is blind if its mean loss may be larger, or a third of the reference's score."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The conclusion of a run: ``exit_code`` of pytest and `abalo verdict`, ``reasons`` why nothing was decided."""

    verdict: RunVerdict
    headline: str
    exit_code: int
    reasons: tuple[str, ...] = ()


def conclude(document: Document) -> Conclusion:
    """Concludes a run; the first rule that applies counts."""
    if _fails(document):
        return Conclusion("fail", "FAIL", 1)
    compared = document.comparison
    reasons = tuple(dict.fromkeys(_open(document)))
    if reasons:
        nothing = compared is not None and nothing_compared(compared)
        return Conclusion("inconclusive", "NOTHING COMPARED" if nothing else "INCONCLUSIVE", UNDECIDED, reasons)
    if not document.complete:
        return Conclusion("inconclusive", "INCOMPLETE", UNDECIDED, ("the run is not complete",))
    if judged_nothing(document):
        return Conclusion("measured", "MEASURED, NOT JUDGED", 0 if _is_quick(document) else UNDECIDED)
    if compared is not None:
        held = compared.decided and all(_clean_holds(name, own, compared) for name, own in document.tasks.items())
        return Conclusion("pass", "PASS" if held else "OK", 0)
    leans = any(_leans(each) and not _of_few_changed(each) for each in blocking_judgements(document))
    return Conclusion("pass", "UNDECIDED" if leans else "PASS", 0)


def _clean_holds(name: str, own: TaskFacts, compared: Comparison) -> bool:
    theirs = compared.tasks.get(name)
    return _state(own) == "above" or (theirs is not None and theirs.identical)


def _fails(document: Document) -> bool:
    return (
        bool(document.errors)
        or any(each.status != "fixed" for each in document.regressions)
        or any(each.verdict == "fail" for each in blocking_judgements(document))
        or bool(failed_tests(document.comparison))
        or any(_state(own) == "below" for own in _tasks(document))
    )


def judged_nothing(document: Document) -> bool:
    """Returns True for a look: nothing was judged or compared.

    If a non-blocking bound failed, fixed replays do not count as judged.
    """
    if document.comparison is not None or any(map(is_judged, blocking_judgements(document))):
        return False
    beside = any(each.verdict == "fail" for each in _judgements(document, blocking=False))
    return beside or not document.regressions


def _is_quick(document: Document) -> bool:
    return document.gate.profile == QUICK


def _open(document: Document) -> Iterator[str]:
    compared = document.comparison
    if compared is not None and nothing_compared(compared):
        yield "no case could be compared with the reference"
    for name, own in document.tasks.items():
        theirs = None if compared is None else compared.tasks.get(name)
        if theirs is not None:
            yield from _without_partner(name, theirs)
            yield from _blind(name, theirs)
        if (theirs is None or _nothing_compared([theirs])) and _state(own) == "undecided":
            yield f"{name}: {why_undecided(own)}"
        floor = f"min_{tasks()[name].floor}" if name in tasks() else ""
        for each in own.baseline.judgements if own.baseline.blocking else ():
            if each.bound == floor and each.type is None and _leans(each):
                yield f"{name}: the bound on the clean score is undecided, and the score lies beyond it"
    if document.gate.inconclusive == "fail":
        judged = [each for each in blocking_judgements(document) if each.verdict == "inconclusive"]
        if not all(map(_of_few_changed, judged)):
            yield 'bounds are undecided, and [gate] says inconclusive = "fail"'
        if compared is not None and compared.state in ("can't tell", "not comparable"):
            yield 'losses are undecided, and [gate] says inconclusive = "fail"'


def why_undecided(own: TaskFacts) -> str:
    """Says which limit a clean score is not surely above; an interval that is wholly above it is not the reason."""
    doubts = [] if own.baseline.least is None else own.baseline.least.judgements
    reason = next((each.reason for each in doubts if each.verdict == "inconclusive" and is_above(each)), None)
    low = max((each.limit for each in doubts if each.verdict == "inconclusive" and not is_above(each)), default=None)
    if low is not None and own.baseline.least is not None:
        if low == own.baseline.least.limit:
            return f"the clean score is not surely above {words.limit(low)}"
        return f"the clean score is not clearly better than guessing, which reaches {words.limit(low)}"
    if reason is None:
        return "the clean score may be too low"
    return f"nothing can be judged: {reason}"


def is_above(judgement: ScoreJudgement) -> bool:
    """Whether the whole interval of a clean score is above its limit."""
    return judgement.low is not None and judgement.low > judgement.limit


def _without_partner(task: str, own: ComparedTask) -> Iterator[str]:
    rows = [each for each in own.losses if each.type is None and each.id != f"{task}/{BASELINE}"]
    compared = any(each.state != "not comparable" for each in rows)
    if compared or not own.perturbed or not (rows or own.only_new):
        return
    reason = rows[0].reason if rows else "the reference contains none of them"
    yield f"{task}: only the clean corpus can be compared with the reference: {reason}"


def _blind(task: str, own: ComparedTask) -> Iterator[str]:
    whole = own.mean or own.baseline
    if whole is None or whole.state in (*SAME, "not comparable"):
        return
    if own.baseline is not None and own.baseline.state not in ("not comparable", *SAME):
        common, fewest = own.baseline.n, FEWEST
        if common < fewest:
            yield f"{task}: the runs share only {words.count(common, 'distinct example')}; a comparison needs {fewest}"
            return
    most = SEEN if whole.reference is None else min(SEEN, whole.reference / 3)
    high = whole.high if whole.uncorrected_high is None else whole.uncorrected_high
    if whole.state == "can't tell" and (high is None or high > most):
        name = "the mean loss" if own.mean else "the clean loss"
        told = "is not known" if high is None else f"may be as large as {high:.3f}; at most {most:.3f} is expected"
        yield f"{task}: {name} {told}; more examples are needed"


def nothing_compared(comparison: Comparison) -> bool:
    """Returns True if no loss could be compared."""
    return _nothing_compared(comparison.tasks.values())


def _nothing_compared(tasks_compared: Iterable[ComparedTask]) -> bool:
    every = [each for own in tasks_compared for each in (own.baseline, own.mean, *own.losses)]
    return all(each is None or each.state == "not comparable" for each in every)


def blocking_judgements(document: Document) -> Iterator[JudgementFacts]:
    """Yields each judgement on a blocking bound, clean corpora included."""
    return _judgements(document, blocking=True)


def _judgements(document: Document, *, blocking: bool) -> Iterator[JudgementFacts]:
    rows = {result.id for result in document.results}
    for result in document.results:
        yield from result.judgements if bool(result.blocking) == blocking else ()
    for name, own in document.tasks.items():
        if f"{name}/baseline" not in rows and bool(own.baseline.blocking) == blocking:
            yield from own.baseline.judgements


def is_judged(judgement: JudgementFacts) -> bool:
    """Returns True if the bound is decided or was compared with a breakable limit."""
    if judgement.verdict != "inconclusive":
        return True
    return judgement.p is not None and judgement.reason != UNBREAKABLE


def _of_few_changed(judgement: JudgementFacts) -> bool:
    return str(judgement.reason or "").startswith(TOO_FEW_CHANGED)


def _leans(judgement: JudgementFacts) -> bool:
    value, limit = judgement.value, judgement.limit
    if judgement.verdict != "inconclusive" or value is None:
        return False
    return bool(value > limit if judgement.bound.startswith("max") else value < limit)


def _tasks(document: Document) -> list[TaskFacts]:
    return list(document.tasks.values())


def _state(own: TaskFacts) -> str:
    return "undecided" if own.baseline.least is None else own.baseline.least.state
