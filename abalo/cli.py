"""The command ``abalo``."""

from __future__ import annotations

import argparse
import importlib
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from abalo import __version__
from abalo.bundled import bundled
from abalo.errors import AbaloError, visible
from abalo.files import check_writable, write_text

if TYPE_CHECKING:
    from abalo.judging import Decided
    from abalo.runs import Case
    from abalo.thresholds import Gate
    from perturbations import Perturbation

BUNDLED_CORPUS = "bundled:legal-pt"
QUESTIONS = "bundled:questions"

_ANOTHER_FILE = "choose another file with --out FILE"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; 0 when all is well, 2 when it could not be done, with the reason on standard error."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(given)
    try:
        code: int = options.run(options, shlex.join(["abalo", *given]))
    except AbaloError as error:
        print(f"abalo: {error}", file=sys.stderr)
        return 2
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="abalo", description="Behavioural tests of NLP models. The tests themselves run under pytest."
    )
    parser.add_argument("--version", action="version", version=f"abalo {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    calibrate = commands.add_parser(
        "calibrate",
        help="measure a model and write bounds for it",
        description="Runs every case of the thresholds file on a model and a corpus, and writes as bounds the far ends "
        "of the intervals measured, plus a margin.",
    )
    calibrate.add_argument(
        "--thresholds", type=Path, help="cases to measure (default: thresholds.toml here, else the bundled ones)"
    )
    calibrate.add_argument(
        "--out", type=Path, default=Path("thresholds.toml"), help="file to write (default: %(default)s)"
    )
    calibrate.add_argument("--margin", type=float, default=0.01, help="added to every interval (default: %(default)s)")
    calibrate.add_argument("--deep", action="store_true", help="measure deep cases too, which take long")
    calibrate.add_argument("--task", choices=("ner", "choice"), help="measure only this one (default: all)")
    calibrate.set_defaults(run=_calibrate)
    _add_corpus_options(calibrate)
    _add_question_options(calibrate)
    replay = commands.add_parser(
        "replay",
        help="try again what an attack broke",
        description="Makes the edits in a regression corpus, or in the log of an attack, again, and says what the "
        "model makes of them now. The exit code is 1 where anything is still broken.",
    )
    replay.add_argument("file", type=Path, help="as --abalo-save-failures writes it, or reports/attacks/NAME.jsonl")
    replay.add_argument("--number", type=int, help="only this one of what is broken in the file, from 1")
    replay.set_defaults(run=_replay)
    _add_model_options(replay)
    sheet = commands.add_parser(
        "sheet",
        help="make sheets on which people rate grammaticality",
        description="Writes a CSV file per rater with original and adversarial sentences, blinded and shuffled, and "
        "the key to them, which raters do not get.",
    )
    sheet.add_argument("logs", type=Path, nargs="+", metavar="LOG", help="such as reports/attacks/context_attack.jsonl")
    sheet.add_argument("--out", type=Path, required=True, help="folder to write")
    sheet.add_argument("--raters", type=int, default=2, help="(default: %(default)s)")
    sheet.add_argument("--per-rater", type=int, default=100, help="sentences of each kind (default: %(default)s)")
    sheet.add_argument(
        "--overlap", type=float, default=0.2, help="share that raters have in common (default: %(default)s)"
    )
    sheet.add_argument("--seed", type=int, default=1, help="(default: %(default)s)")
    sheet.set_defaults(run=_sheet)
    ratings = commands.add_parser(
        "ratings",
        help="what the ratings of such sheets say",
        description="Reads the filled sheets of a folder and writes the mean change by rater and attack, its "
        "significance, and the agreement of raters, as JSON and Markdown beside them.",
    )
    ratings.add_argument("folder", type=Path, help="as abalo sheet wrote it, the sheets filled in")
    ratings.set_defaults(run=_ratings)
    aggregate = commands.add_parser(
        "aggregate",
        help="answers to multiple-choice questions, from Inspect logs to a table and measures",
        description="Reads the Inspect logs of a folder and writes all answers as CSV and JSON lines, and how far they "
        "hold when questions are reworded or reordered, with intervals, as JSON and Markdown.",
    )
    aggregate.add_argument("--logs", type=Path, default=Path("logs"), help="folder to read (default: %(default)s)")
    aggregate.add_argument("--out", type=Path, default=Path("results"), help="folder to write (default: %(default)s)")
    aggregate.add_argument(
        "--leave-out-failed",
        action="store_true",
        help="leave out logs and samples that ended with an error, and say so, rather than write nothing",
    )
    aggregate.add_argument("--confidence", type=float, default=0.95, help="of intervals (default: %(default)s)")
    aggregate.set_defaults(run=_aggregate)
    pairs = commands.add_parser(
        "pairs",
        help="list the perturbations that can be made in turn",
        description="Prints every pair of the catalogue, one a line, or those that [[ner.pipeline]] draws with sampled "
        "= N; perturbations of conftest.py are among them.",
    )
    pairs.add_argument("--of", type=int, choices=(2, 3), default=2, help="pairs or triples (default: %(default)s)")
    pairs.add_argument("--language", default="pt", help="of the corpus (default: %(default)s)")
    pairs.add_argument("--sampled", type=int, metavar="N", help="only N of them, drawn")
    pairs.add_argument("--seed", type=int, default=1, help="of the draw (default: %(default)s)")
    pairs.set_defaults(run=_pairs)
    audit = commands.add_parser(
        "audit",
        help="find multiple-choice questions with ambiguous options",
        description="Looks at options alone: duplicates and near duplicates, options about other options, yes or no, "
        "and numbers that crowd. Says why for each question; the exit code is 1 where there is one.",
    )
    audit.add_argument("file", help="JSON lines with options; questions and targets need not be there")
    audit.add_argument("--jaccard", type=float, default=0.9, help="least likeness of near duplicates (default: 0.9)")
    audit.add_argument(
        "--gap", type=float, default=0.01, help="relative gap at which four or more numbers crowd (default: 0.01)"
    )
    audit.add_argument("--out", type=Path, help="JSON file to write, too")
    audit.set_defaults(run=_audit)
    return parser


