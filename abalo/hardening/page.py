"""The report page of a hardening."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abalo.core.documents.blocks import Block, Column, Item, Line, Measured, Row, Table, Text, VerdictMark
from abalo.core.protocols.probe import probes
from abalo.core.protocols.task import tasks
from abalo.core.records import words
from abalo.core.records.json_records import as_json
from abalo.core.statistics.losses import State
from abalo.errors import visible
from abalo.hardening.document import Hardening
from abalo.hardening.gains import ROLES, Gain
from abalo.reporting.formats.command_output import Page

TITLE = "Abalo: hardening"

_TITLES = {
    "clean": "Clean examples",
    "taught": "Taught",
    "same family": "Not trained, but of a trained family",
    "other family": "Not trained, of other families",
}

_COLUMNS = (
    Column("Case"),
    Column("Cut", "share of the cost that training removed: 1 for all of it, below 0 if the cost grew", numeric=True),
    Column("Before", numeric=True),
    Column("After", numeric=True),
    Column(
        "Change, corrected interval",
        "after minus before, on the same examples; the interval is corrected for the other cases of this table",
        numeric=True,
    ),
    Column("Measured", "lower is better, except for scores and pass rates"),
)

_HALF = 0.5


def page(document: Hardening) -> Page:
    """The page of a document from `abalo.hardening.hardening.harden`."""
    blocks = list(_blocks(document))
    return Page("hardening", TITLE, as_json(document), lambda _most: blocks, blocks)


def has_regressed(document: Hardening) -> bool:
    """Whether the clean score lost significantly more than the gate allows."""
    return _is(_clean(document), "regressed")


def _clean(document: Hardening) -> Gain:
    return next(each for each in document.cases if each.role == "clean")


def _blocks(document: Hardening) -> Iterator[Block]:
    yield _headline(document)
    for role in ROLES:
        rows = [each for each in document.cases if each.role == role]
        if rows:
            yield _table(role, rows, document)
    yield from _remarks(document)
    yield _how(document)


def verdict_of(document: Hardening) -> VerdictMark:
    """The verdict in a word.

    *Regressed* if the clean score lost significantly more than allowed; *no gain* if no taught case improved
    significantly; *inconclusive* if the clean score may have lost too much, or a taught case got significantly worse;
    else *hardened*. An unimproved model is called hardened in at most 2.5 % of runs, at a confidence of 0.95.
    """
    taught = [each for each in document.cases if each.role == "taught"]
    if has_regressed(document):
        return VerdictMark("fail", "regressed")
    if not any(_is(each, "improved") for each in taught):
        return VerdictMark(None, "no gain")
    held = _is(_clean(document), "no worse", "improved")
    if held and not any(_is(each, "regressed") for each in taught):
        return VerdictMark("pass", "hardened")
    return VerdictMark("inconclusive", "inconclusive")


def _is(case: Gain, *states: State) -> bool:
    return case.state in states


def _headline(document: Hardening) -> Text:
    taught = [each for each in document.cases if each.role == "taught"]
    halved = [each for each in taught if each.cut is not None and each.cut >= _HALF]
    better, worse = (sum(_is(each, state) for each in taught) for state in ("improved", "regressed"))
    task, clean = tasks()[document.task], _clean(document)
    cost = f"{better} of {words.count(len(taught), 'trained case')} improved significantly"
    cost += f", {worse} got significantly worse" if worse else ""
    cost += f"; {len(halved)} of {len(taught)} lost at least half of their cost"
    kept = (
        f"clean {task.metrics()[task.floor].words} {words.number(clean.before)} → "
        f"{words.number(clean.after)}, change {Measured.of(clean.change)}, allowed loss "
        f"{words.limit(document.max_loss)}"
    )
    verdict = verdict_of(document)
    said = (kept, cost) if verdict.verdict == "fail" else (cost, kept)
    return Text(("; ".join(said),), role="verdict", verdict=verdict)


def _table(role: str, rows: Sequence[Gain], document: Hardening) -> Table:
    metrics = tasks()[document.task].metrics()
    cells = tuple(
        Row(
            (
                each.case.partition("/")[2],
                words.number(each.cut),
                words.number(each.before),
                words.number(each.after),
                str(Measured.of(each.change)),
                metrics[each.metric].words if each.metric in metrics else words.identifier_in_words(each.metric),
            )
        )
        for each in rows
        if each.state != "not comparable"
    )
    notes = tuple(Item(each.reason, each.case) for each in rows if each.reason)
    return Table(_COLUMNS, cells, _TITLES[role], notes, noun="case")


def _remarks(document: Hardening) -> Iterator[Text]:
    lines: list[Line] = []
    families = {name for each in document.cases if each.role == "other family" for name in each.families}
    if not families - set(probes()):  # a family that is called as no probe is one of perturbations
        lines.append(
            "All judged perturbations belong to trained families, so the gain on unseen changes is unknown. "
            "--hold-out FAMILY excludes a family from training."
        )
    if document.train.left_out:
        left = words.count(document.train.left_out, "example")
        lines.append(f"{left} of the training corpus are also in the judged corpus, and were left out of training.")
    left_out = (each.partition(": ") for each in document.not_taught)
    lines += [Item(reason, case) for case, _, reason in left_out]
    if lines:
        yield Text(tuple(lines), "Notes", "remarks", noun="remark", most=40)


def _how(document: Hardening) -> Text:
    training, models, train, corpus = document.training, document.models, document.train, document.corpus
    given = as_json(training)
    taught = ", ".join(f"{each['case']} ({each['lessons']:,})" for each in document.taught)
    settings = [
        given["with"] or "its own trainer",
        words.count(training.rounds, "round"),
        words.count(training.epochs, "epoch"),
        f"seed {training.seed}",
        *(
            f"{words.identifier_in_words(name)} {given[name]:g}"
            for name in training.uses
            if given[name] not in (False, True)
        ),
        *(["groups of letters"] if training.letters else []),
    ]
    seeds = ", ".join(map(str, document.seeds["judged"]))
    return Text(
        (
            Item(f"{visible(models['before']['name'])} → {visible(models['after']['name'])}", "Model"),
            Item(
                f"{visible(train.name)}, {train.taught:,} distinct examples; share of changed examples "
                f"{training.share:g}; in an epoch: {taught}",
                "Taught on",
            ),
            Item(", ".join(settings), "Training"),
            Item(
                f"{visible(corpus.name)}, {corpus.examples:,} examples, with seeds that training did not "
                f"use ({seeds}); {100 * document.confidence:g} % intervals, corrected within each table",
                "Judged on",
            ),
            Item(", ".join(f"{name} {spent['cpu']:,.0f}" for name, spent in document.seconds.items()), "CPU seconds"),
        ),
        "How",
    )
