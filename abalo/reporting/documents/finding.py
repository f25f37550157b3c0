"""A case at a glance: verdict, reasons, worst sentences, advice."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence

from abalo.comparison.document.loss_tests import failed_tests
from abalo.core.documents.blocks import Block, Item, Line, Measured, Text
from abalo.core.documents.document import Document
from abalo.core.documents.found import JudgementFacts, Result, certain
from abalo.core.protocols.results import (
    deciding,
    doubt,
    group_in_words,
    group_noun,
    is_there,
    judgement,
    metric_of,
    needing_attention,
    probe_of,
    scenario,
    task_of,
)
from abalo.core.protocols.task import cluster_noun
from abalo.core.records import words
from abalo.core.statistics.verdicts import FEWEST_HOLDING
from abalo.errors import visible
from abalo.reporting.documents.standing import against, regressions, standing

_PAIRED = " A comparison with an accepted run (--abalo-against) detects smaller losses."

_OTHERS = 2

OF_LOSSES = Item(
    "read the newly broken examples and correct the model. To accept a loss for a while, add accepted_loss, until and "
    "why to its case in the thresholds file.",
    words.WHAT_TO_DO,
)


def glance(result: Result, document: Document) -> list[Block]:
    """Shows the verdict with reasons, worst group, advice, and worst sentences."""
    probe = probe_of(result)
    found = probe.report.findings(result) or ([] if probe.apart else task_of(result).report.sentences(result, document))
    return [lead(result, document), *found]


def lead(result: Result, document: Document) -> Text:
    """Shows the verdict and its reasons; a regression comes before bounds."""
    advised = result.verdict == "fail" or result.id not in regressions(document)
    advice = remedy(result, document) if advised else ()
    said = (*against(result, document), *_reasons(result), *_worst(result), *advice)
    return Text(said, scenario(result), "list", verdict=standing(result, document))


def _reasons(result: Result) -> Iterator[Line]:
    if not result.judgements:
        yield "Measured, not judged: this case has no bound."
    for judged in deciding(result):
        why = doubt(judged, result)
        yield judgement(judged, result) + (f"; {why}" if why else "")


def worst_group(result: Result) -> str:
    """Returns the group with the worst headline number, such as ``LOC: 0.214 [0.184, 0.244]``; "" if unknown."""
    known = groups_worst_first(result)
    return f"{group_in_words(result, known[0][0])}: {known[0][1]}{_untold(result, known)}" if known else ""


def groups_worst_first(result: Result) -> list[tuple[str, Measured]]:
    """Ranks the groups by the interval's better end, to keep small groups from the top."""
    metric = metric_of(result, result.headline)
    sign, known = 1 if metric.more_is_better else -1, []
    for group, row in result.per_type.items():
        found = Measured.of(row.more.get(metric.name))
        near = found.high if metric.more_is_better else found.low
        near = found.value if near is None else near
        if near is not None and is_there(row):
            known.append(((sign * near, sign * (near if found.value is None else found.value), group), found))
    if len(known) < 2:
        return []
    return [(group, found) for (*_, group), found in sorted(known, key=lambda each: each[0])]


def _untold(result: Result, known: Sequence[tuple[str, Measured]]) -> str:
    """Names the groups that measure worse than the worst with a wider interval, and those with too few examples."""
    worse = [f"{group_in_words(result, group)} {each}" for group, each in _less_certain(result, known)]
    told = {group for group, _ in known}
    rare = [
        group_in_words(result, group)
        for group, row in result.per_type.items()
        if 0 < row.support < FEWEST_HOLDING and group not in told
    ]
    lists = (("measured worse, with a wider interval", worse), ("on too few examples to tell", rare))
    return "".join(f"; {what}: {_first(groups)}" for what, groups in lists if groups)


def _less_certain(result: Result, known: Sequence[tuple[str, Measured]]) -> list[tuple[str, Measured]]:
    sign, (_, lead) = 1 if metric_of(result, result.headline).more_is_better else -1, known[0]
    return [(group, each) for group, each in known if sign * (each.value or 0.0) < sign * (lead.value or 0.0)]


