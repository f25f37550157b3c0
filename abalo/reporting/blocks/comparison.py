"""The losses against an accepted run: what got worse, what did not, what cannot be told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from abalo.core import words
from abalo.core.blocks import Block, Cell, Column, Item, Line, Measured, Row, Table, Text, Verdict
from abalo.core.comparison import STATES
from abalo.core.results import Json, cases, scenario
from abalo.core.task import tasks
from abalo.errors import visible
from abalo.reporting.blocks import ReportBlock

_VERDICTS = {
    "regressed": "fail",
    "can't tell": "inconclusive",
    "no worse": "pass",
    "improved": "pass",
    "identical": "pass",
    "not comparable": None,
}

_LENGTH = 300
"""How many characters of a sentence are shown."""


def summary(document: Json) -> Sequence[Block]:
    """For each task that was compared: the outcome in a line, a table of losses, gaps, sentences that got worse."""
    compared = document.get("comparison")
    return [] if compared is None else list(_blocks(compared, document))


def brief(document: Json) -> Sequence[Block]:
    """A line for each loss that is a regression or an improvement, cannot be compared or is waived, and for each task.

    Of losses that cannot be told those of whole cases have one.
    """
    compared = document.get("comparison")
    if compared is None:
        return []
    found: list[Block] = []
    for name, own in compared["tasks"].items():
        told = [
            loss
            for loss in _losses(own)
            if loss["state"] in ("regressed", "improved", "not comparable")
            or (loss["state"] == "can't tell" and loss["type"] is None)
        ]
        lines = [Item(_in_words(loss), _subject(loss, name), verdict=_verdict(loss)) for loss in told]
        lines += [Item(_accepted(loss), _subject(loss, name)) for loss in _losses(own) if _has_waiver(loss)]
        found.append(Text(tuple(lines), role="list"))
        found.append(Text((_said(name, own, compared),)))
    return [*found, *_missing(compared)]


BLOCK = ReportBlock("comparison", summary, brief=brief, leads=True)


def _blocks(compared: Json, document: Json) -> Iterator[Block]:
    titles = {result["id"]: scenario(result) for result in cases(document)}
    yield from _missing(compared)
    for name, own in compared["tasks"].items():
        task, floor = tasks()[name], tasks()[name].metrics()[own["metric"]].words
        yield Text((_said(name, own, compared),), verdict=Verdict(_VERDICTS[own["state"]], own["state"]))
        losses = _losses(own)
        shown = [loss for loss in losses if loss["type"] is None or loss["state"] in ("regressed", "improved")]
        columns = (
            Column("Case"),
            Column(f"Reference {floor}", numeric=True),
            Column(f"New {floor}", numeric=True),
            Column("Loss, corrected interval", numeric=True, wide=True),
            Column("Allowed", numeric=True),
            Column("State"),
        )
        rows = tuple(Row(_row(loss, titles, task.group_noun), -STATES.index(loss["state"])) for loss in shown)
        notes: tuple[Line, ...] = (
            "A loss is the reference's number minus that of the new run, on the same examples; negative is better.",
            f"Of {task.group_noun}s those are shown that regressed or improved; robustness.json has all.",
        )
        yield Table(columns, rows, f"{task.title}: losses against {visible(compared['reference']['name'])}", notes)
        remarks = tuple(_remarks(own, titles))
        if remarks:
            yield Text(remarks, "Not compared, and accepted", "remarks", noun="remark", most=20)
        for way in ("worse", "better"):
            changed = tuple(_sentence(each, titles) for each in own[f"newly_{way}"])
            if changed:
                yield Text(changed, f"{words.sentence_case(task.noun)}s that got {way}", "list", noun=task.noun)


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
    found = Counter(loss["state"] for loss in _losses(own))
    parts = [f"{found[state]} {state}" for state in STATES if found[state]]
    unseen = "; same fingerprint, other clean predictions" if own.get("changed_unseen") else ""
    told = f"{name} against {visible(compared['reference']['name'])} ({visible(own['model'])})"
    return f"{told}: {', '.join(parts)}{unseen}"


def _row(loss: Json, titles: Json, noun: str) -> tuple[Cell, ...]:
    """The cells of one loss."""
    of = "" if loss["type"] is None else f", {noun} {words.name(loss['type'])}"
    return (
        _title(loss, titles) + of,
        words.number(loss["reference"]),
        words.number(loss["new"]),
        Measured.of(loss),
        words.number(loss["limit"]),
        _verdict(loss),
    )


def _title(loss: Json, titles: Json) -> str:
    if loss["id"] is None:
        return "Mean over the perturbed cases"
    return str(titles.get(loss["id"], "Clean corpus" if loss["id"].endswith("/baseline") else loss["id"]))


def _subject(loss: Json, task: str) -> str:
    case = f"{task}: mean over the perturbed cases" if loss["id"] is None else str(loss["id"])
    return case if loss["type"] is None else f"{case} {visible(loss['type'])}"


def _verdict(loss: Json) -> Verdict:
    word = loss["state"] if loss["blocking"] else f"{loss['state']} (not blocking)"
    return Verdict(_VERDICTS[loss["state"]], word, loss["reason"] or "")


def _in_words(loss: Json) -> str:
    if loss["state"] == "not comparable":
        return words.spoken(loss["metric"])
    numbers = f"{words.number(loss['reference'])} → {words.number(loss['new'])}"
    p = "" if loss["p"] is None else f"; {words.equals_p(loss['p'])}"
    seen = f"; sight {words.number(loss['sight'])}" if loss["state"] == "can't tell" and loss["sight"] else ""
    allowed = f"allowed {words.number(loss['limit'])}{p}{seen}"
    return f"{words.spoken(loss['metric'])} {numbers}, loss {Measured.of(loss)}, {allowed}"


def _remarks(own: Json, titles: Json) -> Iterator[Line]:
    """The cases that could not be compared, and the losses that somebody has accepted."""
    for loss in _losses(own):
        if loss["state"] == "not comparable":
            yield Item(loss["reason"], _title(loss, titles))
    if own["only_new"]:
        yield Item(", ".join(own["only_new"]), "The reference does not have")
    if own["only_reference"]:
        yield Item(", ".join(own["only_reference"]), "Only the reference has")
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
