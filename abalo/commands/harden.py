"""``abalo harden``: train a model on its failures and measure the gain."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.commands.here import import_conftest
from abalo.commands.options import Commands, add_task_option
from abalo.commands.output import FORMATS, say
from abalo.commands.parsing import example
from abalo.commands.streams import on_any_encoding
from abalo.errors import AbaloError

if TYPE_CHECKING:
    from abalo.config.options import Options
    from abalo.config.thresholds import Thresholds
    from abalo.core.documents.document import Document
    from abalo.core.protocols.probe import Case
    from abalo.core.protocols.task import Task
    from abalo.hardening.hardening import HardeningJob

_SAMPLE = 100


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "harden",
        help="train a model on the failures in a report, and measure the gain",
        description=(
            "Reads the report of a run, makes training examples of the cases that failed (perturbations, "
            "pipelines, attacks, invariances, capabilities), and trains the model on them together with "
            "the training corpus. Then judges the model before and after on the corpus of the report, "
            "with seeds that no training example used: on trained cases, on other cases, and on clean "
            "examples. Trains checkpoints of transformers further and linear classifiers from scratch; "
            "other models need --train-with. The exit code is 0, or 1 if the clean score lost "
            "significantly more than [gate] max_loss."
        ),
        epilog=example("abalo harden --train train.conll --report reports --out hardened"),
    )
    parser.add_argument("--train", required=True, metavar="CORPUS", help="training corpus, such as train.conll")
    parser.add_argument(
        "--report",
        type=Path,
        default=Path("reports"),
        metavar="DIR",
        help="folder of the run to learn from (default: %(default)s)",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="PATH", help="folder or file of the trained model, such as hardened"
    )
    parser.add_argument(
        "--to",
        type=Path,
        metavar="DIR",
        default=Path("reports/hardening"),
        help="folder of hardening.html, .md and .json, and of the reports on both models (default: %(default)s)",
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="format of the output (default: %(default)s)")
    parser.add_argument("--model", help="new place of the model, such as ./checkpoint (default: where the report says)")
    parser.add_argument(
        "--corpus", help="new place of the corpus to judge on, such as dev.conll (default: where the report says)"
    )
    add_task_option(parser, "task of the report, if it has only one")

    lessons = parser.add_argument_group("training examples")
    lessons.add_argument(
        "--table",
        action="append",
        default=[],
        metavar="NAME",
        help="also train on this table and judge it, such as deepwordbug; repeatable",
    )
    lessons.add_argument(
        "--hold-out",
        action="append",
        default=[],
        metavar="FAMILY",
        help=(
            "do not train on cases of this family, such as character, to measure the gain on unseen cases; repeatable"
        ),
    )
    lessons.add_argument(
        "--most", type=int, default=8, metavar="N", help="train on at most N cases (default: %(default)s)"
    )
    lessons.add_argument(
        "--share", type=float, default=0.5, help="share of changed examples in the training data (default: %(default)s)"
    )
    lessons.add_argument(
        "--searched",
        type=int,
        default=300,
        metavar="N",
        help="most examples that an attack, an invariance or a capability makes (default: %(default)s)",
    )

    lessons.add_argument(
        "--rounds",
        type=int,
        default=1,
        metavar="N",
        help="train N times, each time on attacks against the model trained before (default: %(default)s)",
    )

    training = parser.add_argument_group("training")
    training.add_argument(
        "--train-with",
        metavar="SPEC",
        help="function that trains, as module:function, or spacy:config.cfg (default: the trainer for the model)",
    )
    training.add_argument(
        "--epochs", type=int, default=3, metavar="N", help="passes over the training data (default: %(default)s)"
    )
    training.add_argument(
        "--batch", type=int, default=32, metavar="N", help="examples per training step (default: %(default)s)"
    )
    training.add_argument(
        "--rate",
        type=float,
        default=5e-5,
        help="highest learning rate; small encoders need more, such as 3e-4 (default: %(default)s)",
    )
    training.add_argument(
        "--seed", type=int, default=1, metavar="N", help="seed of the training (default: %(default)s)"
    )
    training.add_argument(
        "--drop-pieces",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="share of pieces to hide in training, such as 0.1 (default: %(default)s)",
    )
    training.add_argument(
        "--masked-lm",
        type=float,
        default=0.0,
        metavar="WEIGHT",
        help="weight of a second loss: guess hidden pieces, such as 0.2 (default: %(default)s)",
    )
    training.add_argument(
        "--contrast",
        type=float,
        default=0.0,
        metavar="WEIGHT",
        help="weight of a loss that draws changed examples to their originals, such as 0.1 (default: %(default)s)",
    )
    training.add_argument(
        "--letters", action="store_true", help="let a linear classifier also read groups of letters in words"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Trains, judges, writes and prints; returns the exit code."""
    from abalo.hardening.hardening import harden
    from abalo.hardening.page import has_regressed, page
    from abalo.reporting.formats.command_output import write
    from abalo.reporting.formats.console import in_colour
    from abalo.reporting.formats.files import check_reports
    from abalo.reporting.runs.reference import folder_of

    _check(options)
    import_conftest()
    job = _job(options)
    for line in job.failures.left_out:
        _say(f"not trained: {line}")
    folders = [options.to, options.to / "before", options.to / "after"]
    if folder_of(options.report).resolve() in [folder.resolve() for folder in folders]:
        raise AbaloError(f"--to {options.to}: would overwrite the report that training reads; name another folder")
    for folder in folders:
        check_reports(folder)
    for name in ("hardening.html", "hardening.md", "hardening.json"):
        (options.to / name).unlink(missing_ok=True)  # of an earlier run; this one may not come to its end
    document = harden(job, _say)
    found = page(document)
    write(found.files(), options.to)
    with on_any_encoding(options.format):
        sys.stdout.write(found.shown(options.format, colour=in_colour(sys.stdout)))
    return int(has_regressed(document))


