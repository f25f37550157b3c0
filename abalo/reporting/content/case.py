"""The report on one case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from abalo.core.documents.blocks import (
    Bars,
    Block,
    Cell,
    Column,
    Fold,
    Measured,
    Row,
    Table,
    Text,
    VerdictMark,
    define_terms,
    heads,
)
from abalo.core.documents.document import Document
from abalo.core.documents.found import DrawnFields, JudgementFacts, Result, certain
from abalo.core.protocols.probe_report import early_stop
from abalo.core.protocols.results import (
    bound,
    changed_nothing,
    doubt,
    group_noun,
    is_floor,
    is_there,
    limit_of,
    measured_number,
    metric_of,
    noise,
    probe_of,
    task_of,
    views_differ,
    worst_first,
)
from abalo.core.records import words
from abalo.core.records.rates import used_in_words
from abalo.core.statistics.estimates import FEWEST_OF_A_GROUP
from abalo.reporting.content.blocks import ordered_blocks
from abalo.reporting.documents.finding import glance


def detail(result: Result, siblings: Sequence[Result], document: Document) -> list[Block]:
    """Reports a case; ``siblings`` are its results in other views."""
    views, apart = (result, *siblings), probe_of(result).apart
    return [
        *glance(result, document),
        Text((result.command,), "Run it again", role="command"),
        *judgements(result, document),
        *(() if apart else groups(result)),
        *(() if apart else task_of(result).report.detail(result, document)),
        *(block for each in ordered_blocks() for block in each.detail(result, document)),
        Fold(
            "All numbers",
            (
                *probe_of(result).report.detail(result, document),
                *metrics(views),
                *compare_views(views),
                measurement(result),
            ),
        ),
    ]


def interval(document: Document) -> str:
    """Names the intervals, such as ``95 % interval``."""
    gate = document.gate
    return f"{100 * gate.confidence:g} % interval" if gate.confidence else "interval"


def judgements(result: Result, document: Document) -> Iterator[Table]:
    """Lists the bounds, failed ones first."""
    if not result.judgements:
        return
    columns = (
        Column("Bound"),
        *heads(("Found", interval(document), "p")),
        Column("Detectable loss", "the smallest loss that fails this bound with 80 % power", numeric=True),
        *heads(("Verdict", "Why, and what would settle it"), numeric=False),
    )
    yield Table(columns, tuple(_bound_row(each, result) for each in worst_first(result)), "Bounds", cards=True)


def _bound_row(judged: JudgementFacts, result: Result) -> Row:
    unit = metric_of(result, judged.bound.partition("_")[2]).unit
    found = Measured() if changed_nothing(result) else Measured.of(judged, unit)
    corrected = judged.verdict_uncorrected not in (None, judged.verdict)
    note = f"({words.state(str(judged.verdict_uncorrected))} before correction)" if corrected else ""
    return Row(
        (
            bound(result, judged.bound, judged.limit, judged.type),
            found.number,
            found.interval or words.NOTHING,
            words.p_value(judged.p),
            words.number(judged.detectable_loss),
            VerdictMark(judged.verdict, words.state(judged.verdict), note),
            doubt(judged, result) or words.NOTHING,
        )
    )


_MANY_GROUPS = 100
"""Beyond this number, groups without intervals are left to robustness.json."""


def groups(result: Result) -> Iterator[Block]:
    """Lists each group's headline number and scores, if the number applies to groups."""
    rows = {group: row for group, row in result.per_type.items() if is_there(row)}
    task, headline = task_of(result), result.headline
    if not any(row.more.get(headline) for row in rows.values()):
        return
    scores = [name for name in probe_of(result).report.scores(task) if name != headline]
    columns = [
        Column(words.sentence_case(group_noun(result))),
        *heads((f"Gold {task.held_noun}", words.sentence_case(f"{task.noun}s"))),
        Column(_title(result, headline), numeric=True),
        Column("", figure=True),
        *heads([_title(result, name) for name in scores]),
    ]
    body, few = [], len(rows) <= _MANY_GROUPS
    shown = {group: row for group, row in rows.items() if few or row.support >= FEWEST_OF_A_GROUP}
    for group, row in sorted(shown.items()):
        found, limit = Measured.of(row.more.get(headline), metric_of(result, headline).unit), limit_of(result, group)
        hint = f"{group}: {metric_of(result, headline).words} {found}"
        cells: list[Cell] = [
            group,
            f"{row.support:,}",
            f"{0 if (own := row.more.get(headline)) is None else own.n:,}",
            found,
        ]
        cells.append(Bars((found,), hint + ("" if limit is None else f", bound {words.limit(limit)}"), limit))
        cells += [Measured.of(row.more.get(name), metric_of(result, name).unit) for name in scores]
        body.append(Row(tuple(cells)))
    if body:
        yield Table(tuple(columns), tuple(body), f"Per {group_noun(result)}", dense=True)
    if left := len(rows) - len(body):
        kinds = words.count(left, group_noun(result))
        yield Text((f"{kinds} with fewer than {FEWEST_OF_A_GROUP} examples: robustness.json has the numbers.",))


