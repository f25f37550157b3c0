"""The conclusion of a run: one verdict, one headline, one exit code, from what its document holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from abalo.core.clean_score import LEAST
from abalo.core.gate import UNDECIDED
from abalo.core.judging import UNBREAKABLE
from abalo.core.options import QUICK
from abalo.core.plan import BASELINE
from abalo.core.results import Json
from abalo.core.statistics import FEWEST_CLUSTERS
from abalo.core.task import tasks
from abalo.core.verdicts import TOO_FEW_CHANGED
from abalo.reporting.loss_tests import failed

RunVerdict = Literal["fail", "inconclusive", "measured", "pass"]

SEEN = 0.1
"""A comparison that would miss a mean loss of this size with a probability of more than 20 % is blind."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The conclusion of a run.

    ``headline`` is the verdict in words, ``exit_code`` that of pytest and of `abalo verdict` for a complete run, and
    ``reasons`` say why nothing was decided; empty unless the verdict is ``inconclusive``.
    """

    verdict: RunVerdict
    headline: str
    exit_code: int
    reasons: tuple[str, ...] = ()


def concluded(document: Json) -> Conclusion:
    """The conclusion of the run that a document tells of; the first rule that applies counts."""
    if _fails(document):
        return Conclusion("fail", "FAIL", 1)
    compared = document.get("comparison")
    reasons = tuple(dict.fromkeys(_open(document)))
    if reasons:
        nothing = compared is not None and nothing_compared(compared)
        return Conclusion("inconclusive", "NOTHING COMPARED" if nothing else "INCONCLUSIVE", UNDECIDED, reasons)
    if not document["complete"]:
        return Conclusion("inconclusive", "INCOMPLETE", UNDECIDED, ("the run is not complete",))
    if _is_look(document):
        return Conclusion("measured", "MEASURED, NOT JUDGED", 0 if _is_quick(document) else UNDECIDED)
    if compared is not None:
        held = compared["decided"] and all(_state(own) == "above" for own in _tasks(document))
        return Conclusion("pass", "PASS" if held else "NO REGRESSION FOUND", 0)
    leans = any(_leans(each) and not _of_few_changed(each) for each in blocking_judgements(document))
    return Conclusion("pass", "NO FAILURE FOUND" if leans else "PASS", 0)


def _fails(document: Json) -> bool:
    return (
        bool(document["errors"])
        or any(each["status"] != "fixed" for each in document["regressions"])
        or any(each["verdict"] == "fail" for each in blocking_judgements(document))
        or bool(failed(document.get("comparison")))
        or any(_state(own) == "below" for own in _tasks(document))
    )


def _is_look(document: Json) -> bool:
    """Whether nothing was judged or compared.

    Where no blocking bound is judged and one that does not block failed, replays that are fixed are not enough.
    """
    if document.get("comparison") is not None or any(map(is_judged, blocking_judgements(document))):
        return False
    beside = any(each["verdict"] == "fail" for each in _judgements(document, blocking=False))
    return beside or not document["regressions"]


def _is_quick(document: Json) -> bool:
    return (document.get("gate") or {}).get("profile") == QUICK


def _open(document: Json) -> Iterator[str]:
    """The reasons why a run without a failure decides nothing."""
    compared = document.get("comparison")
    if compared is not None and nothing_compared(compared):
        yield "no case could be compared with the reference"
    for name, own in (document.get("tasks") or {}).items():
        theirs = None if compared is None else compared["tasks"].get(name)
        if theirs is not None:
            yield from _without_partner(name, theirs)
            yield from _blind(name, theirs)
        if (theirs is None or nothing_compared({"tasks": {name: theirs}})) and _state(own) == "undecided":
            yield f"{name}: the clean score is not wholly above its limits"
        floor = f"min_{tasks()[name].floor}"
        for each in own["baseline"].get("judgements", ()) if own["baseline"].get("blocking") else ():
            if each["bound"] == floor and each["type"] is None and _leans(each):
                yield f"{name}: the bound on the clean score is undecided, and the score lies beyond it"
    if (document.get("gate") or {}).get("inconclusive") == "fail":
        judged = [each for each in blocking_judgements(document) if each["verdict"] == "inconclusive"]
        if not all(map(_of_few_changed, judged)):
            yield 'bounds are undecided, and [gate] says inconclusive = "fail"'
        if compared is not None and compared["state"] in ("can't tell", "not comparable"):
            yield 'losses are undecided, and [gate] says inconclusive = "fail"'


def _without_partner(task: str, own: Json) -> Iterator[str]:
    """Why no case of a task is compared, only its clean corpus; nothing if one is, or if the run perturbs nothing."""
    rows = [each for each in own["losses"] if each["type"] is None and each["id"] != f"{task}/{BASELINE}"]
    compared = any(each["state"] != "not comparable" for each in rows)
    if compared or not own["perturbed"] or not (rows or own["only_new"]):
        return
    reason = rows[0]["reason"] if rows else "the reference has none of them"
    yield f"{task}: of its cases only the clean corpus can be compared with the reference: {reason}"


def _blind(task: str, own: Json) -> Iterator[str]:
    """Why the comparison of a task would miss a large loss; nothing if it would not, or if the runs are identical."""
    whole = own["mean"] or own["baseline"]
    if whole is None or whole["state"] in ("identical", "not comparable"):
        return
    if own["baseline"] is not None and own["baseline"]["state"] != "not comparable":
        common = own["baseline"]["n"]
        if common < FEWEST_CLUSTERS:
            yield f"{task}: only {common} distinct examples are in both runs; a comparison needs {FEWEST_CLUSTERS}"
            return
    if whole["state"] == "can't tell" and (whole["sight"] is None or whole["sight"] > SEEN):
        yield f"{task}: a loss of {SEEN:g} would be missed with a probability of more than 20 %"


def nothing_compared(comparison: Json) -> bool:
    """Whether no loss at all could be compared with the reference."""
    every = [each for own in comparison["tasks"].values() for each in (own["baseline"], own["mean"], *own["losses"])]
    return all(each is None or each["state"] == "not comparable" for each in every)


def blocking_judgements(document: Json) -> Iterator[Json]:
    """The judgements on all bounds that can stop a release, those on the clean corpora included, each once."""
    return _judgements(document, blocking=True)


def _judgements(document: Json, *, blocking: bool) -> Iterator[Json]:
    """The judgements on all bounds that can stop a release, or on all others."""
    rows = {result["id"] for result in document["results"]}
    for result in document["results"]:
        yield from result["judgements"] if bool(result["blocking"]) == blocking else ()
    for name, own in (document.get("tasks") or {}).items():
        if f"{name}/baseline" not in rows and bool(own["baseline"].get("blocking")) == blocking:
            yield from own["baseline"].get("judgements", ())


def is_judged(judgement: Json) -> bool:
    """Whether a bound was judged: it is decided, or its number was compared with a limit that something can break."""
    if judgement["verdict"] != "inconclusive":
        return True
    return judgement["p"] is not None and judgement["reason"] != UNBREAKABLE


def _of_few_changed(judgement: Json) -> bool:
    """Whether a bound is not judged since its case changed too few examples, which counts nowhere."""
    return str(judgement["reason"] or "").startswith(TOO_FEW_CHANGED)


def _leans(judgement: Json) -> bool:
    """Whether a bound is undecided with its estimate beyond it."""
    value, limit = judgement["value"], judgement["limit"]
    if judgement["verdict"] != "inconclusive" or value is None:
        return False
    return bool(value > limit if judgement["bound"].startswith("max") else value < limit)


def _tasks(document: Json) -> list[Json]:
    return list((document.get("tasks") or {}).values())


def _state(own: Json) -> str:
    """How the clean score of a task was judged; undecided in a run that ended before."""
    return str((own["baseline"].get(LEAST) or {}).get("state", "undecided"))