def _say(line: str) -> None:
    say(line, sys.stderr)


def _check(options: argparse.Namespace) -> None:
    for name in ("most", "searched", "rounds"):
        if getattr(options, name) < 1:
            raise AbaloError(f"--{name} {getattr(options, name)}: expected a whole number from 1")
    if not 0 < options.share < 1:
        raise AbaloError(f"--share {options.share:g}: expected a number above 0 and below 1")


def _job(options: argparse.Namespace) -> HardeningJob:
    from abalo.config.thresholds import load
    from abalo.hardening.failures import Failures, failures
    from abalo.hardening.hardening import HardeningJob
    from abalo.models.training.settings import Training
    from abalo.reporting.runs.finished import read_run, whole
    from abalo.reporting.runs.reference import folder_of

    found = read_run(folder_of(options.report))
    with whole(found.path):
        task = _task(found.document, options.task)
        given = _options(found.document, task, options)
        thresholds = load(given.thresholds, given.language)
        thresholds = replace(thresholds, gate=replace(thresholds.gate, against=""))
        ran = {result.id for result in found.document.results if result.task == task.name}
        cases = {case.id: case for case in thresholds.cases if case.task == task.name}
        _check_families(options.hold_out, cases.values())
        taken = failures(found.document, task.name, cases, options.most, options.hold_out)
    asked = [_table_named(name, task, thresholds, cases) for name in options.table]
    judged = _distinct([thresholds.clean(task), *(cases[each] for each in cases if each in ran), *asked])
    taught = Failures(_distinct([*taken.taken, *asked]), taken.left_out)
    if not taught.taken:
        reason = "no case failed or had a significant cost"
        left_out = "; ".join(taught.left_out)
        raise AbaloError(f"{found.path}: nothing to train on: {left_out or reason}")
    if found.document.options.get("stop_early"):
        _say(
            f"{found.path}: the run stopped cases early, so a case may be undecided that would have failed on "
            "the whole corpus"
        )
    training = Training(
        seed=options.seed,
        epochs=options.epochs,
        batch=options.batch,
        rate=options.rate,
        drop_pieces=options.drop_pieces,
        masked_lm=options.masked_lm,
        contrast=options.contrast,
        letters=options.letters,
    )
    return HardeningJob(
        task=task,
        known=found.document.tasks[task.name],
        options=given,
        thresholds=thresholds,
        cases=judged,
        failures=taught,
        train=options.train,
        share=options.share,
        searched=options.searched,
        rounds=options.rounds,
        training=training,
        named=options.train_with,
        out=options.out,
        reports=options.to,
    )


def _check_families(held_out: Sequence[str], cases: Iterable[Case]) -> None:
    from abalo.hardening.failures import families
    from perturbations.suggestions import did_you_mean

    known = sorted({family for case in cases for family in families(case)})
    for name in held_out:
        if name not in known:
            near = did_you_mean(name, known)
            raise AbaloError(f"--hold-out {name}: no such family{near}; the cases are of {', '.join(known)}")


def _distinct(cases: Sequence[Case]) -> tuple[Case, ...]:
    return tuple({case.id: case for case in cases}.values())


def _task(document: Document, asked: str | None) -> Task:
    from abalo.config.tasks import task_called

    known = list(document.tasks)
    if asked is not None and asked not in known:
        raise AbaloError(f"--task {asked}: the report has no such task; there are {', '.join(known)}")
    if asked is None and len(known) != 1:
        raise AbaloError(f"--task: the report has {', '.join(known) or 'no task'}; name the one to train for")
    return task_called(known[0] if asked is None else asked)


def _options(document: Document, task: Task, given: argparse.Namespace) -> Options:
    from abalo.config.options import remake_options, trainings_of

    places = {"model": given.model, "corpus": given.corpus}
    recorded = document.options
    if not recorded:
        raise AbaloError("the report does not say what was run: run the gate again with this version")
    found = remake_options(recorded, {name: place for name, place in places.items() if place is not None})
    if found.types is not None:
        raise AbaloError(
            f"the report judges only some types (--abalo-types {found.types}), and training on these would "
            "unlearn the others: run the gate on all types"
        )
    if len(trainings_of(found)) > 1:
        raise AbaloError("the report is about several trainings; name the one to train further: --model MODEL")
    return replace(found, task=task.name, stop_early=False)


def _table_named(name: str, task: Task, thresholds: Thresholds, cases: dict[str, Case]) -> Case:
    from abalo.config.thresholds import case_of
    from abalo.core.protocols.probe import teaches

    own = next((case for case in cases.values() if name in (case.name, case.id)), None)
    if own is None:
        probe = case_of(task, name, {}, thresholds.gate).probe
        own = case_of(task, name, {"sample": _SAMPLE} if probe.searches else {}, thresholds.gate)
    if not teaches(own.probe):
        raise AbaloError(f"--table {name}: is a {own.probe.name}, which gives nothing to train on")
    return own
