"""``abalo calibrate``: bounds from a measurement."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.bundled import CORPUS, OWN_GATE
from abalo.commands.here import import_conftest, thresholds_here
from abalo.commands.options import (
    ANOTHER_FILE,
    RUN_HERE,
    Commands,
    add_check_options,
    add_corpus_options,
    add_model_options,
    add_shared,
    add_task_option,
    as_pytest_here,
    check_limit,
    check_out,
    for_run_table,
    options_of,
    say_language_of,
    with_run,
)
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.errors import AbaloError
from abalo.files import explain_errors, write_text

if TYPE_CHECKING:
    from abalo.config.calibration import Calibrated
    from abalo.config.thresholds import Thresholds
    from abalo.core.protocols.probe import Case
    from abalo.core.protocols.task import Task
    from abalo.core.statistics.evidence import Evidence
    from abalo.run.execution import Execution
    from abalo.run.prepared import Prepared

_NAMED = ("model", "corpus")

_OF_GATE = ("language", "least")


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "calibrate",
        help="measure a model and write bounds for it",
        description="Runs every case of the thresholds file on a model and a corpus, and writes bounds that the same "
        "model keeps on another corpus of the same size. Only bounds change: cases without one stay measured and "
        "compared. A new file extends the default cases; if no bound would detect a loss, it has none. Options not "
        "given are read from addopts of pytest here, then from [run] of the file.",
        epilog=example("abalo calibrate --model ./checkpoint --corpus dev.conll"),
    )
    add_shared(parser, "thresholds", thresholds="thresholds.toml here, else the default cases")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("thresholds.toml"),
        metavar="FILE",
        help="thresholds file to write (default: %(default)s)",
    )
    parser.add_argument("--deep", action="store_true", help="also measure deep cases, which take long")
    add_task_option(parser, "task of the corpus; without model and corpus, all tasks")
    parser.add_argument(
        "--case",
        action="append",
        metavar="NAME",
        help="measure only this table or case, such as accents, and leave the bounds of others as they are; repeatable",
    )
    parser.add_argument(
        "--least",
        type=float,
        metavar="SCORE",
        help="refuse a model whose clean score is significantly below this, 0 to 1 (default: as the thresholds file "
        "says, else 0.3)",
    )
    parser.add_argument(
        "--yes", action="store_true", help="write bounds even if the labels of model and corpus seem to differ"
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on with a calibration that was stopped, from the cases that it measured",
    )
    parser.set_defaults(run=run)
    add_model_options(parser)
    add_check_options(parser)
    add_corpus_options(parser)


def run(options: argparse.Namespace, command: str) -> int:
    """Writes a thresholds file with bounds that the model meets."""
    from abalo.comparison.test.foresight import foreseen
    from abalo.config.calibration import (
        describe_calibration,
        is_begun,
        needed_examples,
        refusal,
        rewrite_limits,
        summarise,
    )
    from abalo.config.run_table import run_line
    from abalo.config.tasks import tasks_asked_for
    from abalo.config.thresholds import load
    from abalo.core.protocols.probe import baseline_of
    from abalo.core.records.words import count
    from abalo.core.running.expected import Pace
    from abalo.run.execution import begin
    from abalo.run.opened import Opened
    from abalo.run.prepared import Prepared
    from abalo.run.spec import RunSpec
    from abalo.run.store import RunStore

    check_limit(options.limit)
    import_conftest()
    options = as_pytest_here(options)
    path = options.thresholds or thresholds_here(asked=any(getattr(options, name) for name in _NAMED))
    thresholds = load(Path(path), options.language, options.least)
    of_run = with_run(options, thresholds)
    given = options_of(of_run, thresholds.path)
    kept = options.out.parent / f".{options.out.name}.begun"
    _check(of_run, thresholds.path, going_on=options.resume and kept.is_dir())
    asked = tasks_asked_for(given, (), Path.cwd())
    say(f"abalo: {run_line(given, asked)}")
    if not options.resume:
        _remove(kept)
    given = replace(given, reports=kept, resume=options.resume)
    runs = [Prepared(Opened(RunSpec(task, given, thresholds, logs=True))) for task in asked]
    every = [case for each in runs for case in each.cases(deep=True)]
    _check_names(options.case, {name for case in every for name in (case.id, case.name) if not case.probe.apart})
    found: list[Calibrated] = []
    provenance: dict[str, str] = {}
    needed: list[str] = []
    for prepared in runs:
        task, opened = prepared.task, prepared.opened
        cases = [case for case in every if case.task == task.name and _is_meant(case, options)]
        if not cases:
            continue
        say_language_of(opened)
        _check_least(prepared)
        _check_types(prepared, doubted=options.yes)
        corpus = opened.corpus
        for notice in getattr(corpus, "notices", ()):
            say(notice, sys.stderr)
        with explain_errors(kept, kept.parent):
            kept.mkdir(exist_ok=True)
        execution = begin(prepared, cases, RunStore(kept), partial(_say_about, task), Pace())
        if not options.case:
            source = f"{corpus.name}: {len(corpus.examples)} {task.noun}s, sha256 {corpus.sha256[:16]}"
            provenance[task.name] = f"{command.replace(' --resume', '')} ({source})"
        evidence: dict[str, Evidence] = {baseline_of(task).id: prepared.baseline.evidence}
        own_bounds: list[Calibrated] = []
        try:
            for each in _measure_cases(execution, cases, options, evidence):
                say(describe_calibration(each))
                own_bounds.append(each)
        except KeyboardInterrupt:
            say("to go on: the same command with --resume")
            raise
        found += own_bounds
        if not any(each.limit is not None for each in own_bounds):
            comparison = foreseen(task, evidence, cases, opened.applied.gate)
            needed += needed_examples(task, own_bounds, comparison)
    tried = {each.case.id for each in found}
    refused = refusal(found, options.out, bounded=any(case.bounds for case in every if case.id in tried))
    if refused is not None:
        _remove(kept)
        raise AbaloError(refused)
    unmeasured = [] if options.case else _cases_left(thresholds, found, {task.name for task in asked})
    own, folder = _is_bundled(options.out), options.out.parent
    values, _ = for_run_table(options, asked, folder)
    of_gate = {name: getattr(options, name) for name in _OF_GATE if getattr(options, name) is not None}
    opening = {"gate": of_gate, "run": values} if is_begun(thresholds) else {}
    text = rewrite_limits(thresholds, found, provenance, unmeasured, own=own, folder=folder, opening=opening)
    try:
        write_text(options.out, text, ANOTHER_FILE)
    except AbaloError as error:
        _remove_empty(kept)
        if kept.exists():
            raise AbaloError(f"{error}; what was measured is kept for the same command with --resume") from error
        raise
    _remove(kept)
    for line in (*summarise(found, () if own else unmeasured, options.out, deep=options.deep), *needed):
        say(line)
    written = load(options.out)
    every = [case for each in runs for case in each.cases(deep=options.deep)]
    measured, tasks_asked = {case.id for case in every}, {task.name: task for task in asked}
    compared = {case.id for case in every if case.probe.compared_by(tasks_asked[case.task]) is not None}
    bounded = sum(bool(case.bounds) for case in written.cases if case.id in measured)
    have = "has" if bounded == 1 else "have"
    shared = "compared" if len(compared) == len(measured) else f"{len(compared)} of them compared with a reference"
    are = "is" if len(measured) == 1 else "are"
    say(f"{count(len(measured), 'case')} {are} measured and {shared}; {bounded} of them {have} a bound")
    say(f"next: {_next(options, asked, written)}")
    return 0


def _say_about(task: Task, line: str) -> None:
    say(f"abalo: {task.name}: {line}")


def _remove(kept: Path) -> None:
    """Removes what a stop would have left to go on from."""
    from abalo.attacks.log import ATTACKS
    from abalo.run.store import remove_finished

    remove_finished(kept)
    for log in (kept / ATTACKS).glob("*.jsonl"):
        log.unlink()
    _remove_empty(kept)


def _remove_empty(kept: Path) -> None:
    from abalo.attacks.log import ATTACKS
    from abalo.reporting.documents.quoting import FINISHED

    for folder in (kept / ATTACKS, kept / FINISHED, kept):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _measure_cases(
    execution: Execution, cases: Sequence[Case], options: argparse.Namespace, evidence: dict[str, Evidence]
) -> Iterator[Calibrated]:
    from abalo.config.calibration import add_bounds, calibrate_case, with_groups

    prepared, applied = execution.prepared, execution.prepared.opened.applied
    asked_of = [add_bounds(with_groups(case, prepared.baseline.bound_view)) for case in cases]
    here = {case.id for case in cases}
    kept = applied.blocking(deep=options.deep) if options.case else ()
    new = replace(applied, cases=(*asked_of, *(case for case in kept if case.id not in here)))
    for case in asked_of:
        family = new.bounds_beside(case, deep=True)
        judged = execution.judged(case, bounds=family).judged
        evidence[case.id] = judged.evidence
        yield from calibrate_case(judged, new.gate, family)


def _cases_left(thresholds: Thresholds, found: Sequence[Calibrated], names: set[str]) -> list[Case]:
    measured = {_entry(each.case) for each in found}
    return [
        case
        for case in thresholds.cases
        if case.task in names and case.bounds and not case.probe.apart and _entry(case) not in measured
    ]


def _entry(case: Case) -> tuple[str, str, int]:
    return case.task, case.name, case.entry


def _is_meant(case: Case, options: argparse.Namespace) -> bool:
    if case.probe.apart:
        return False
    if options.case:
        return case.id in options.case or case.name in options.case
    return (options.deep or not case.deep) and (case.blocking or bool(case.bounds))


def _next(options: argparse.Namespace, asked: Sequence[Task], written: Thresholds) -> str:
    from abalo.config.run_table import KEYS, means

    values, words = for_run_table(options, asked, options.out.parent)
    if options.task is None:
        values.pop("task", None)
    for name, value in values.items():
        meant = means(name, value, options.out.parent)
        if written.run.values.get(name) != meant:
            words += [KEYS[name].flag_name] + [str(vars(options).get(name) or meant)] * (not KEYS[name].flag)
    for name in _OF_GATE:
        if getattr(options, name) not in (None, getattr(written.gate, name)):
            words += [f"--abalo-{name}", str(getattr(options, name))]
    if options.out.resolve() != Path("thresholds.toml").resolve():
        words += ["--abalo-thresholds", str(options.out)]
    return shlex.join([*RUN_HERE, *words])


def _check_least(prepared: Prepared) -> None:
    from abalo.core.running.judging import explain_judgement

    found = prepared.clean_score
    doubts = [each for each in found.every if each.verdict != "pass"]
    if found.state == "below":
        raise AbaloError(
            f"{prepared.task.name}: {explain_judgement(doubts[0])}; bounds for such a model mean little; check "
            "model and labels, or give a lower --least"
        )
    for each in doubts:
        say(f"WARNING: {prepared.task.name}: {explain_judgement(each)}", sys.stderr)


def _check_types(prepared: Prepared, *, doubted: bool) -> None:
    found = "" if doubted else prepared.task.report.doubt(prepared.engine)
    if found:
        raise AbaloError(
            f"{prepared.task.name}: {found}\n  Bounds would treat this as normal; if you intend it, add --yes"
        )


def _check_names(requested: list[str] | None, known: set[str]) -> None:
    from perturbations.suggestions import did_you_mean

    for name in requested or ():
        if name not in known:
            raise AbaloError(f"--case {name}: no such case in the thresholds file{did_you_mean(name, sorted(known))}")


def _check(options: argparse.Namespace, path: Path, *, going_on: bool) -> None:
    given = (options.model, options.corpus)
    changed = options.types is not None or options.join
    ours = given in ((None, None), (None, CORPUS)) and not changed
    if not ours and _is_bundled(options.out):
        raise AbaloError(f"--out {options.out}: holds the bounds of the bundled model; {ANOTHER_FILE}")
    if not any(given) and not _is_bundled(path):
        raise AbaloError(
            "--model: missing; name the model to measure here, in [run] of thresholds.toml (abalo init) or in pytest's "
            "addopts"
        )
    check_out(options.out, options.corpus or CORPUS)
    if options.out.exists() and options.out.resolve() != path.resolve() and not going_on:
        raise AbaloError(f"--out {options.out}: already exists, and --thresholds is another file; {ANOTHER_FILE}")


def _is_bundled(path: Path) -> bool:
    return path.resolve() == OWN_GATE
