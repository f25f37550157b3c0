"""The command ``abalo``."""

from __future__ import annotations

import argparse
import importlib.util
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from abalo import __version__
from abalo.bundled import bundled
from abalo.errors import AbaloError


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; 0 when it did what was asked, 2 when it could not, with the reason on standard error."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(given)
    try:
        return _calibrate(options, shlex.join(["abalo", *given]))
    except AbaloError as error:
        print(f"abalo: {error}", file=sys.stderr)
        return 2


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
    calibrate.add_argument("--model", help="as pytest's --abalo-model (default: the bundled one)")
    calibrate.add_argument("--corpus", default="bundled:legal-pt", help="as pytest's --abalo-corpus")
    calibrate.add_argument(
        "--thresholds", type=Path, help="cases to measure (default: thresholds.toml here, else the bundled ones)"
    )
    calibrate.add_argument("--out", type=Path, default=Path("thresholds.toml"), help="file to write (default: %(default)s)")
    calibrate.add_argument("--margin", type=float, default=0.01, help="added to every interval (default: %(default)s)")
    calibrate.add_argument("--limit", type=int, help="first N sentences of the corpus")
    calibrate.add_argument("--label-map", help="as pytest's --abalo-label-map")
    calibrate.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda", "mps"))
    return parser


def _calibrate(options: argparse.Namespace, command: str) -> int:
    # Imported here so that --help and --version answer at once.
    from abalo.calibration import calibrated, rewritten
    from abalo.corpora import load as load_corpus
    from abalo.judging import judged, shown
    from abalo.models.labels import check_labels, parse_label_map
    from abalo.models.loading import load as load_model
    from abalo.models.predictor import Predictor
    from abalo.reporting.files import write_text
    from abalo.runs import run
    from abalo.thresholds import load as load_thresholds

    if not 0 <= options.margin < 1:
        raise AbaloError(f"--margin {options.margin}: expected a number from 0 to below 1")
    if options.limit is not None and options.limit < 1:
        raise AbaloError(f"--limit {options.limit}: expected a whole number from 1")
    _import_conftest()
    here = Path("thresholds.toml")
    source = options.thresholds or (here if here.is_file() else bundled("thresholds.toml"))
    thresholds = load_thresholds(source)
    corpus = load_corpus(options.corpus, limit=options.limit)
    model = load_model(
        options.model or str(bundled("fixtures/model")),
        device=options.device,
        label_map=parse_label_map(options.label_map) if options.label_map else None,
    )
    check_labels(model.labels, tuple(corpus.entity_counts), model.name)
    predictor = Predictor(model, corpus.sentences)
    bounds = []
    for case in thresholds.cases:
        result = judged(run(case, corpus, predictor, thresholds.gate.seeds, model.mask_token), thresholds.gate, 1)
        for bound in calibrated(result, options.margin):
            bounds.append(bound)
            kind = f" {bound.bound.type}" if bound.bound.type else ""
            print(f"{case.id}: {bound.bound.metric}{kind} {shown(bound.estimate)} -> {bound.bound.name} = {bound.limit:g}")
    provenance = f"{command} ({corpus.name}: {len(corpus.sentences)} sentences, sha256 {corpus.sha256[:16]})"
    write_text(rewritten(source, bounds, provenance), options.out)
    print(f"{len(bounds)} bounds written to {options.out}")
    return 0


def _import_conftest() -> None:
    """Registers the perturbations of the conftest.py here, as pytest would."""
    path = Path("conftest.py")
    if path.is_file():
        spec = importlib.util.spec_from_file_location("conftest", path)
        assert spec is not None
        assert spec.loader is not None
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
