"""Blocks of judged scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from abalo.core.documents.blocks import Block, Column, Item, Line, Measured, Row, Table, Text, VerdictMark, heads
from abalo.core.documents.found import Interval
from abalo.core.records import words
from abalo.core.statistics.losses import State
from abalo.core.statistics.verdicts import Verdict
from abalo.scores.facts import GateDocument, JudgedMetric, ScoreBound, ScoreLoss, failures_of

_VERDICTS: dict[State, Verdict | None] = {
    "regressed": "fail",
    "can't tell": "inconclusive",
    "not comparable": None,
    "not judged": None,
}

_WHY = 200


def verdict_text(document: GateDocument) -> Text:
    """Returns the verdict with its reason."""
    verdict = None if document.verdict == "measured" else document.verdict
    return Text((_reason(document),), role="verdict", verdict=VerdictMark(verdict, document.headline))


def _reason(document: GateDocument) -> str:
    if document.verdict == "fail":
        told = [failure_in_words(name, each) for name, own in document.metrics.items() for each in _blocking(own)]
        more = f"; and {len(told) - 3} more" if len(told) > 3 else ""
        return "; ".join(told[:3]) + more
    if document.reasons:
        return "; ".join(document.reasons)
    compared = {name: own.loss for name, own in document.metrics.items() if own.loss is not None and own.blocking}
    if document.verdict == "pass" and (others := [*beside(document)]):
        return "; ".join(each for each in (_held(document, compared), *others) if each)
    return _held(document, compared)


def beside(document: GateDocument) -> Iterator[str]:
    """Yields the failures of metrics that do not block, in words."""
    for name, own in document.metrics.items():
        if not own.blocking:
            yield from (f"not blocking: {failure_in_words(name, each)}" for each in failures_of(own))


def _held(document: GateDocument, compared: Mapping[str, ScoreLoss]) -> str:
    if document.verdict == "pass" and not any(own.blocking for own in document.metrics.values()):
        return "no metric blocks"
    if document.headline == "OK":
        open_still = {name: loss for name, loss in compared.items() if loss.state == "can't tell"}
        return "; ".join(
            f"{words.name(name)} at most {words.number(loss.high)} worse (allowed {words.limit(loss.limit)})"
            for name, loss in open_still.items()
        )
    if compared:
        states = dict.fromkeys(words.state(loss.state) for loss in compared.values())
        return f"{words.count(len(compared), 'metric')} {', '.join(states)}"
    if document.verdict == "measured":
        return "no reference and no limit; accept these scores as a reference, or give --minimum"
    bounds = [bound for own in document.metrics.values() if own.blocking for bound in own.bounds]
    undecided = sum(bound.verdict == "inconclusive" for bound in bounds)
    inside = f"{words.count(undecided, 'limit')} undecided, every estimate inside" if undecided else ""
    return "; ".join(filter(None, ("limits of the new scores hold" if undecided < len(bounds) else "", inside)))


def _blocking(own: JudgedMetric) -> Iterator[ScoreLoss | ScoreBound]:
    yield from failures_of(own) if own.blocking else ()


def failure_in_words(name: str, failure: ScoreLoss | ScoreBound) -> str:
    """Returns a line such as ``accuracy lost 0.050 [0.021, 0.080], allowed 0.010``."""
    said = Measured.of(failure)
    if isinstance(failure, ScoreBound):
        side = "below" if failure.bound == "minimum" else "above"
        return f"{words.name(name)} {said} is {side} the {failure.bound} {words.limit(failure.limit)}"
    where = "" if failure.slice is None else f" in {words.name(failure.slice)}"
    return f"{words.name(name)}{where} lost {said}, allowed {words.limit(failure.limit)}"


def blocks(document: GateDocument, most: int | None) -> Sequence[Block]:
    """Returns all blocks, with at most ``most`` rows in long tables."""
    found: list[Block] = [verdict_text(document)]
    if document.reference is not None:
        found.append(_metrics(document))
    found += [*_limits(document), *_turned(document), *_slices(document, most), *_lost(document, most)]
    return [*found, *_notes(document), _judged_by(document)]


def _metrics(document: GateDocument) -> Table:
    columns = (
        Column("Metric"),
        *heads(("Reference", "New"), wide=True),
        Column("Loss", "positive is worse; corrected interval", numeric=True, wide=True),
        *heads(("Allowed",)),
        Column("State"),
        Column("Detectable", "the smallest loss that would be found with 80 % power", numeric=True),
        *heads((_units(document), "Differ")),
    )
    return Table(columns, tuple(_row(name, own) for name, own in document.metrics.items()), "Metrics", noun="metric")


def _units(document: GateDocument) -> str:
    units = {each.unit for own in document.metrics.values() for each in (own.loss, *own.slices) if each is not None}
    return " or ".join(unit for unit in ("Examples", "Clusters") if unit[:-1].lower() in units) or "Examples"


def _row(name: str, own: JudgedMetric) -> Row:
    loss = own.loss
    if loss is None:
        return Row((name, *[words.NOTHING] * 8))
    blocking = "" if own.blocking else "not blocking"
    return Row(
        (
            name,
            words.number(own.reference),
            words.number(loss.new) if own.only_new else Measured.of(own.new),
            Measured.of(loss),
            words.limit(loss.limit),
            _mark(loss, blocking),
            words.number(loss.detectable_loss),
            f"{loss.n:,}",
            f"{loss.discordant:,}",
        )
    )


def _mark(loss: ScoreLoss, note: str = "") -> VerdictMark:
    return VerdictMark(verdict_of(loss.state), words.state(loss.state), note)


def verdict_of(state: State) -> Verdict | None:
    """Returns the verdict that colours a state."""
    return _VERDICTS.get(state, "pass")


def _limits(document: GateDocument) -> Iterator[Table]:
    rows = [
        Row(
            (
                name,
                each.bound,
                Measured.of(each),
                words.limit(each.limit),
                VerdictMark(each.verdict, words.state(each.verdict), "" if own.blocking else "not blocking"),
                _more(each),
            )
        )
        for name, own in document.metrics.items()
        for each in own.bounds
    ]
    if rows:
        columns = (*heads(("Metric", "Limit"), numeric=False), *heads(("Number",), wide=True), *heads(("Allowed",)))
        columns = (*columns, *heads((words.sentence_case("verdict"), "Reason"), numeric=False))
        yield Table(columns, tuple(rows), "Limits", noun="limit")


def _more(bound: ScoreBound) -> str:
    needed = "" if bound.needed is None else f"; about {bound.needed:,} distinct examples would settle it"
    return words.shorten(f"{bound.reason or ''}{needed}", _WHY)


def _turned(document: GateDocument) -> Iterator[Table]:
    rows = [
        Row((name, f"{wrong.count:,}", Measured.of(wrong), f"{right.count:,}", Measured.of(right)))
        for name, own in document.metrics.items()
        if (wrong := own.newly_wrong) is not None and (right := own.newly_right) is not None
    ]
    if rows:
        columns = (
            Column("Metric"),
            Column("Newly wrong", "right in the reference, wrong now", numeric=True),
            *heads(("Share",), wide=True),
            Column("Newly right", "the reverse", numeric=True),
            *heads(("Share ",), wide=True),
        )
        yield Table(columns, tuple(rows), "Newly wrong and newly right", noun="metric")


def _slices(document: GateDocument, most: int | None) -> Iterator[Table]:
    rows = [
        Row(
            (
                name,
                each.slice or "",
                words.number(each.reference),
                words.number(each.new),
                Measured.of(each),
                _mark(each),
                f"{each.n:,}",
            ),
            weight=_weight(each),
        )
        for name, own in document.metrics.items()
        for each in own.slices
    ]
    if rows:
        columns = (*heads(("Metric", "Slice"), numeric=False), *heads(("Reference", "New")))
        columns = (*columns, *heads(("Loss",), wide=True), Column("State"), *heads((_units(document),)))
        yield Table(columns, tuple(rows), "Slices", noun="slice", most=most, keys=2)


def _weight(loss: ScoreLoss) -> float:
    return (2.0 if loss.state == "regressed" else 0.0) + (loss.value or 0.0)


def _lost(document: GateDocument, most: int | None) -> Iterator[Table]:
    rows = [
        Row(
            (
                words.name(name),
                words.name(each.id),
                words.number(each.reference),
                "missing" if each.new is None else words.number(each.new),
            )
        )
        for name, own in document.metrics.items()
        for each in own.lost
    ]
    if rows:
        columns = (*heads(("Metric", "Example"), numeric=False), *heads(("Reference", "New")))
        yield Table(columns, tuple(rows), "Largest losses", noun="example", most=most, keys=2)


def _notes(document: GateDocument) -> Iterator[Text]:
    lines: list[Line] = [*document.notes]
    for name, own in document.metrics.items():
        lines += [Item(said, words.name(name)) for said in _remarks(own)]
        reasons = [each for each in (own.loss, *own.slices) if each is not None and each.reason]
        lines += [
            Item(str(each.reason), words.name(f"{name}/{each.slice}" if each.slice else name)) for each in reasons
        ]
    if lines:
        yield Text(tuple(lines), "Remarks", "remarks", noun="remark", most=40)


def _remarks(own: JudgedMetric) -> Iterator[str]:
    if own.missing:
        yield f"{words.count(own.missing, 'example')} without a new score, counted as the worst"
    if own.empty_runs:
        yield f"{words.count(own.empty_runs, 'run')} without a score, counted as the worst"
    if own.dropped_runs:
        yield f"{words.count(own.dropped_runs, 'run')} without a score, dropped"
    if own.fewer_runs:
        verb = "has" if own.fewer_runs == 1 else "have"
        yield f"{words.count(own.fewer_runs, 'example')} {verb} fewer runs than in the reference"
    if own.dropped:
        yield f"{words.count(own.dropped, 'example')} without a new score, dropped"
    if own.only_new:
        named = ", ".join(words.name(each) for each in own.only_new_ids)
        more = ", …" if own.only_new > len(own.only_new_ids) else ""
        yield f"{words.count(own.only_new, 'example')} that the reference has no score of, not compared: {named}{more}"
        yield f"mean of all new scores, with those: {Measured.of(own.new)}"
    if any(each is not None for each in own.noise):
        said = " and ".join(words.number(each) for each in own.noise if each is not None)
        yield f"standard deviation of the mean between runs: {said}"


def _judged_by(document: GateDocument) -> Text:
    correction = "corrected for their number" if document.correction != "none" else "not corrected for their number"
    files = f"{words.place(document.new.name)} ({document.new.reader})"
    against = document.reference
    told = "" if against is None else f" against {words.place(against.name)} ({against.reader})"
    accepted = "" if against is None or not against.accepted else f", accepted on {against.accepted.get('date')}"
    said = f"{files}{told}{accepted}; {100 * document.confidence:g} % intervals, {correction}."
    return Text((said,), "Judged")


def flat(document: GateDocument) -> Iterator[tuple[str, Interval | None]]:
    """Yields each number of the document with its name."""
    for name, own in document.metrics.items():
        yield name, own.new
        yield f"{name}/loss", own.loss
        yield f"{name}/newly_wrong", own.newly_wrong
        yield f"{name}/newly_right", own.newly_right
        yield from ((f"{name}/{each.slice}/loss", each) for each in own.slices)