def _first(groups: Sequence[str]) -> str:
    more = f" and {len(groups) - _OTHERS} more" if groups[_OTHERS:] else ""
    return f"{', '.join(groups[:_OTHERS])}{more}"


def _worst(result: Result) -> Iterator[Item]:
    metric, failed = metric_of(result, result.headline), {judged.type for judged in _failed_bounds(result)}
    known = groups_worst_first(result)
    if not known:
        return
    (group, found), *_ = known
    less_certain = {name for name, _ in _less_certain(result, known)}
    rest = [each for each in known[1:] if each[0] not in less_certain or each[0] in failed]
    n = certain(result.per_type[group].more[metric.name]).n
    noun = group_noun(result)
    said = f"{group_in_words(result, group)}, {metric.words} {found} over {words.count(n, _unit(result))}"
    said += ", which fails its own bound" if group in failed else ""
    others = [
        f"{group_in_words(result, name)}: {number.number}" + " (fails its own bound)" * (name in failed)
        for place, (name, number) in enumerate(rest)
        if place < _OTHERS or name in failed
    ]
    then = f"; then {', '.join(others)}" if others else ""
    yield Item(f"{said}{then}{_untold(result, known)}", f"Worst {noun}")


def _unit(result: Result) -> str:
    probe, task = probe_of(result), task_of(result)
    return probe.unit(task).removesuffix("s") if probe.apart else task.noun


def _failed_bounds(result: Result) -> list[JudgementFacts]:
    return [judged for judged in result.judgements if judged.verdict == "fail"]


def _calibrate(result: Result, document: Document, names: Iterable[str]) -> str:
    given = ["--task", result.task]
    for name in ("model", "corpus", "limit"):
        value = document.options.get(name)
        given += [] if value is None else [f"--{name}", visible(str(value))]
    return shlex.join(["abalo", "calibrate", *given, *(word for name in names for word in ("--case", name))])


def advice(document: Document) -> Iterator[Item]:
    """Says what to do about losses that failed the run, then about the bounds that failed."""
    if failed_tests(document.comparison):
        yield OF_LOSSES
    failed = [each for each in needing_attention(document) if each.verdict == "fail" and each.blocking]
    for first, *others in by_advice(failed):
        yield from remedy(first, document, others)


def by_advice(failed: Sequence[Result]) -> list[list[Result]]:
    """Groups failed cases to which the same advice applies."""
    found: dict[tuple[str, str, str], list[Result]] = {}
    for each in failed:
        said = probe_of(each).report.remedy(each, task_of(each))
        found.setdefault((each.task, each.probe, said), []).append(each)
    return [*found.values()]


def remedy(result: Result, document: Document, alike: Sequence[Result] = ()) -> Iterator[Item]:
    """Advises on a failed or undecided case; suggests a comparison only if the run has none.

    ``alike`` are further failed cases to which the same advice applies.
    """
    if result.verdict == "fail":
        every = (result, *alike)
        named = dict.fromkeys(each.id.partition("/")[2].partition("[")[0] for each in every)
        anew = f" To accept the loss, measure a new bound: {_calibrate(result, document, named)}"
        said = probe_of(result).report.remedy(result, task_of(result))
        about = f" ({', '.join(map(scenario, every))})" if alike else ""
        yield Item(said + ("" if probe_of(result).apart else anew), words.WHAT_TO_DO + about)
    elif result.verdict == "inconclusive" and any(judged.needed is not None for judged in deciding(result)):
        probe, task = probe_of(result), task_of(result)
        pairs = document.comparison is None and probe.compared_by(task) is not None
        more = f"Run more {probe.unit(task)}: give the {words.identifier_in_words(probe.name)} a larger sample."
        yield Item(
            (more if probe.apart else f"Judge on more distinct {cluster_noun(task)}s.") + _PAIRED * pairs,
            words.WHAT_TO_DO,
        )
