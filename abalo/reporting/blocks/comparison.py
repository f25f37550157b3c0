"""The losses against an accepted run: what got worse, what did not, what cannot be told."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from abalo.core import words
from abalo.core.blocks import Block, Cell, Column, Fold, Item, Line, Measured, Row, Table, Text, Verdict, heads
from abalo.core.case import BASELINE
from abalo.core.losses import STATES
from abalo.core.results import Json, cases, scenario
from abalo.core.task import Task, tasks
from abalo.errors import visible
from abalo.reporting import newly_broken
from abalo.reporting.blocks import ReportBlock

_VERDICTS = {
    "regressed": "fail",
    "can't tell": "inconclusive",
    "no worse": "pass",
    "improved": "pass",
    "identical": "pass",
    "not comparable": None,
    "too few changed": None,
}

_LENGTH = 700
"""How many characters of a sentence are shown."""

_REMEDY = Item(
    "see the sentences; a loss that is meant for a while is accepted beside its case: accepted_loss, until and why.",
    "What to do",
)

_OPEN = 6
"""How many sentences are shown before the others are folded, or left out."""


def summary(document: Json) -> Sequence[Block]:
    """For each task that was compared: the outcome in a line, a table of losses, gaps, sentences that got worse."""
    compared = document.get("comparison")
    return [] if compared is None else list(_blocks(compared, document))


def page(document: Json) -> Sequence[Block]:
    """The same with the table of the regressions alone in sight; that of all losses is folded away."""
    compared = document.get("comparison")
    return [] if compared is None else list(_blocks(compared, document, short=True))


def brief(document: Json) -> Sequence[Block]:
    """A line for each loss that is a regression or an improvement, cannot be compared or is waived, and for each task.

    Of losses that cannot be told those of whole cases have one.
    """
    compared = document.get("comparison")
    if compared is None:
        return []
    found: list[Block] = [*drift(compared)]
    for name, own in compared["tasks"].items():
        told = [
            loss
            for loss in _losses(own)
            if loss["state"] in ("regressed", "improved", "not comparable")
            or (loss["state"] == "can't tell" and loss["type"] is None)
        ]
        lines = [Item(in_words(loss), subject(loss, name), verdict=_verdict(loss)) for loss in told]
        lines += [Item(_accepted(loss), subject(loss, name)) for loss in _losses(own) if _has_waiver(loss)]
        found.append(Text(tuple(lines), role="list"))
        found.append(Text((_said(name, own, compared),)))
    return [*found, *_missing(compared)]


BLOCK = ReportBlock("comparison", summary, brief=brief, page=page, leads=True)


def _blocks(compared: Json, document: Json, *, short: bool = False) -> Iterator[Block]:
    titles = {result["id"]: scenario(result) for result in cases(document)}
    yield from drift(compared)
    yield from _missing(compared)
    for name, own in compared["tasks"].items():
        task, against = tasks()[name], f"losses against {visible(compared['reference']['name'])}"
        state = Verdict(_VERDICTS[own["state"]], own["state"])
        yield Text((Item(_said(name, own, compared), verdict=state),), role="list")
        overall = [loss for loss in _losses(own) if loss["type"] is None]
        regressed = _that_regressed(overall, own)
        every = _table(overall, own, titles, task, "" if short else f"{task.title}: {against}")
        if regressed and short:
            yield replace(_table(regressed, own, titles, task, f"{task.title}: regressed"), notes=(_REMEDY,))
        elif regressed:
            yield replace(every, notes=(*every.notes, _REMEDY))
        yield from _remarked(own, titles)
        changed = _changed(own, task, titles, regressed)
        with_edits = [*newly_broken.marked(_by_case(own["newly_worse"], regressed), document)]
        yield from with_edits
        if "worse" in changed:
            worse = changed["worse"]
            yield Fold(f"All {worse.title[0].lower()}{worse.title[1:]}", (worse,)) if with_edits else worse
        if "better" in changed:
            yield Fold(changed["better"].title, (replace(changed["better"], title="", open=None),))
        if short or not regressed:
            yield Fold(f"All {against}", (every,))


def drift(compared: Json) -> Iterator[Text]:
    """The mean losses since the first reference of the chain, as a notice if one is above the limit.

    Nothing if the reference is the first of its chain: the mean loss of the run then says the same.
    """
    if compared["reference"].get("since") is None:
        return
    found, name = compared["since"], compared["reference"]["name"]
    again = f" of {found['date']}" if found["name"] == name and found["date"] else ""  # a reference that was replaced
    most = max(found["mean_loss"].values(), default=0.0)
    said = f"Mean loss {since(found, again)}"
    if most > found["limit"]:
        said += f", above {words.limit(found['limit'])}: losses that were each accepted have added up"
    yield Text((f"{said}.",), role="notice" if most > found["limit"] else "plain")


def since(chain: Json, again: str = "") -> str:
    """The mean losses of a chain, such as ``since 1.0: 0.021``, with the names of the tasks if there are several."""
    lost = {name: words.number(value) for name, value in chain["mean_loss"].items()}
    numbers = lost.values() if len(lost) == 1 else [f"{name} {value}" for name, value in lost.items()]
    return f"since {visible(chain['name'])}{again}: {', '.join(numbers) or 'not known'}"


def remarks(document: Json) -> Iterator[Block]:
    """The tasks and cases that could not be compared, each with the reason, and the losses that are accepted."""
    titles = {result["id"]: scenario(result) for result in cases(document)}
    yield from _missing(document["comparison"])
    for own in document["comparison"]["tasks"].values():
        yield from _remarked(own, titles)


def _remarked(own: Json, titles: Json) -> Iterator[Text]:
    for title, found in (("Not compared", _not_compared(own, titles)), ("Accepted losses", _waived(own, titles))):
        if lines := tuple(found):
            yield Text(lines, title, "remarks", noun="remark", most=20)


def sentences(document: Json) -> Iterator[Text]:
    """For each task the first sentences that got worse, then those that got better, to stand open."""
    titles = {result["id"]: scenario(result) for result in cases(document)}
    for name, own in document["comparison"]["tasks"].items():
        regressed = _that_regressed([loss for loss in _losses(own) if loss["type"] is None], own)
        changed = _changed(own, tasks()[name], titles, regressed).values()
        yield from (replace(text, most=_OPEN, open=None) for text in changed)


def _changed(own: Json, task: Task, titles: Json, regressed: Sequence[Json]) -> dict[str, Text]:
    """The sentences that got worse and those that got better, where there are any."""
    return {
        way: Text(lines, f"{words.sentence_case(task.noun)}s that got {way}", "list", noun=task.noun, open=_OPEN)
        for way in ("worse", "better")
        if (lines := tuple(_sentence(each, titles) for each in _by_case(own[f"newly_{way}"], regressed)))
    }


def _table(losses: Sequence[Json], own: Json, titles: Json, task: Task, title: str) -> Table:
    """A row per case, with the groups in which it regressed, and those in which it improved."""
    floor = task.metrics()[own["metric"]].words
    states = [state for state in ("regressed", "improved") if any(state in _of_types(loss, own) for loss in losses)]
    columns = (
        Column("Case"),
        Column(f"Reference {floor}", numeric=True),
        Column(f"New {floor}", numeric=True),
        Column("Loss, corrected interval", numeric=True, wide=True),
        Column("Allowed", numeric=True),
        Column("State"),
        *(Column(f"{words.sentence_case(state)} {task.group_noun}s") for state in states),
    )
    rows = tuple(Row(_row(loss, own, titles, states), -STATES.index(_worst(loss, own))) for loss in losses)
    notes = ("A loss is the reference's number minus that of the new run, on the same examples; negative is better.",)
    return Table(columns, rows, title, notes, noun="case")


def every(compared: Json, most: int | None = None) -> Iterator[Table]:
    """For each task a row per case and type, worst states first, then whole cases, then the largest losses.

    There are at most so many rows.
    """
    for name, own in compared["tasks"].items():
        task, losses = tasks()[name], sorted(_losses(own), key=_rank)
        floor, shown = task.metrics()[own["metric"]].words, losses[:most]
        columns = (
            Column("State"),
            Column("Case"),
            Column(words.sentence_case(task.group_noun)),
            Column(f"Reference {floor}", numeric=True),
            Column(f"New {floor}", numeric=True),
            Column("Loss, corrected interval", numeric=True, wide=True),
            *(Column(heading, numeric=True) for heading in ("Allowed", "p", "Sight")),
            *([Column("Why")] if any(loss["reason"] for loss in shown) else []),
        )
        rows = tuple(Row(_line_of(loss, own, name)[: len(columns)]) for loss in shown)
        cut = (f"{words.count(len(losses) - len(shown), 'more row')} in the JSON.",) if len(shown) < len(losses) else ()
        yield Table(columns, rows, f"{task.title}: every case and {task.group_noun}", cut, noun="loss")


def _rank(loss: Json) -> tuple[int, bool, float]:
    return STATES.index(loss["state"]), loss["type"] is not None, -(loss["value"] or 0.0)


def counted(losses: Iterable[Json]) -> str:
    """How many losses are in each state, such as ``2 regressed, 40 no worse``."""
    found = Counter(loss["state"] for loss in losses)
    return ", ".join(f"{found[state]} {state}" for state in STATES if found[state])


def every_loss(compared: Json) -> list[Json]:
    """The losses of all tasks."""
    return [loss for own in compared["tasks"].values() for loss in _losses(own)]


def _line_of(loss: Json, own: Json, task: str) -> tuple[Cell, ...]:
    """The cells of a loss in the table of all; the metric is named where it is not the usual one."""
    other = "" if loss["metric"] == own["metric"] else f" ({words.spoken(loss['metric'])})"
    return (
        replace(_verdict(loss), note=""),
        subject({**loss, "type": None}, task) + other,
        "all" if loss["type"] is None else words.name(loss["type"]),
        words.number(loss["reference"]),
        words.number(loss["new"]),
        Measured.of(loss),
        words.number(loss["limit"]),
        words.p_value(loss["p"]),
        words.number(loss["sight"]),
        loss["reason"] or "",
    )


def regressed(compared: Json) -> list[str]:
    """The cases and types that regressed, the most general first, such as ``ner/accents PER``."""
    return [
        subject(loss, name)
        for name, own in compared["tasks"].items()
        for loss in _losses(own)
        if loss["state"] == "regressed"
    ]


def regressed_cases(document: Json) -> set[str]:
    """The ids of the cases that lost against the reference, or a type in them did; none without a reference."""
    compared = document.get("comparison") or {"tasks": {}}
    losses = (loss for own in compared["tasks"].values() for loss in _losses(own))
    return {loss["id"] for loss in losses if loss["state"] == "regressed" and loss["id"] is not None}


def _of_types(loss: Json, own: Json) -> dict[str, list[Json]]:
    """The losses of the groups of a case by their state, the largest first."""
    found: dict[str, list[Json]] = {}
    for each in sorted(own["losses"], key=lambda each: -(each["value"] or 0.0)):
        if loss["id"] is not None and each["id"] == loss["id"] and each["type"] is not None:
            found.setdefault(each["state"], []).append(each)
    return found


def _that_regressed(losses: Sequence[Json], own: Json) -> list[Json]:
    """The losses of cases that regressed as a whole or in a group."""
    return [loss for loss in losses if "regressed" in (loss["state"], *_of_types(loss, own))]


def _worst(loss: Json, own: Json) -> str:
    return min((str(loss["state"]), *_of_types(loss, own)), key=STATES.index)


def _by_case(sentences: Sequence[Json], regressed: Sequence[Json]) -> list[Json]:
    """The sentences of each case together, those of cases that regressed first."""
    places = {loss["id"]: k for k, loss in enumerate(regressed)}
    first = {each["case"]: k for k, each in reversed([*enumerate(sentences)])}
    return sorted(sentences, key=lambda each: (places.get(each["case"], len(places)), first[each["case"]]))


def _missing(compared: Json) -> Iterator[Block]:
    """The tasks that the reference did not judge."""
    if compared["missing"]:
        name = visible(compared["reference"]["name"])
        yield Text((f"not comparable: {name} did not judge {', '.join(compared['missing'])}",), role="notice")


def _losses(own: Json) -> list[Json]:
    """Every loss of a task, the most general first."""
    return [loss for loss in (own["baseline"], own["mean"], *own["losses"]) if loss is not None]


def _said(name: str, own: Json, compared: Json) -> str:
    """How many losses are in each state, such as ``ner against 1.0: 2 regressed, 40 no worse``."""
    unseen = "; same fingerprint, other clean predictions" if own.get("changed_unseen") else ""
    told = f"{name} against {visible(compared['reference']['name'])} ({visible(own['model'])})"
    return f"{told}: {counted(_losses(own))}{unseen}"


def _row(loss: Json, own: Json, titles: Json, states: Sequence[str]) -> tuple[Cell, ...]:
    """The cells of one loss."""
    of_types = _of_types(loss, own)
    return (
        _title(loss, titles),
        words.number(loss["reference"]),
        words.number(loss["new"]),
        Measured.of(loss),
        words.number(loss["limit"]),
        _verdict(loss),
        *(", ".join(map(_of_type, of_types.get(state, ()))) for state in states),
    )


def _of_type(loss: Json) -> str:
    return f"{words.name(loss['type'])} {Measured.of(loss).number}"


def _title(loss: Json, titles: Json) -> str:
    if loss["id"] is None:
        return "Mean over the perturbed cases"
    return str(titles.get(loss["id"], "Clean corpus" if loss["id"].endswith("/baseline") else loss["id"]))


def subject(loss: Json, task: str) -> str:
    """The case of a loss of a task, and its type, such as ``ner/accents PER``."""
    case = f"{task}: mean over the perturbed cases" if loss["id"] is None else str(loss["id"])
    return case if loss["type"] is None else f"{case} {visible(loss['type'])}"


def _verdict(loss: Json) -> Verdict:
    word = loss["state"] if loss["blocking"] else f"{loss['state']} (not blocking)"
    return Verdict(_VERDICTS[loss["state"]], word, loss["reason"] or "")


def in_words(loss: Json) -> str:
    """The metric in both runs, and the loss beside its limit: ``f1 0.900 → 0.800, loss 0.100, allowed 0.010``."""
    if loss["state"] == "not comparable":
        return words.spoken(loss["metric"])
    numbers = f"{words.number(loss['reference'])} → {words.number(loss['new'])}"
    p = "" if loss["p"] is None else f"; {words.equals_p(loss['p'])}"
    seen = f"; sight {words.number(loss['sight'])}" if loss["state"] == "can't tell" and loss["sight"] else ""
    allowed = f"allowed {words.number(loss['limit'])}{p}{seen}"
    return f"{words.spoken(loss['metric'])} {numbers}, loss {Measured.of(loss)}, {allowed}"


def _not_compared(own: Json, titles: Json) -> Iterator[Line]:
    """The cases that could not be compared, and those that one of the two runs alone has."""
    for loss in _losses(own):
        if loss["state"] == "not comparable":
            yield Item(loss["reason"], _title(loss, titles))
    if own["only_new"]:
        yield Item(", ".join(own["only_new"]), "The reference does not have")
    if own["only_reference"]:
        yield Item(", ".join(own["only_reference"]), "Only the reference has")


def _waived(own: Json, titles: Json) -> Iterator[Line]:
    """The losses that somebody has accepted for some time."""
    for loss in _losses(own):
        if _has_waiver(loss):
            yield Item(_accepted(loss), _title(loss, titles))


def _has_waiver(loss: Json) -> bool:
    return loss["waiver"] is not None and loss["type"] is None


def _accepted(loss: Json) -> str:
    """The waiver of a case in words."""
    waiver = loss["waiver"]
    said = f"{visible(waiver['why'])}: a loss of up to {words.limit(waiver['accepted_loss'])}"
    return (
        f"{said} was accepted until {waiver['until']}, no longer"
        if waiver["over"]
        else (f"{said} is accepted until {waiver['until']}; not part of the mean")
    )


def _sentence(each: Json, titles: Json) -> Item:
    text = each["text"] if each["text"] is not None else f"{each['sentence_id']}, seed {each['seed']}"
    case = str(titles.get(each["case"], "Clean corpus" if each["case"].endswith("/baseline") else each["case"]))
    return Item(visible(words.shortened(text, _LENGTH)), case)


# For a comment -------------------------------------------------------------------------------------------------------

_SHARES = {"regressed": 1.0, "can't tell": 0.5, "improved": 0.5, "no worse": 0.25}
"""The states that a short table shows, with their shares of its rows."""


def few(document: Json, rows: int) -> Iterator[Block]:
    """The losses of all tasks in one table, few of each state, and how many there are; then what is not compared.

    There are at most ``rows`` that regressed, and at least one loss of every state in `_SHARES` that was found.
    """
    compared, titles = document["comparison"], _titles(document)
    losses = [(name, loss) for name, own in compared["tasks"].items() for loss in _losses(own)]
    shown = [
        (name, loss)
        for state, share in _SHARES.items()
        for name, loss in sorted(
            (each for each in losses if each[1]["state"] == state), key=lambda each: _general_first(each[1])
        )[: max(1, int(rows * share))]
    ]
    columns = (
        *heads(("", "Case"), numeric=False),
        *heads(("Reference", "New", "Loss, corrected interval", "Allowed"), wide=True),
        *([Column("To decide")] if any(loss["state"] == "can't tell" for _, loss in shown) else []),
    )
    several = len(compared["tasks"]) > 1
    cells = (_short_row(name, loss, titles, several=several) for name, loss in shown)
    left = counted(loss for _, loss in losses)
    notes = (f"All losses, cases and types together: {left}.",) if left else ()
    if shown:
        yield Table(columns, tuple(Row(row[: len(columns)]) for row in cells), notes=notes, noun="loss")
    elif notes:
        yield Text(notes)
    yield from _missing(compared)
    reasons: dict[str, list[str]] = {}
    for name, loss in losses:
        if loss["state"] == "not comparable":
            reasons.setdefault(str(loss["reason"]), []).append(subject(loss, name))
    lines = tuple(
        Item(words.shortened(", ".join(found), _LENGTH), f"Not comparable: {words.shortened(reason, _LENGTH)}")
        for reason, found in reasons.items()
    )
    if lines:
        yield Text(lines, role="list", noun="reason", most=max(1, rows // 3))


def worst_sentences(document: Json, most: int) -> Iterator[Text]:
    """The sentences of all tasks that got worse, those of cases that regressed first, at most so many."""
    titles, lines = _titles(document), list[Line]()
    for name, own in document["comparison"]["tasks"].items():
        regressed = _that_regressed([loss for loss in _losses(own) if loss["type"] is None], own)
        changed = _changed(own, tasks()[name], titles, regressed)
        lines += changed["worse"].lines if "worse" in changed else ()
    if lines:
        yield Text(tuple(lines[:most]), "Newly broken", "list", noun="sentence")


def _titles(document: Json) -> Json:
    return {result["id"]: scenario(result) for result in cases(document)}


def _general_first(loss: Json) -> tuple[bool, float, bool]:
    """The order in a short table: the clean corpus and the mean over cases, then the largest loss of a case or type.

    Of those that improved it is the largest gain.
    """
    general = loss["type"] is None and (loss["id"] is None or loss["id"].endswith(f"/{BASELINE}"))
    size = (loss["value"] or 0.0) * (-1 if loss["state"] == "improved" else 1)
    return not general, -size, loss["type"] is not None


def _short_row(task: str, loss: Json, titles: Json, *, several: bool) -> tuple[Cell, ...]:
    of_task = f"{task}: " if several else ""
    of_type = "" if loss["type"] is None else f", {words.name(loss['type'])}"
    more = more_needed(loss) if loss["state"] == "can't tell" else None
    noun = f"more {tasks()[task].noun}"
    return (
        replace(_verdict(loss), note=""),
        f"{of_task}{_title(loss, titles)}{of_type}",
        words.number(loss["reference"]),
        words.number(loss["new"]),
        Measured.of(loss),
        words.number(loss["limit"]),
        "" if more is None else f"about {words.count(more, noun)}",
    )


def more_needed(loss: Json) -> int | None:
    """How many more distinct examples would decide a loss that cannot be told, if its estimate stayed as it is.

    An interval shrinks with the root of their number. None where there is no interval, where it is not what leaves the
    loss open, and on the limit itself.
    """
    value, low, high, limit = (loss[name] for name in ("value", "low", "high", "limit"))
    if None in (value, low, high, limit) or not loss["n"] or abs(value - limit) < _ON_THE_LIMIT:
        return None
    n, reach = int(loss["n"]), value - low if value > limit else high - value
    if reach <= abs(value - limit):
        return None
    needed: int = max(1, math.ceil(n * (reach / (value - limit)) ** 2 - _ROUNDING) - n)
    return needed


_ON_THE_LIMIT = 5e-5

_ROUNDING = 1e-6
