"""The page of a hardening: what was taught, what it gained there and elsewhere, and what it cost on clean examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abalo.core import words
from abalo.core.blocks import Block, Column, Item, Line, Measured, Row, Table, Text, Verdict
from abalo.core.example import Json
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
    Column(
        "Cut", "the share of the cost that is gone: 1 for all of it, more for a gain, below 0 if it grew", numeric=True
    ),
    Column("Before", numeric=True),
    Column("After", numeric=True),
    Column("Change", "after minus before, on the same examples", numeric=True),
    Column("Measured", "less is better, but for scores and pass rates"),
)

_HALF = 0.5


def page(document: Json) -> Page:
    """The page of the document of `abalo.hardening.hardening.harden`."""
    blocks = list(_blocks(document))
    return Page("hardening", TITLE, document, lambda _most: blocks, blocks)


def regressed(document: Json) -> bool:
    """Whether the clean score has lost beyond doubt more than the gate allows."""
    best = _clean(document)["change"]["high"]
    return best is not None and best < -document["max_loss"]


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

    *Regressed*, if the clean score lost beyond doubt more than the gate allows; *no gain*, if no taught case costs less
    beyond doubt; *can't tell*, if the clean score may have lost more than that, or a taught case costs more beyond
    doubt; else *hardened*.
    """
    taught = [each for each in document["cases"] if each["role"] == "taught"]
    if regressed(document):
        return Verdict("fail", "regressed")
    if not any(map(_better, taught)):
        return Verdict(None, "no gain")
    worst = _clean(document)["change"]["low"]
    held = worst is not None and worst >= -document["max_loss"]
    return (
        Verdict("pass", "hardened") if held and not any(map(_worse, taught)) else Verdict("inconclusive", "can't tell")
    )


def _better(case: Json) -> bool:
    """Whether a case is better beyond doubt."""
    end = case["change"]["low" if case["more_is_better"] else "high"]
    return end is not None and (end > 0 if case["more_is_better"] else end < 0)


def _worse(case: Json) -> bool:
    """Whether a case is worse beyond doubt."""
    end = case["change"]["high" if case["more_is_better"] else "low"]
    return end is not None and (end < 0 if case["more_is_better"] else end > 0)


def _headline(document: Json) -> Text:
    taught = [each for each in document["cases"] if each["role"] == "taught"]
    halved = [each for each in taught if each["cut"]["value"] is not None and each["cut"]["value"] >= _HALF]
    worse = sum(map(_worse, taught))
    task, clean = tasks()[document["task"]], _clean(document)
    cost = f"{len(halved)} of {words.count(len(taught), 'taught case')} cost at most half of what they did"
    cost += f", {worse} cost more" if worse else ""
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
                str(Measured.of(each["cut"])),
                words.number(each["before"]),
                words.number(each["after"]),
                str(Measured.of(each["change"])),
                metrics[each["metric"]].words if each["metric"] in metrics else words.spoken(each["metric"]),
            )
        )
        for each in rows
        if not each["reason"]
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
                f"under ({seeds}); intervals of {100 * document['confidence']:g} %, examples resampled in pairs",
                "Judged on",
            ),
            Item(", ".join(f"{name} {each['cpu']:,.0f}" for name, each in document["seconds"].items()), "CPU seconds"),
        ),
        "How",
    )
