"""Remarks to read before trusting the numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from abalo.config.options import quick_omissions
from abalo.core.documents.blocks import Text
from abalo.core.documents.document import Document
from abalo.core.documents.found import DrawnFields, JudgementFacts, Result, certain
from abalo.core.protocols.options import QUICK
from abalo.core.protocols.probe import probes
from abalo.core.protocols.results import (
    by_probe,
    by_task,
    cases,
    limit_in_words,
    metric_of,
    of_corpus,
    probe_of,
    scenario,
    task_of,
)
from abalo.core.protocols.task import Task, cluster_noun, tasks
from abalo.core.records import words
from abalo.core.statistics.verdicts import BLIND, is_blind, times_as_many
from abalo.errors import visible

if TYPE_CHECKING:
    from abalo.core.statistics.metrics import Metric


def remarks(document: Document) -> Iterator[Text]:
    """Lists all remarks."""
    found = tuple(dict.fromkeys(_remarks(document)))
    if found:
        yield Text(found, "Notes", "remarks", noun="note")


def omissions(document: Document, *, reasons: bool = True) -> Iterator[str]:
    """Names what profile and design left out, and with ``reasons`` each skipped case."""
    if document.gate.profile == QUICK:
        yield quick_omissions(document.options["limit"], compared=document.comparison is not None)
    yield from outside_design(document)
    for own in document.tasks.values() if reasons else ():
        by_reason: dict[str, list[str]] = {}
        for each in own.skipped:
            by_reason.setdefault(each.reason, []).append(each.id.partition("[")[0])
        for reason, tables in by_reason.items():
            counted = [table + f" ({number})" * (number > 1) for table, number in Counter(tables).items()]
            yield f"Left out: {', '.join(counted)}. Reason: {reason}."


def outside_design(document: Document) -> Iterator[str]:
    """Describes each task's design, its progress and omissions."""
    for name, own in document.tasks.items():
        design = own.design
        if design is None:
            continue
        nouns = f"{tasks()[name].noun}s"
        asked = "" if design.budget is None else f" for {design.budget}"
        cost = f", at most {words.count(design.inputs, 'input')}" if design.inputs else ""
        yield (
            f"{name}: design{asked}: {design.sentences:,} of {design.of:,} distinct {nouns}, each in {design.each} of "
            f"{words.count(len(design.groups), 'group')} of cases{cost}."
        )
        if design.stopped is not None:
            reason = _STOPS.get(design.stopped, visible(design.stopped))
            yield f"{name}: stopped after {design.seen:,} of these {nouns}: {reason}."
        for each in design.detectable_loss[-1:]:
            seen = [("the mean", each.mean), ("a type", each.types), ("a single case", each.cases)]
            known = [f"{what} {words.number(value)}" for what, value in seen if value is not None]
            if known:
                yield f"{name}: losses that such a panel finds in 80 % of runs: {', '.join(known)}."
        if design.left_out:
            yield f"{name}: not run, since the design has no part for them: {', '.join(map(visible, design.left_out))}."


_STOPS = {
    "mean": "the mean loss is above its limit, which decides nothing about single cases",
    "out of reach": "a large mean loss could hardly be found any more",
    "time": "the time was over",
}


def not_in_run(document: Document) -> str:
    """Lists the cases that a rejudged run lacks."""
    found = [f"{each.id} ({each.message})" if each.message else each.id for each in document.not_run]
    return f"not in this run: {', '.join(found)}"


def _remarks(document: Document) -> Iterator[str]:
    shown = cases(document)
    yield from omissions(document)
    for name, own in document.tasks.items():
        if own.baseline.least is not None and own.baseline.least.guesses:
            yield f"{name}: the thresholds say that the model guesses, so its clean score is not compared with chance."
    if document.not_run:
        yield f"{words.sentence_case(not_in_run(document))}."
    yield from _early_stops(shown)
    yield from _one_seed(document)
    for task, results in by_task(document):
        yield from task.report.remarks(of_corpus(results), document)
    for task, results in by_task(document):
        yield from _detectable(task, results)
    for result in shown:
        probe = probe_of(result)
        if probe.perturbs and not probe.searches and not result.changed:
            yield f"{scenario(result)} changed no {task_of(result).noun}, so it says nothing about the model."
    for result in shown:
        if filtered := DrawnFields.of(result).filtered:
            yield (
                f"{scenario(result)}: {filtered:,} of "
                f"{words.count(filtered + result.variants, 'variant')} did not meet the limits of require "
                "and were dropped; these examples count as unchanged."
            )
    for _, results in by_task(document):
        for name, part in by_probe(results):
            yield from probes()[name].report.remarks(part, document)


