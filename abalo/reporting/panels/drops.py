"""The drops of all perturbed cases in one chart, those that matter most on top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from abalo.core import words
from abalo.core.blocks import Bar, Block, Chart, Fold, Group, Text
from abalo.core.results import (
    Json,
    cases,
    headline,
    limit_of,
    metric_of,
    probe_of,
    scenario,
    task_of,
    weight,
)
from abalo.reporting.blocks.comparison import regressed_cases
from abalo.reporting.case import interval
from abalo.reporting.lanes import scale_of
from abalo.reporting.panels import Panel
from abalo.reporting.standing import in_a_word

_OPEN = 40
"""How many bars stand before the others are folded."""

_SAME = 5e-4
"""Two numbers of six decimals that differ by less are the same."""


def blocks(document: Json) -> Sequence[Block]:
    """A chart of the number that each task is about, such as the drop of a score; other numbers are folded."""
    shown = [each for each in cases(document) if probe_of(each).perturbs and headline(each).value is not None]
    drops = [each for each in shown if _is_headline(each)]
    if not shown:
        return ()
    found: list[Block] = [*_charts(drops, document)] if drops else []
    others: dict[str, list[Json]] = {}
    for each in shown:
        if not _is_headline(each):
            others.setdefault(metric_of(each, each["headline"]).words, []).append(each)
    for name, results in others.items():
        found.append(Fold(words.sentence_case(name), tuple(_charts(results, document))))
    return found


PANEL = Panel("drops", "Drops", blocks, order=-20)


def _is_headline(result: Json) -> bool:
    """Whether the number of a case is that which its task is about, on a scale that all tasks share."""
    return bool(result["headline"] == task_of(result).headline and not metric_of(result, result["headline"]).unit)


def _charts(results: Sequence[Json], document: Json) -> Iterator[Block]:
    references, lost = _references(document), regressed_cases(document)
    several = len({each["task"] for each in results}) > 1
    ranked = sorted(results, key=lambda each: (each["id"] in lost, weight(each)), reverse=True)
    bars = [_bar(each, references, document, several=several) for each in ranked]
    metrics = {metric_of(each, each["headline"]).words: metric_of(each, each["headline"]) for each in results}
    quantity, scale = " or ".join(metrics), scale_of(bars)
    title = words.sentence_case(f"{quantity} with {interval(document)}")
    yield Chart(title, (Group("", tuple(bars[:_OPEN])),), quantity, "lanes", scale=scale, most=_OPEN)
    if len(bars) > _OPEN:
        rest = tuple(bars[_OPEN:])
        more = Chart("", (Group("", rest),), quantity, "lanes", scale=scale, most=len(rest))
        yield Fold(words.count(len(rest), "more case"), (more,))
    meant = tuple(f"{words.sentence_case(each.words)}: {each.meaning}." for each in metrics.values() if each.meaning)
    if meant:
        yield Text(meant)


def _bar(result: Json, references: Mapping[str, float], document: Json, *, several: bool) -> Bar:
    label = f"{task_of(result).title}: {scenario(result)}" if several else scenario(result)
    accepted, number = references.get(result["id"]), headline(result)
    return Bar(
        label,
        number,
        limit_of(result),
        in_a_word(result, document),
        weight(result),
        reference=accepted,
        case=result["id"],
    )


def _references(document: Json) -> dict[str, float]:
    """The drops of the reference by case, where they are known.

    A drop is the score of the clean corpus minus that of the case. Where this does not give the drop that the new run
    measured, the case is about other sentences than the clean corpus, and that of the reference is not known.
    """
    found = {}
    shown = {each["id"]: each for each in cases(document)}
    for own in (document.get("comparison") or {"tasks": {}})["tasks"].values():
        clean = own["baseline"]
        for loss in own["losses"]:
            result = shown.get(loss["id"])
            if result is None or loss["type"] is not None or clean is None:
                continue
            ends = (clean["new"], loss["new"], headline(result).value, clean["reference"], loss["reference"])
            if None not in ends and metric_of(result, result["headline"]).is_drop:
                new, changed, drop, accepted, accepted_changed = ends
                if abs(new - changed - drop) < _SAME:
                    found[result["id"]] = accepted - accepted_changed
    return found
