"""``abalo calibrate``: bounds from a measurement."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.bundled import CORPUS, OWN_GATE, QUESTIONS
from abalo.commands.here import import_conftest, thresholds_here
from abalo.commands.options import (
    ANOTHER_FILE,
    Commands,
    add_check_options,
    add_corpus_options,
    add_model_options,
    add_question_options,
    check_limit,
    check_out,
    options_of,
    with_run,
)
from abalo.errors import AbaloError
from abalo.files import write_text

if TYPE_CHECKING:
    from abalo.api import Session
    from abalo.core.case import Case


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "calibrate",
        help="measure a model and write bounds for it",
        description="Runs every case of the thresholds file on a model and a corpus, and writes bounds that the same "
        "model keeps on another corpus of the same size.",
    )
    parser.add_argument(
        "--thresholds", type=Path, help="cases to measure (default: thresholds.toml here, else the bundled ones)"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("thresholds.toml"), help="file to write (default: %(default)s)"
    )
    parser.add_argument("--deep", action="store_true", help="measure deep cases too, which take long")
    parser.add_argument("--task", help="measure only this one (default: all)")
    parser.add_argument(
        "--case", action="append", metavar="NAME", help="measure only this table or case, and leave others as they are"
    )
    parser.add_argument(
        "--least",
        type=float,
        help="refuse a model that is worse than this on the clean corpus (default: as the thresholds say, else 0.3)",
    )
    parser.add_argument(
        "--yes", action="store_true", help="write bounds although types of model and corpus seem not to fit"
    )
    parser.set_defaults(run=run)
    add_model_options(parser)
    add_check_options(parser)
    add_corpus_options(parser)
    add_question_options(parser)


def run(options: argparse.Namespace, command: str) -> int:
    """Writes a thresholds file with the bounds that the model keeps."""
    from abalo.api import Session
    from abalo.config.calibration import bounded, calibrated, described, refusal, rewritten, summarised, with_groups
    from abalo.config.run_table import told
    from abalo.config.tasks import settled, tasks_asked_for
    from abalo.config.thresholds import load

    check_limit(options.limit)
    import_conftest()
    named = any((options.model, options.corpus, options.choice_model, options.questions))
    thresholds = load(options.thresholds or thresholds_here(asked=named), options.language, options.least)
    options = with_run(options, thresholds)
    _check(options)
    given = options_of(options, thresholds.path)
    asked = tasks_asked_for(given, (), Path.cwd())
    given = settled(given, asked)
    print(f"abalo: {told(given, asked)}")
    sessions = [Session.opened(task, given, thresholds) for task in asked]
    every = [case for session in sessions for case in session.cases(deep=True)]
    _check_names(options.case, {name for case in every for name in (case.id, case.name) if not case.probe.demanded})
    found, provenance, measured = [], {}, []
    for session in sessions:
        task = session.task
        cases = [
            case
            for case in session.cases(deep=options.deep or bool(options.case))
            if _is_meant(case, options.case) and not case.probe.demanded
        ]
        if not cases:
            continue
        _check_least(session)
        _check_types(session, doubted=options.yes)
        measured += cases
        corpus = session.corpus
        for notice in getattr(corpus, "notices", ()):
            print(notice, file=sys.stderr)
        source = f"{corpus.name}: {len(corpus.examples)} {task.noun}s, sha256 {corpus.sha256[:16]}"
        if not options.case:
            provenance[task.name] = f"{command} ({source})"
        asked_of = [bounded(with_groups(case, session.baseline.bound_view)) for case in cases]
        measured_here = {case.id for case in cases}
        kept = session.applied.blocking(deep=options.deep) if options.case else ()
        others = [case for case in kept if case.id not in measured_here]
        new = replace(session.applied, cases=(*asked_of, *others))
        for case in asked_of:
            family = new.bounds_beside(case, deep=True)
            found_here = session.judged(case, bounds=family).judged
            for each in calibrated(found_here, thresholds.gate, family):
                print(described(each))
                found.append(each)
    refused = refusal(found, options.out)
    if refused is not None:
        raise AbaloError(refused)
    names, entries = {task.name for task in asked}, {_entry(case) for case in measured}
    unmeasured = [
        case
        for case in thresholds.cases
        if case.task in names
        and case.bounds
        and not options.case
        and _entry(case) not in entries
        and not case.probe.demanded
    ]
    text = rewritten(thresholds, found, provenance, unmeasured, own=_is_bundled(options.out), folder=options.out.parent)
    write_text(options.out, text, ANOTHER_FILE)
    for line in summarised(found, () if _is_bundled(options.out) else unmeasured, options.out, deep=options.deep):
        print(line)
    return 0


def _entry(case: Case) -> tuple[str, str, int]:
    """The entry of the file that a case was read from, which may give several."""
    return case.task, case.name, case.entry


def _check_least(session: Session) -> None:
    """Raises `AbaloError` for a model that is not worth bounds, and warns if that is undecided."""
    from abalo.core.judging import explained

    found = session.clean_score
    doubts = [each for each in found.every if each.verdict != "pass"]
    if found.state == "below":
        raise AbaloError(
            f"{session.task.name}: {explained(doubts[0])}; bounds of such a model hold nothing; check model and "
            "labels, or give a lower --least"
        )
    for each in doubts:
        print(f"WARNING: {session.task.name}: {explained(each)}", file=sys.stderr)


def _check_types(session: Session, *, doubted: bool) -> None:
    """Raises `AbaloError` where model and corpus may mean other things by their labels, unless that is known."""
    found = "" if doubted else session.task.doubt(session.engine)
    if found:
        raise AbaloError(
            f"{session.task.name}: {found}\n  Bounds would take that for granted; if it is meant, add --yes"
        )


def _is_meant(case: Case, names: list[str] | None) -> bool:
    return not names or case.id in names or case.name in names


def _check_names(requested: list[str] | None, known: set[str]) -> None:
    from perturbations.suggestions import did_you_mean

    for name in requested or ():
        if name not in known:
            raise AbaloError(f"--case {name}: no such case in the thresholds file{did_you_mean(name, sorted(known))}")


def _check(options: argparse.Namespace) -> None:
    """Raises `AbaloError` where the file to write would be one that must stay as it is."""
    given = (options.model, options.corpus, options.choice_model, options.questions)
    changed = options.types is not None or options.join
    ours = given in ((None, None, None, None), (None, CORPUS, None, QUESTIONS)) and not changed
    if not ours and _is_bundled(options.out):
        raise AbaloError(f"--out {options.out}: holds the bounds of the bundled model; {ANOTHER_FILE}")
    check_out(options.out, options.corpus or CORPUS)


def _is_bundled(path: Path) -> bool:
    """Whether it is the gate of the bundled models, in a checkout."""
    return path.resolve() == OWN_GATE