def _add_question_options(parser: argparse.ArgumentParser) -> None:
    same = parser.add_argument_group("and, for questions,")
    same.add_argument("--questions", default=QUESTIONS, help="(default: %(default)s)")
    same.add_argument("--choice-model", help="(default: the baseline that ships)")
    same.add_argument("--choice-args")


def _add_model_options(parser: argparse.ArgumentParser) -> None:
    same = parser.add_argument_group("as pytest's options of the same name after --abalo-")
    same.add_argument("--model", help="(default: the bundled one)")
    same.add_argument("--label-map")
    same.add_argument("--device", default="auto")
    same.add_argument("--dtype", default="fp32")
    same.add_argument("--aggregation", default="mean")
    same.add_argument("--max-length", type=int, default=256)
    same.add_argument("--stride", type=int, default=64)
    same.add_argument("--allow-pickle", action="store_true")
    same.add_argument("--trust-remote-code", action="store_true")


def _add_corpus_options(parser: argparse.ArgumentParser) -> None:
    _add_model_options(parser)
    same = parser.add_argument_group("and, as these,")
    same.add_argument("--corpus", default=BUNDLED_CORPUS, help="(default: %(default)s)")
    same.add_argument("--limit", type=int)
    same.add_argument("--scheme")
    same.add_argument("--lenient", action="store_true")
    same.add_argument("--mask-token")


def _sheet(options: argparse.Namespace, _command: str) -> int:
    from abalo.attacks.log import read
    from abalo.raters.sheets import deal, items_of, write

    items = [item for log in options.logs for item in items_of(read(log)[1], f"{log}: result")]
    write(deal(items, options.raters, options.per_rater, options.overlap, options.seed), options.out)
    print(f"sheets for {options.raters} raters in {options.out}; keep key.csv from them")
    return 0


