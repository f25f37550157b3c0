"""``abalo rejudge``: judge a run by other bounds, without a model."""

from __future__ import annotations

import argparse
from dataclasses import replace
from datetime import date
from pathlib import Path

from abalo.commands.here import add_conftest_option, import_conftest, load_here
from abalo.commands.options import Commands, add_shared
from abalo.commands.output import say
from abalo.commands.parsing import example


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "rejudge",
        help="judge a finished run by other bounds, without a model",
        description="Reads robustness.json and evidence.npz of a run, judges its cases by the bounds and the gate of "
        "a thresholds file, and writes a new report, with the same verdicts as a run with this file. Exits as a run "
        "does: with 0; 1 if a blocking bound fails; 10 if nothing was decided.",
        epilog=example("abalo rejudge reports --thresholds thresholds.toml --out reports/rejudged"),
    )
    parser.add_argument("reports", type=Path, metavar="REPORTS", help="folder of the run, such as reports")
    add_shared(parser, "thresholds", "against")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of the new report, such as new (default: the folder of the run)"
    )
    add_conftest_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Writes and prints the new report; returns the exit code."""
    from abalo.core.statistics.evidence import sha256_of
    from abalo.files import write_together
    from abalo.locking import FolderLock
    from abalo.reporting.documents.conclusion import conclude
    from abalo.reporting.documents.examples import NONE_THERE
    from abalo.reporting.formats.files import JSON_NAME, as_bytes, as_pages, check_reports
    from abalo.reporting.formats.latex import latex
    from abalo.reporting.formats.marks import marked
    from abalo.reporting.formats.report_format import name_reports
    from abalo.reporting.formats.terminal import lines
    from abalo.reporting.runs.finished import check_known, read_run, whole
    from abalo.reporting.runs.reference import reference_for
    from abalo.reporting.runs.rejudging import copy_files, rejudge

    if options.conftest:
        import_conftest()
    old = read_run(options.reports)
    check_known(old.path, old.document)
    least = old.document.options.get("least")
    thresholds = load_here(options, least)
    reference = reference_for(options.reports, old.document, options.against, thresholds.gate)
    with whole(old.path):
        document = rejudge(old, thresholds, reference, date.today())
        said, pages = list(lines(document)), as_pages(document, old.records() or ())
        latex(document)  # has every case, so that one that is damaged is told here
    out = options.out or options.reports
    document, mark = marked(document, options.reports)
    check_reports(out)
    with FolderLock(out):
        copy_files(options.reports, out)
        said_by = as_bytes(replace(document, evidence_sha256=sha256_of(old.evidence)))
        write_together(out, {**pages, **mark.file, JSON_NAME: said_by})
    for line, _ in said:
        say(line)
    if old.records() is None:
        say(f"note: reports quote no sentence: {NONE_THERE}")
    say(f"reports: {name_reports(out)}")
    return conclude(document).exit_code
