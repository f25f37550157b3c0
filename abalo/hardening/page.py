"""The page of a hardening: what was taught, what it gained there and elsewhere, and what it cost on clean examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abalo.core import words
from abalo.core.blocks import Block, Column, Item, Line, Measured, Row, Table, Text, Verdict
from abalo.core.example import Json
from abalo.core.losses import State
from abalo.core.probe import probes
from abalo.core.task import tasks
from abalo.errors import visible
from abalo.hardening.gains import ROLES
from abalo.reporting.page import Page

TITLE = "Abalo: hardening"

_TITLES = {
    "clean": "Clean examples",
    "taught": "Taught",
    "same family": "Not taught, of a family that was",
    "other family": "Not taught, of other families",
}

_COLUMNS = (
    Column("Case"),
    Column("Cut", "share of the cost that is gone: 1 for all of it, below 0 if the cost grew", numeric=True),
    Column("Before", numeric=True),
    Column("After", numeric=True),
    Column(
        "Change, corrected interval",
        "after minus before, on the same examples; the interval is corrected for the other cases of this table",
        numeric=True,
    ),
    Column("Measured", "less is better, but for scores and pass rates"),
)

_HALF = 0.5


def page(document: Json) -> Page:
    """The page of the document of `abalo.hardening.hardening.harden`."""
    blocks = list(_blocks(document))
    return Page("hardening", TITLE, document, lambda _most: blocks, blocks)


def regressed(document: Json) -> bool:
    """Whether the clean score lost significantly more than the gate allows."""
    return _is(_clean(document), "regressed")


def _clean(document: Json) -> Json:
    found: Json = next(each for each in document["cases"] if each["role"] == "clean")
    return found


def _blocks(document: Json) -> Iterator[Block]:
    yield _headline(document)
    for role in ROLES:
        rows = [each for each in document["cases"] if each["role"] == role]
        if rows:
            yield _table(role, rows, document)
    yield from _remarks(document)
    yield _how(document)


def verdict_of(document: Json) -> Verdict:
    """The verdict in a word.

    *Regressed*, if the clean score lost significantly more than the gate allows; *no gain*, if no taught case improved
    significantly; *can't tell*, if the clean score may have lost more than that, or a taught case got significantly
    worse; else *hardened*. The taught cases are corrected for each other, so a model that is as good as before in all
    of them is called hardened in at most 2.5 % of runs, at a confidence of 0.95.
    """
    taught = [each for each in document["cases"] if each["role"] == "taught"]
    if regressed(document):
        return Verdict("fail", "regressed")
    if not any(_is(each, "improved") for each in taught):
        return Verdict(None, "no gain")
    held = _is(_clean(document), "no worse", "improved")
    if held and not any(_is(each, "regressed") for each in taught):
        return Verdict("pass", "hardened")
    return Verdict("inconclusive", "can't tell")


def _is(case: Json, *states: State) -> bool:
    return case["state"] in states


def _headline(document: Json) -> Text:
    taught = [each for each in document["cases"] if each["role"] == "taught"]
    halved = [each for each in taught if each["cut"] is not None and each["cut"] >= _HALF]
    better, worse = (sum(_is(each, state) for each in taught) for state in ("improved", "regressed"))
    task, clean = tasks()[document["task"]], _clean(document)
    cost = f"{better} of {words.count(len(taught), 'taught case')} improved significantly"
    cost += f", {worse} got significantly worse" if worse else ""
    cost += f"; {len(halved)} of {len(taught)} cost at most half of what they did"
    kept = (
        f"clean {task.metrics()[task.floor].words} {words.number(clean['before'])} → {words.number(clean['after'])}, "
        f"change {Measured.of(clean['change'])}, where {words.limit(document['max_loss'])} may be lost"
    )
    verdict = verdict_of(document)
    said = (kept, cost) if verdict.verdict == "fail" else (cost, kept)
    return Text(("; ".join(said),), role="verdict", verdict=verdict)


def _table(role: str, rows: Sequence[Json], document: Json) -> Table:
    metrics = tasks()[document["task"]].metrics()
    cells = tuple(
        Row(
            (
                each["case"].partition("/")[2],
                words.number(each["cut"]),
                words.number(each["before"]),
                words.number(each["after"]),
                str(Measured.of(each["change"])),
                metrics[each["metric"]].words if each["metric"] in metrics else words.spoken(each["metric"]),
            )
        )
        for each in rows
        if each["state"] != "not comparable"
    )
    notes = tuple(Item(each["reason"], each["case"]) for each in rows if each["reason"])
    return Table(_COLUMNS, cells, _TITLES[role], notes, noun="case")


def _remarks(document: Json) -> Iterator[Text]:
    lines: list[Line] = []
    families = {name for each in document["cases"] if each["role"] == "other family" for name in each["families"]}
    if not families - set(probes()):  # a family that is called as no probe is one of perturbations
        lines.append(
            "No perturbation of a family that was not taught was judged, so little is known of what is unseen: "
            "--hold-out FAMILY keeps one back."
        )
    if document["train"]["left_out"]:
        left = words.count(document["train"]["left_out"], "example")
        lines.append(f"Of the training corpus {left} stand in the corpus that is judged, too, and were not taught.")
    lines += [Item(*reversed(each.split(": ", 1))) for each in document["not_taught"]]
    if lines:
        yield Text(tuple(lines), "To know", "remarks", noun="remark", most=40)


def _how(document: Json) -> Text:
    training, models, train, corpus = (document[name] for name in ("training", "models", "train", "corpus"))
    taught = ", ".join(f"{each['case']} ({each['lessons']:,})" for each in document["taught"])
    settings = [
        training["with"] or "its own trainer",
        words.count(training["rounds"], "round"),
        words.count(training["epochs"], "epoch"),
        f"seed {training['seed']}",
        *(
            f"{words.spoken(name)} {training[name]:g}"
            for name in training["uses"]
            if training[name] not in (False, True)
        ),
        *(["groups of letters"] if training["letters"] else []),
    ]
    seeds = ", ".join(map(str, document["seeds"]["judged"]))
    return Text(
        (
            Item(f"{visible(models['before']['name'])} → {visible(models['after']['name'])}", "Model"),
            Item(
                f"{visible(train['name'])}, {train['taught']:,} distinct examples; changed ones a share of "
                f"{training['share']:g}, in an epoch: {taught}",
                "Taught on",
            ),
            Item(", ".join(settings), "Training"),
            Item(
                f"{visible(corpus['name'])}, {corpus['examples']:,} examples, under seeds that no lesson was drawn "
                f"under ({seeds}); {100 * document['confidence']:g} % intervals, corrected within each table",
                "Judged on",
            ),
            Item(", ".join(f"{name} {each['cpu']:,.0f}" for name, each in document["seconds"].items()), "CPU seconds"),
        ),
        "How",
    )