def _ratings(options: argparse.Namespace, _command: str) -> int:
    from abalo.raters.ratings import markdown, read, report, write

    found = report(read(options.folder))
    write(found, options.folder)
    print(markdown(found))
    return 0


def _aggregate(options: argparse.Namespace, _command: str) -> int:
    from abalo.aggregation import aggregate, write

    found = aggregate(options.logs, leave_out_failed=options.leave_out_failed, confidence=options.confidence)
    write(found, options.out)
    for line in found.collected.left_out:
        print(f"left out: {visible(line)}", file=sys.stderr)
    answers, logs = len(found.collected.answers), len(found.collected.logs)
    print(f"{answers:,} answer{'s' * (answers != 1)} from {logs:,} log{'s' * (logs != 1)} in {options.out}")
    return 0


def _audit(options: argparse.Namespace, _command: str) -> int:
    import json

    from abalo.audit import Limits, audited
    from abalo.corpora.choices import load_options

    try:
        limits = Limits(jaccard=options.jaccard, gap=options.gap)
    except ValueError as error:
        raise AbaloError(f"--{error}") from error
    questions = load_options(options.file)
    flagged = audited(questions, limits)
    if options.out is not None:
        found = {name: [flag.to_json() for flag in flags] for name, flags in flagged.items()}
        write_text(options.out, json.dumps(found, ensure_ascii=False, indent=1) + "\n", _ANOTHER_FILE)
    for name, flags in flagged.items():
        for flag in flags:
            print(f"{visible(name)}: {flag.rule}: {flag.reason}")
    print(f"{len(flagged):,} of {len(questions):,} questions flagged")
    return int(bool(flagged))


def _pairs(options: argparse.Namespace, _command: str) -> int:
    from perturbations.pipelines import combinations, languages, sampled_combinations

    _import_conftest()
    if options.language not in languages():
        raise AbaloError(f"--language {options.language}: expected one of {', '.join(languages())}")
    if options.sampled is not None and options.sampled < 1:
        raise AbaloError(f"--sampled {options.sampled}: expected a whole number from 1")
    found: Iterable[tuple[Perturbation, ...]] = combinations(options.of, options.language)
    if options.sampled is not None:
        found = sampled_combinations(options.sampled, options.of, seed=options.seed, language=options.language)
    for steps in found:
        print(*(step.name for step in steps))
    return 0


def _replay(options: argparse.Namespace, _command: str) -> int:
    from abalo.attacks.regressions import load, replayed
    from abalo.models.loading import load_as_asked
    from abalo.models.predictor import Predictor

    records = load(options.file)
    if not records:
        raise AbaloError(f"{options.file}: holds nothing that was broken")
    if options.number is not None and not 1 <= options.number <= len(records):
        raise AbaloError(f"--number {options.number}: expected a number from 1 to {len(records)}")
    chosen = records if options.number is None else [records[options.number - 1]]
    model = load_as_asked(options.model or str(bundled("fixtures/model")), options, ())
    predict = Predictor(model, ()).answering()
    found = [replayed(record, predict) for record in chosen]
    for number, each in enumerate(found, start=options.number or 1):
        print(f"{number}. {each.explanation}")
    return int(any(each.status != "fixed" for each in found))