def metrics(views: Sequence[Result]) -> Iterator[Table]:
    """Lists each metric from the first view that defines it."""
    result = views[0]
    probe, task = probe_of(result), task_of(result)
    if not probe.scored:
        return
    names = list(result.metrics)
    if not probe.perturbs:
        names = [name for name in names if name in (result.headline, *probe.report.scores(task))]
    found = {
        name: (measured_number(view, name), view.view)
        for view in reversed(views)
        for name in names
        if measured_number(view, name).value is not None
    }
    rows = [
        Row((_title(result, name), found[name][0], found[name][1] or words.NOTHING, metric_of(result, name).meaning))
        for name in names
        if name in found and not _is_repeated(name, found)
    ]
    rows += [*_noise(result)]
    if len(task.views) == 1:
        rows = [Row((*row.cells[:2], row.cells[3])) for row in rows]
    columns = [Column("Metric"), Column("Found", numeric=True), Column("View"), Column("Meaning")]
    if rows:
        yield Table(tuple(columns if len(task.views) > 1 else [*columns[:2], columns[3]]), tuple(rows), "Metrics")


def _noise(result: Result) -> Iterator[Row]:
    if result.noise:
        name = result.noise.metric
        meaning = f"{metric_of(result, name).words} between two repeats of the clean corpus"
        yield Row(("Noise of the model", noise(result, name) or words.NOTHING, words.NOTHING, meaning))


def _is_repeated(name: str, found: Mapping[str, tuple[Measured, str | None]]) -> bool:
    return any(name.startswith(f"{other}_") and found[name] == found[other] for other in found)


def compare_views(views: Sequence[Result]) -> Iterator[Block]:
    """Compares the scores by view; empty if the case has no separate views."""
    result = views[0]
    probe, task = probe_of(result), task_of(result)
    if len(views) < 2 or not probe.scored or not probe.perturbs:
        return
    if not views_differ(views):
        names = ", ".join(certain(view.view) for view in views)
        yield Text((f"All views ({names}) give the same {metric_of(result, task.floor).words}.",), "Views")
        return
    shown = [*probe.report.scores(task), *([result.headline] if not is_floor(result) else [])]
    columns = [Column("View"), *heads([_title(result, name) for name in shown]), Column("What is compared")]
    rows = [
        Row(
            (
                certain(view.view) + (" (bound)" if view.bound is not None else ""),
                *(measured_number(view, name) for name in shown),
                task.report.view_meanings.get(view.view or "", ""),
            )
        )
        for view in views
    ]
    yield Table(tuple(columns), tuple(rows), "Views")


def measurement(result: Result) -> Text:
    """Reports examples, variants, seeds, model inputs, time and filters."""
    probe, noun, own = probe_of(result), task_of(result).noun, DrawnFields.of(result)
    parts = [f"{words.count(result.sentences, noun)} ({result.distinct:,} distinct){early_stop(result)}"]
    if probe.perturbs:
        parts += [f"{result.changed:,} changed", words.count(result.variants, "changed variant")]
        parts += [f"{own.not_hit:,} left unchanged by chance"] if own.not_hit else []
        parts += [f"{own.nothing_fits:,} without a place to change"] if own.nothing_fits else []
        parts += [f"{own.filtered:,} more filtered out"] if own.filtered else []
        partly = result.reach is not None and 0 < result.changed < result.sentences
        parts += [f"a drop over all {noun}s of at most {words.number(result.reach)}"] if partly else []
    seeds = ", ".join(map(str, result.seeds)) or words.NOTHING
    inputs = words.count(result.inputs, "new model input")
    if result.shared_inputs:
        inputs += f" ({result.shared_inputs:,} shared with a related case)"
    parts += [f"seed{'s' * (len(result.seeds) > 1)} {seeds}", f"{inputs} in {result.seconds:.1f} s"]
    if result.calls is not None:
        parts += [words.count(result.calls.get("made", 0), "call"), *used_in_words(result.calls)]
    required = {f"{each.validator}, {each.side}imum {each.limit:g}": each.by for each in own.require}
    parts += [f"{name}: {edition}" for name, edition in own.drawn_with.items()]
    return Text((f"{', '.join(parts)}.", *define_terms(required)), "How much was measured")


def _title(result: Result, name: str) -> str:
    return words.sentence_case(metric_of(result, name).words)
