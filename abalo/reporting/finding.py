"""A case at a glance: its verdict and why, the group that fares worst, the sentences that suffered, what to do."""

from __future__ import annotations

from collections.abc import Iterator

from abalo.core import words
from abalo.core.blocks import Block, Item, Line, Measured, Text
from abalo.core.results import (
    Json,
    deciding,
    doubt,
    group_noun,
    judgement,
    metric_of,
    probe_of,
    scenario,
    task_of,
)
from abalo.reporting.standing import against, regressions, standing

_PAIRED = " A comparison with an accepted run (--abalo-against) detects smaller losses."

_OTHERS = 2
"""How many further groups are named beside the worst."""


def glance(result: Json, document: Json) -> list[Block]:
    """The verdict on a case and why, the worst group and what to do, then the sentences that suffered most.

    The loss of a case that regressed leads.

    What to do is said of cases that failed or are undecided alone. Of the document, its facts will do.
    """
    probe = probe_of(result)
    found = probe.report.findings(result) or ([] if probe.apart else task_of(result).report.sentences(result, document))
    return [lead(result, document), *found]


def lead(result: Json, document: Json) -> Text:
    """The verdict on a case and why: a loss against the reference before bounds, if the case regressed."""
    advised = result["verdict"] == "fail" or result["id"] not in regressions(document)
    advice = remedy(result, document) if advised else ()
    said = (*against(result, document), *_reasons(result), *_worst(result), *advice)
    return Text(said, scenario(result), "list", verdict=standing(result, document))


def _reasons(result: Json) -> Iterator[Line]:
    """The bounds that made the verdict; a line for a case without any."""
    if not result["judgements"]:
        yield "Measured, not judged: this case has no bound."
    for judged in deciding(result):
        why = doubt(judged, result)
        yield judgement(judged, result) + (f"; {why}" if why else "")


def worst_group(result: Json) -> str:
    """The group with the worst headline number, such as ``LOC: 0.214 [0.184, 0.244]``; empty if no groups have any."""
    known = _by_group(result)
    return f"{words.name(known[0][0])}: {known[0][1]}" if known else ""


def _by_group(result: Json) -> list[tuple[str, Measured]]:
    """The headline number of each group, the worst first; none where fewer than two groups have one.

    The better end of the interval decides, so that a group with three examples is not the worst by chance; then the
    number itself.
    """
    metric = metric_of(result, result["headline"])
    sign, known = 1 if metric.more_is_better else -1, []
    for group, row in result["per_type"].items():
        found = Measured.of(row.get(metric.name))
        near = found.high if metric.more_is_better else found.low
        near = found.value if near is None else near
        if near is not None:
            known.append(((sign * near, sign * (near if found.value is None else found.value), group), found))
    if len(known) < 2:
        return []
    return [(group, found) for (*_, group), found in sorted(known, key=lambda each: each[0])]


def _worst(result: Json) -> Iterator[Item]:
    """The group with the worst headline number, the next ones, and all that fail bounds of their own.

    Nothing where groups have no such numbers.
    """
    metric, failed = metric_of(result, result["headline"]), {judged["type"] for judged in _failed(result)}
    known = _by_group(result)
    if not known:
        return
    (group, found), *rest = known
    n = result["per_type"][group][metric.name]["n"]
    said = f"{words.name(group)}, {metric.words} {found} over {words.count(n, _unit(result))}"
    said += ", which fails its own bound" if group in failed else ""
    others = [
        f"{words.name(name)} {number.number}" + " (fails its own bound)" * (name in failed)
        for place, (name, number) in enumerate(rest)
        if place < _OTHERS or name in failed
    ]
    yield Item(f"{said}; then {', '.join(others)}", f"Worst {group_noun(result)}")


def _unit(result: Json) -> str:
    """The unit that the number of a group counts, in the singular."""
    probe, task = probe_of(result), task_of(result)
    return probe.unit(task).removesuffix("s") if probe.apart else task.noun


def _failed(result: Json) -> list[Json]:
    return [judged for judged in result["judgements"] if judged["verdict"] == "fail"]


def remedy(result: Json, document: Json) -> Iterator[Item]:
    """The advice on a case that failed or is undecided; nothing where there is none.

    It names a comparison with an accepted run only to who has none.
    """
    if result["verdict"] == "fail":
        case = result["id"].partition("/")[2].partition("[")[0]
        anew = f" If the loss is accepted, abalo calibrate --case {case} measures the bound anew."
        said = probe_of(result).report.remedy(result, task_of(result))
        yield Item(said + ("" if probe_of(result).apart else anew), "What to do")
    elif result["verdict"] == "inconclusive" and any(judged["needed"] is not None for judged in deciding(result)):
        probe, task = probe_of(result), task_of(result)
        pairs = document.get("comparison") is None and probe.compared_by(task) is not None
        more = f"Run more {probe.unit(task)}: give the {words.spoken(probe.name)} a larger sample."
        yield Item((more if probe.apart else f"Judge on more distinct {task.noun}s.") + _PAIRED * pairs, "What to do")