def _one_seed(document: Document) -> Iterator[str]:
    if said := one_seed(document):
        yield (
            f"{said} With seeds = {[*document.gate.seeds]} in [gate], single cases that draw would have a detectable "
            "loss about a fifth smaller; the mean loss hardly gains."
        )


def one_seed(document: Document) -> str:
    """Says that the runs are compared under one seed of several; "" if they are not."""
    alone = {tuple(own.seeds) for own in document.tasks.values() if len(own.seeds) == 1}
    if document.comparison is None or len(document.gate.seeds) < 2 or not alone:
        return ""
    seed = next(iter(alone))[0]
    return f"Compared under seed {seed} alone, so numbers differ from those of a run under several seeds."


def _early_stops(results: Sequence[Result]) -> Iterator[str]:
    could = [result.taken for result in results if result.taken is not None]
    if not could:
        return
    early = [far for far in could if far.look < far.looks]
    units = sum(far.sentences * far.seeds for far in could), sum(far.of * far.of_seeds for far in could)
    idle = sum(far.look == 0 for far in early)
    told = f"; {idle} of them after the first part, with nothing to decide" if idle else ""
    yield (
        f"{len(early)} of {words.count(len(could), 'case')} stopped early{told}. They used {units[0]:,} of "
        f"{units[1]:,} examples and seeds. Intervals are corrected for the repeated looks, so verdicts err no "
        "more often than on the whole corpus. This run cannot be a reference."
    )


def _detectable(task: Task, results: Sequence[Result]) -> Iterator[str]:
    blind = _blind_bounds(results)
    if not blind:
        return
    worst, case = max(blind, key=lambda pair: certain(pair[0].detectable_loss) / _metric(*pair).high)
    metric = _metric(worst, case)
    detects = limit_in_words(round(certain(worst.detectable_loss), 3), metric)
    yield (
        f"{task.title}: {count_blind(results)}. The worst is "
        f"the bound of {scenario(case)}, with a detectable loss of {detects}. {_more(worst, case, task)} A comparison "
        "with an accepted run (--abalo-against) detects much smaller losses."
    )


def _blind_bounds(results: Iterable[Result]) -> list[tuple[JudgementFacts, Result]]:
    judged = [(each, result) for result in results if result.blocking for each in result.judgements]
    return [pair for pair in judged if is_blind(pair[0].detectable_loss, pair[0].value, _metric(*pair))]


def count_blind(results: Iterable[Result]) -> str:
    """Counts the bounds that miss a loss of 0.05; "" without one."""
    count = len(_blind_bounds(results))
    return f"{words.count(count, 'bound')} cannot reliably detect a loss of {BLIND:g}" if count else ""


def _metric(judged: JudgementFacts, result: Result) -> Metric:
    return metric_of(result, judged.bound.partition("_")[2])


_NO_HELP = "More examples do not help: this bound is too far from the measured value."


def _more(judged: JudgementFacts, result: Result, task: Task) -> str:
    slack, wanted = abs(judged.limit - certain(judged.value)), BLIND * _metric(judged, result).high
    if slack >= wanted:
        return _NO_HELP
    enough = times_as_many(result.distinct, ((certain(judged.detectable_loss) - slack) / (wanted - slack)) ** 2)
    if enough is None:
        return _NO_HELP
    needed = words.count(enough, f"distinct {cluster_noun(task)}")
    wanted_loss = limit_in_words(wanted, _metric(judged, result))
    return f"To detect {wanted_loss}, it needs about {needed} ({result.distinct:,} here)."
