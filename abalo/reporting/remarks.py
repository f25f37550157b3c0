"""The remarks to read before trusting the numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from abalo.config.options import left_out_by_quick
from abalo.core import words
from abalo.core.blocks import Text
from abalo.core.clean_score import LEAST
from abalo.core.options import QUICK
from abalo.core.probe import probes
from abalo.core.results import (
    Json,
    by_probe,
    by_task,
    cases,
    limit_is_share,
    of_corpus,
    probe_of,
    scenario,
    task_of,
)
from abalo.core.task import Task
from abalo.core.verdicts import BLIND


def remarks(document: Json) -> Iterator[Text]:
    """The remarks to read before trusting the numbers."""
    found = tuple(dict.fromkeys(_remarks(document)))
    if found:
        yield Text(found, "Notes", "remarks", noun="note")


def left_out(document: Json) -> Iterator[str]:
    """The parts of a whole run that this one is without, and why: the profile, or the language of the corpus."""
    if (document.get("gate") or {}).get("profile") == QUICK:
        yield left_out_by_quick(document["options"]["limit"])
    for own in (document.get("tasks") or {}).values():
        by_reason: dict[str, list[str]] = {}
        for each in own.get("skipped", ()):
            by_reason.setdefault(each["reason"], []).append(each["id"].partition("[")[0])
        for reason, tables in by_reason.items():
            counted = [table + f" ({number})" * (number > 1) for table, number in Counter(tables).items()]
            yield f"Left out: {', '.join(counted)}. The reason: {reason}."


def not_in_run(document: Json) -> str:
    """The cases of a thresholds file that a run was judged anew without."""
    found = [f"{each['id']} ({each['message']})" if each["message"] else each["id"] for each in document["not_run"]]
    return f"not in this run: {', '.join(found)}"


def _remarks(document: Json) -> Iterator[str]:
    """Remarks to read before trusting the numbers."""
    shown = cases(document)
    yield from left_out(document)
    for name, own in (document.get("tasks") or {}).items():
        if (own["baseline"].get(LEAST) or {}).get("guesses"):
            yield f"{name}: the thresholds say that the model guesses, so its clean score is not compared with chance."
    if document.get("not_run"):
        yield f"{words.sentence_case(not_in_run(document))}."
    yield from _stopped(shown)
    for task, results in by_task(document):
        yield from task.report.remarks(of_corpus(results), document)
    for task, results in by_task(document):
        yield from _detectable(task, results)
    for result in shown:
        probe = probe_of(result)
        if probe.perturbs and not probe.searches and not result["changed"]:
            yield f"{scenario(result)} changed no {task_of(result).noun}, so it says nothing about the model."
    for result in shown:
        if result["filtered"]:
            yield (
                f"{scenario(result)}: {result['filtered']:,} of "
                f"{words.count(result['filtered'] + result['variants'], 'variant')} did not keep what is required and "
                "were filtered out; there the clean prediction stands."
            )
    for _, results in by_task(document):
        for name, own in by_probe(results):
            yield from probes()[name].report.remarks(own, document)


def _stopped(results: Sequence[Json]) -> Iterator[str]:
    """How many cases stopped early, and how much of the corpus they took."""
    could = [result["taken"] for result in results if result.get("taken") is not None]
    if not could:
        return
    early = [far for far in could if far["look"] < far["looks"]]
    units = sum(far["sentences"] * far["seeds"] for far in could), sum(far["of"] * far["of_seeds"] for far in could)
    idle = sum(far["look"] == 0 for far in early)
    told = f"; {idle} of them after a first part, since nothing was to be decided" if idle else ""
    yield (
        f"{len(early)} of {words.count(len(could), 'case')} that may stop early did{told}. They took {units[0]:,} of "
        f"{units[1]:,} sentences and seeds. Intervals are those of the look at which a case stopped, so that all looks "
        "together err no more often than one at the whole corpus; no later run can be judged against this one."
    )


def _detectable(task: Task, results: Sequence[Json]) -> Iterator[str]:
    """How many bounds detect only large losses, and what helps."""
    judged = [
        (each, result)
        for result in results
        if result["blocking"]
        for each in result["judgements"]
        if each.get("sight") is not None and limit_is_share(result, each)
    ]
    blind = [(each, result) for each, result in judged if each["sight"] > BLIND]
    if not blind:
        return
    worst, case = max(blind, key=lambda pair: float(pair[0]["sight"]))
    counted = f"{len(blind)} of {words.count(len(judged), 'bound')}"
    yield (
        f"{task.title}: {counted} would let a loss of {words.number(BLIND)} pass; the worst, of {scenario(case)}, "
        f"has a detectable loss of {words.number(worst['sight'])}. A comparison with an accepted run (--abalo-against) "
        f"detects much smaller losses{_more(worst, case, task)}."
    )


def _more(judged: Json, result: Json, task: Task) -> str:
    """How many examples would give a bound the detectable loss that is wanted, unless it is too loose for any."""
    slack = abs(judged["limit"] - judged["value"])
    if slack >= BLIND:
        return "; this bound itself is further than that from what was measured"
    enough = result["distinct"] * ((judged["sight"] - slack) / (BLIND - slack)) ** 2
    return f"; with this bound it takes about {math.ceil(enough):,} distinct {task.noun}s ({result['distinct']:,} here)"
