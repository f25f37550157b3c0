"""The common part of a report on one case, made of its results alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from abalo.core import words
from abalo.core.blocks import Bars, Block, Cell, Column, Fold, Measured, Row, Table, Text, Verdict, defined, heads
from abalo.core.probe_report import taken
from abalo.core.results import (
    NOISE,
    Json,
    bound,
    doubt,
    group_noun,
    is_floor,
    is_there,
    limit_of,
    measured,
    metric_of,
    noise,
    probe_of,
    task_of,
    views_differ,
    worst_first,
)
from abalo.reporting.blocks import ordered
from abalo.reporting.finding import glance


def detail(result: Json, siblings: Sequence[Json], document: Json) -> list[Block]:
    """All about one case: ``siblings`` are its results in other views; of the document, its facts will do."""
    views, apart = (result, *siblings), probe_of(result).apart
    return [
        *glance(result, document),
        Text((result["command"],), "Run it again", role="command"),
        *judgements(result, document),
        *(() if apart else groups(result)),
        *(() if apart else task_of(result).report.detail(result, document)),
        *(block for each in ordered() for block in each.detail(result, document)),
        Fold(
            "All numbers",
            (
                *probe_of(result).report.detail(result, document),
                *metrics(views),
                *compared(views),
                measurement(result),
            ),
        ),
    ]


def interval(document: Json) -> str:
    """The confidence of all intervals, such as ``95 % interval``; without the number before it is known."""
    gate = document.get("gate")
    return f"{100 * gate['confidence']:g} % interval" if gate else "interval"


def judgements(result: Json, document: Json) -> Iterator[Table]:
    """A row per bound, failed ones first: value, interval, verdict, p, what would settle it."""
    if not result["judgements"]:
        return
    columns = (
        Column("Bound"),
        *heads(("Found", interval(document), "p")),
        Column("Detectable loss", "the smallest loss that the bound would block with a power of 80 %", numeric=True),
        *heads(("Verdict", "Why, and what would settle it"), numeric=False),
    )
    yield Table(columns, tuple(_judged(each, result) for each in worst_first(result)), "Bounds")


def _judged(judged: Json, result: Json) -> Row:
    found = Measured.of(judged, metric_of(result, judged["bound"].partition("_")[2]).unit)
    corrected = judged["verdict_uncorrected"] not in (None, judged["verdict"])
    note = f"({judged['verdict_uncorrected']} before correction)" if corrected else ""
    return Row(
        (
            bound(result, judged["bound"], judged["limit"], judged["type"]),
            found.number,
            found.interval or words.NOTHING,
            words.p_value(judged["p"]),
            words.number(judged.get("sight")),
            Verdict(judged["verdict"], judged["verdict"], note),
            doubt(judged, result) or words.NOTHING,
        )
    )


def groups(result: Json) -> Iterator[Table]:
    """A row per group, such as an entity type: its headline number, drawn on one scale, and its scores.

    Nothing where the headline number has no meaning for single groups.
    """
    rows = {group: row for group, row in result["per_type"].items() if is_there(row)}
    task, headline = task_of(result), result["headline"]
    if not any(row.get(headline) for row in rows.values()):
        return
    scores = [name for name in probe_of(result).report.scores(task) if name != headline]
    columns = [
        Column(words.sentence_case(group_noun(result))),
        *heads((f"Gold {task.held_noun}", words.sentence_case(f"{task.noun}s"))),
        Column(_title(result, headline), numeric=True),
        Column("", figure=True),
        *heads([_title(result, name) for name in scores]),
    ]
    body = []
    for group, row in sorted(rows.items()):
        found, limit = Measured.of(row.get(headline), metric_of(result, headline).unit), limit_of(result, group)
        hint = f"{group}: {metric_of(result, headline).words} {found}"
        cells: list[Cell] = [group, f"{row['support']:,}", f"{(row.get(headline) or {}).get('n', 0):,}", found]
        cells.append(Bars((found,), hint + ("" if limit is None else f", bound {words.limit(limit)}"), limit))
        cells += [Measured.of(row.get(name), metric_of(result, name).unit) for name in scores]
        body.append(Row(tuple(cells)))
    yield Table(tuple(columns), tuple(body), f"Per {group_noun(result)}", dense=True)


def metrics(views: Sequence[Json]) -> Iterator[Table]:
    """A row per metric that has a meaning in one of the views, from the first such.

    Of a case that perturbs nothing only its scores; nothing of one whose variants are about one target each.
    """
    result = views[0]
    probe, task = probe_of(result), task_of(result)
    if not probe.scored:
        return
    names = list(result["metrics"])
    if not probe.perturbs:
        names = [name for name in names if name in (result["headline"], *probe.report.scores(task))]
    found = {
        name: (measured(view, name), view["view"])
        for view in reversed(views)
        for name in names
        if measured(view, name).value is not None
    }
    rows = [
        Row((_title(result, name), found[name][0], found[name][1] or words.NOTHING, metric_of(result, name).meaning))
        for name in names
        if name in found and not _said_by_another(name, found)
    ]
    rows += [*_noise(result)]
    if len(task.views) == 1:
        rows = [Row((*row.cells[:2], row.cells[3])) for row in rows]
    columns = [Column("Metric"), Column("Found", numeric=True), Column("View"), Column("Meaning")]
    if rows:
        yield Table(tuple(columns if len(task.views) > 1 else [*columns[:2], columns[3]]), tuple(rows), "Metrics")


def _noise(result: Json) -> Iterator[Row]:
    """The flips of a random model on examples that nothing has changed."""
    if result.get(NOISE):
        name = result[NOISE]["metric"]
        meaning = f"{metric_of(result, name).words} between two passes over the clean corpus"
        yield Row(("Noise of the model", noise(result, name) or words.NOTHING, words.NOTHING, meaning))


def _said_by_another(name: str, found: Mapping[str, tuple[Measured, str | None]]) -> bool:
    """Whether the metric is a variant of another, called as that with words behind, and says the same here."""
    return any(name.startswith(f"{other}_") and found[name] == found[other] for other in found)


def compared(views: Sequence[Json]) -> Iterator[Block]:
    """A row per view; one line where all agree; nothing for a case that views cannot tell apart."""
    result = views[0]
    probe, task = probe_of(result), task_of(result)
    if len(views) < 2 or not probe.scored or not probe.perturbs:
        return
    if not views_differ(views):
        names = ", ".join(view["view"] for view in views)
        yield Text((f"All views ({names}) give the same {metric_of(result, task.floor).words}.",), "Views")
        return
    shown = [*probe.report.scores(task), *([result["headline"]] if not is_floor(result) else [])]
    columns = [Column("View"), *heads([_title(result, name) for name in shown]), Column("The prediction is compared")]
    rows = [
        Row(
            (
                view["view"] + (" (bound)" if view["bound"] is not None else ""),
                *(measured(view, name) for name in shown),
                task.report.view_meanings.get(view["view"], ""),
            )
        )
        for view in views
    ]
    yield Table(tuple(columns), tuple(rows), "Views")


def measurement(result: Json) -> Text:
    """Examples, variants, seeds, model inputs and time in a line, and what measured whether variants count."""
    probe, noun = probe_of(result), task_of(result).noun
    parts = [f"{words.count(result['sentences'], noun)} ({result['distinct']:,} distinct){taken(result)}"]
    if probe.perturbs:
        parts += [f"{result['changed']:,} changed", words.count(result["variants"], "changed variant")]
        parts += [f"{result['not_hit']:,} not hit by chance"] if result.get("not_hit") else []
        parts += [f"nothing fits in {result['nothing_fits']:,}"] if result.get("nothing_fits") else []
        parts += [f"{result['filtered']:,} more filtered out"] if result["filtered"] else []
    seeds = ", ".join(map(str, result["seeds"])) or words.NOTHING
    inputs = words.count(result["forwards"], "new model input")
    if result["shared_forwards"]:
        inputs += f" ({result['shared_forwards']:,} shared with a related case)"
    parts += [f"seed{'s' * (len(result['seeds']) > 1)} {seeds}", f"{inputs} in {result['seconds']:.1f} s"]
    required = {f"{each['validator']}, {each['side']}imum {each['limit']:g}": each["by"] for each in result["require"]}
    parts += [f"{name}: {edition}" for name, edition in (result.get("drawn_with") or {}).items()]
    return Text((f"{', '.join(parts)}.", *defined(required)), "How much was measured")


def _title(result: Json, name: str) -> str:
    return words.sentence_case(metric_of(result, name).words)