def _calibrate(options: argparse.Namespace, command: str) -> int:
    # Imported here, as in what follows, so that --help and --version answer at once.
    from abalo.calibration import bounded, calibrated, rewritten, told
    from abalo.thresholds import load as load_thresholds

    _check(options)
    _import_conftest()
    thresholds = load_thresholds(options.thresholds or _thresholds_here())
    found, provenance = [], {}
    for task, begin in {"ner": _tagging, "choice": _answering}.items():
        cases = [case for case in thresholds.cases if case.task == task and (options.deep or not case.deep)]
        if not cases or options.task not in (None, task):
            continue
        judge, source = begin(options, thresholds.gate)
        provenance[task] = f"{command} ({source})"
        for case in cases:
            for each in calibrated(judge(bounded(case)), options.margin):
                print(told(each))
                found.append(each)
    if all(each.limit is None for each in found):
        raise AbaloError(f"nothing could be measured, so {options.out} is not written")
    write_text(options.out, rewritten(thresholds, found, provenance), _ANOTHER_FILE)
    print(f"{sum(each.limit is not None for each in found)} bounds written to {options.out}")
    return 0


def _tagging(options: argparse.Namespace, gate: Gate) -> tuple[Callable[[Case], Decided], str]:
    """How cases about tags are judged, and on what."""
    from abalo.corpora import load as load_corpus
    from abalo.judging import judged
    from abalo.models.loading import load_as_asked
    from abalo.models.predictor import Predictor
    from abalo.resources import Resources
    from abalo.runs import run

    corpus = load_corpus(options.corpus, limit=options.limit, lenient=options.lenient, scheme=options.scheme)
    model = load_as_asked(options.model or str(bundled("fixtures/model")), options, corpus.entity_counts)
    predictor = Predictor(model, corpus.sentences)
    mask_token = model.mask_token if options.mask_token is None else options.mask_token
    resources = Resources(corpus, mask_token)
    source = f"{corpus.name}: {len(corpus.sentences)} sentences, sha256 {corpus.sha256[:16]}"
    return lambda case: judged(run(case, corpus, predictor, gate.seeds, resources), gate, 1), source


def _answering(options: argparse.Namespace, gate: Gate) -> tuple[Callable[[Case], Decided], str]:
    """How cases about questions are judged, and on what."""
    from abalo.choice.asking import Questionnaire
    from abalo.choice.models.black_box import OVERLAP
    from abalo.choice.models.loading import load, parse_args
    from abalo.corpora.choices import load_choices
    from abalo.judging import answered

    asked = Questionnaire(options.questions, load_choices(options.questions, limit=options.limit))
    model = load(options.choice_model or OVERLAP, parse_args(options.choice_args))
    source = f"{asked.name}: {len(asked.choices)} questions, sha256 {asked.sha256[:16]}"
    return lambda case: answered(case, asked, model, gate, 1), source


def _check(options: argparse.Namespace) -> None:
    """What can be told before any work."""
    if not 0 <= options.margin < 1:
        raise AbaloError(f"--margin {options.margin}: expected a number from 0 to below 1")
    if options.limit is not None and options.limit < 1:
        raise AbaloError(f"--limit {options.limit}: expected a whole number from 1")
    ours = (options.model, options.corpus, options.choice_model, options.questions) == (
        None,
        BUNDLED_CORPUS,
        None,
        QUESTIONS,
    )
    if not ours and options.out.resolve() == bundled("thresholds.toml").resolve():
        raise AbaloError(f"--out {options.out}: holds the bounds of the bundled model; {_ANOTHER_FILE}")
    if options.out.is_dir():
        raise AbaloError(f"--out {options.out}: is a folder; {_ANOTHER_FILE}")
    check_writable(options.out.parent, _ANOTHER_FILE)


def _thresholds_here() -> Path:
    here = Path("thresholds.toml")
    return here if here.is_file() else bundled("thresholds.toml")


def _import_conftest() -> None:
    """Registers the perturbations of the conftest.py here, which is imported as pytest does it."""
    if not Path("conftest.py").is_file():
        return
    sys.path.insert(0, str(Path.cwd()))
    try:
        importlib.import_module("conftest")
    except (Exception, SystemExit) as error:
        raise AbaloError(f"conftest.py cannot be imported: {type(error).__name__}: {error}") from error
