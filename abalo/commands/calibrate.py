"""``abalo calibrate``: bounds from a measurement."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.bundled import CORPUS, QUESTIONS, bundled
from abalo.commands.here import import_conftest, thresholds_here
from abalo.commands.options import (
    ANOTHER_FILE,
    add_corpus_options,
    add_model_options,
    add_question_options,
    check_limit,
    check_out,
)
from abalo.errors import AbaloError
from abalo.files import write_text

if TYPE_CHECKING:
    from abalo.commands.options import Commands
    from abalo.core.judging import Decided
    from abalo.core.case import Case
    from abalo.config.thresholds import Gate


def add(commands: Commands) -> None:
    """What it takes."""
    parser = commands.add_parser(
        "calibrate",
        help="measure a model and write bounds for it",
        description="Runs every case of the thresholds file on a model and a corpus, and writes as bounds the far ends "
        "of the intervals measured, plus a margin.",
    )
    parser.add_argument(
        "--thresholds", type=Path, help="cases to measure (default: thresholds.toml here, else the bundled ones)"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("thresholds.toml"), help="file to write (default: %(default)s)"
    )
    parser.add_argument("--margin", type=float, default=0.01, help="added to every interval (default: %(default)s)")
    parser.add_argument("--deep", action="store_true", help="measure deep cases too, which take long")
    parser.add_argument("--task", choices=("ner", "choice"), help="measure only this one (default: all)")
    parser.set_defaults(run=run)
    add_model_options(parser)
    add_corpus_options(parser)
    add_question_options(parser)


def run(options: argparse.Namespace, command: str) -> int:
    """Writes a thresholds file with the bounds that the model keeps."""
    from abalo.config.calibration import bounded, calibrated, rewritten, told
    from abalo.core.case import skipped
    from abalo.config.thresholds import load as load_thresholds

    _check(options)
    import_conftest()
    thresholds = load_thresholds(options.thresholds or thresholds_here())
    found, provenance = [], {}
    for task, begin in {"ner": _tagging, "choice": _answering}.items():
        cases = [
            case
            for case in thresholds.cases
            if case.task == task and (options.deep or not case.deep) and not skipped(case, thresholds.gate.language)
        ]
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
    text = rewritten(thresholds, found, provenance, own=_is_bundled(options.out))
    write_text(options.out, text, ANOTHER_FILE)
    print(f"{sum(each.limit is not None for each in found)} bounds written to {options.out}")
    return 0


def _tagging(options: argparse.Namespace, gate: Gate) -> tuple[Callable[[Case], Decided], str]:
    """How cases about tags are judged, and on what."""
    from abalo.corpora import load as load_corpus
    from abalo.core.judging import judged
    from abalo.models.loading import load_as_asked
    from abalo.core.predictor import Predictor
    from abalo.sources.resources import Resources
    from abalo.core.case import run as run_case

    corpus = load_corpus(options.corpus, limit=options.limit, lenient=options.lenient, scheme=options.scheme)
    tags = {tag for sentence in corpus.sentences for tag in sentence.tags or ()}
    model = load_as_asked(options.model or str(bundled("fixtures/model")), options, tags)
    predictor = Predictor(model, corpus.sentences)
    mask_token = model.mask_token if options.mask_token is None else options.mask_token
    resources = Resources(corpus, mask_token, gate.language)
    source = f"{corpus.name}: {len(corpus.sentences)} sentences, sha256 {corpus.sha256[:16]}"
    return lambda case: judged(run_case(case, corpus, predictor, gate.seeds, resources), gate, 1), source


def _answering(options: argparse.Namespace, gate: Gate) -> tuple[Callable[[Case], Decided], str]:
    """How cases about questions are judged, and on what."""
    from abalo.tasks.choice.asking import Questionnaire
    from abalo.tasks.choice.models.black_box import OVERLAP
    from abalo.tasks.choice.models.loading import load, parse_args
    from abalo.tasks.choice.files import load_choices
    from abalo.core.judging import answered

    asked = Questionnaire(options.questions, load_choices(options.questions, limit=options.limit))
    model = load(OVERLAP if options.choice_model is None else options.choice_model, parse_args(options.choice_args))
    source = f"{asked.name}: {len(asked.choices)} questions, sha256 {asked.sha256[:16]}"
    return lambda case: answered(case, asked, model, gate, 1), source


def _check(options: argparse.Namespace) -> None:
    """What can be told before any work."""
    if not 0 <= options.margin < 1:
        raise AbaloError(f"--margin {options.margin}: expected a number from 0 to below 1")
    check_limit(options.limit)
    given = (options.model, options.corpus, options.choice_model, options.questions)
    ours = given == (None, CORPUS, None, QUESTIONS)
    if not ours and _is_bundled(options.out):
        raise AbaloError(f"--out {options.out}: holds the bounds of the bundled model; {ANOTHER_FILE}")
    check_out(options.out, options.corpus)


def _is_bundled(path: Path) -> bool:
    """Whether it is the file that ships, whose bounds are those of the bundled models."""
    return path.resolve() == bundled("thresholds.toml").resolve()
