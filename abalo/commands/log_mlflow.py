"""``abalo log-mlflow``: log a finished run to MLflow."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from abalo.commands.here import add_conftest_option, import_conftest
from abalo.commands.options import Commands, add_report_argument
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.errors import AbaloError, redacted

if TYPE_CHECKING:
    from abalo.reporting.formats.tracking import Tracked


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "log-mlflow",
        help="log a finished run to MLflow: metrics, parameters, verdict, files",
        description="Logs a finished run as a run of MLflow. Metrics: the number and the score of each case, the ends "
        "of their intervals, and the loss against the reference. Parameters: models, corpora, seeds and versions. "
        "Tag: the verdict. Artifacts: the files of the report, including the sentences in examples.jsonl. The "
        "environment variables of MLflow say where the run goes; without them it goes to a local store. MLflow sends "
        "no telemetry. Exits with 0 for every verdict, or with 2 if the report is missing, the run is unfinished, or "
        "MLflow cannot store it. Needs MLflow: pip install 'abalo[mlflow]'.",
        epilog=example("abalo log-mlflow reports --experiment ner"),
    )
    add_report_argument(parser)
    parser.add_argument(
        "--experiment", metavar="NAME", help="experiment, such as ner; created if missing (default: MLflow's)"
    )
    parser.add_argument("--run-name", metavar="NAME", help="name of the run, such as 1.0 (default: MLflow invents one)")
    parser.add_argument(
        "--tracking-uri",
        metavar="URI",
        help="server or store, such as https://mlflow.example.org or sqlite:///runs.db (default: MLflow's)",
    )
    add_conftest_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Logs the run and prints its location."""
    from abalo.reporting.formats.files import JSON_NAME
    from abalo.reporting.formats.tracking import files_in, track
    from abalo.reporting.runs.finished import check_verdict, read_document, whole
    from abalo.reporting.runs.reference import folder_of

    if options.conftest:
        import_conftest()
    folder = folder_of(options.reports)
    path = folder / JSON_NAME
    document = read_document(path)
    with whole(path):
        check_verdict(path, document)
        found = track(document)
    if not document.complete:
        raise AbaloError(
            f"{path}: the run is not complete: {found.headline}; run the gate to its end, or merge its shards "
            "(abalo merge), and log that"
        )
    files = files_in(folder)
    say(_log(_mlflow(), found, {file: file.relative_to(folder).parent for file in files}, options))
    return 0


def _mlflow() -> object:
    """Disables telemetry first, because the import starts it."""
    os.environ.update({"MLFLOW_DISABLE_TELEMETRY": "true", "DO_NOT_TRACK": "true"})
    try:
        import mlflow
    except ImportError as error:
        raise AbaloError(f"log-mlflow needs MLflow ({error}): pip install 'abalo[mlflow]'") from error
    return mlflow


def _log(mlflow: Any, found: Tracked, files: dict[Path, Path], options: argparse.Namespace) -> str:
    where = redacted(options.tracking_uri or "")
    try:
        if options.tracking_uri:
            mlflow.set_tracking_uri(options.tracking_uri)
        where = redacted(mlflow.get_tracking_uri())
        if options.experiment:
            mlflow.set_experiment(options.experiment)
        tags = {"verdict": found.verdict, "mlflow.source.name": "abalo log-mlflow"}  # not the path of this program
        with mlflow.start_run(run_name=options.run_name, description=found.headline, tags=tags) as made:
            mlflow.log_params(found.params)
            mlflow.log_metrics(found.metrics)
            for file, place in files.items():
                mlflow.log_artifact(str(file), place.as_posix() if place.name else None)
    except Exception as error:  # of several libraries
        raise AbaloError(
            f"MLflow at {where}: {type(error).__name__}: {redacted(str(error))}; check --tracking-uri or "
            "MLFLOW_TRACKING_URI, and that MLflow has what the store needs: pip install 'abalo[mlflow]'"
        ) from error
    return (
        f"run {made.info.run_name} ({made.info.run_id}) at {where}: {len(found.metrics)} metrics, "
        f"{len(found.params)} parameters, {len(files)} files"
    )
