"""``abalo rejudge``: a run judged anew by other bounds, without a model."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from abalo.commands.here import import_conftest, thresholds_here
from abalo.commands.options import Commands, add_shared
from abalo.commands.output import say
from abalo.commands.parsing import example


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "rejudge",
        help="judge a finished run by other bounds, without a model",
        description="Reads robustness.json and evidence.npz of a run, judges its cases by the bounds and the gate of "
        "a thresholds file, and writes a new report. The verdicts are those of a run with this file. The exit code is "
        "that of a run: 0; 1 if a blocking bound fails; 10 if nothing was decided.",
        epilog=example("abalo rejudge reports --thresholds thresholds.toml --out reports/rejudged"),
    )
    parser.add_argument("reports", type=Path, metavar="REPORTS", help="folder of the run, such as reports")
    add_shared(parser, "thresholds", "against")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of the new report, such as new (default: the folder of the run)"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Writes the new report, prints it, and gives the exit code that a run would have."""
    from abalo.config.thresholds import load
    from abalo.core.evidence import sha256_of
    from abalo.files import write_together
    from abalo.locking import FolderLock
    from abalo.reporting.comparing import reference_for
    from abalo.reporting.conclusion import concluded
    from abalo.reporting.examples import NONE_THERE
    from abalo.reporting.files import DIGEST, JSON_NAME, as_bytes, as_pages, check_reports
    from abalo.reporting.finished import read_run, whole
    from abalo.reporting.latex import latex
    from abalo.reporting.rejudging import copied, rejudged
    from abalo.reporting.terminal import lines

    import_conftest()
    old = read_run(options.reports)
    least = (old.document.get("options") or {}).get("least")
    thresholds = load(options.thresholds or thresholds_here(), least=least)
    reference = reference_for(options.reports, old.document, options.against, thresholds.gate)
    with whole(old.path):
        document = rejudged(old, thresholds, reference, date.today())
        said, pages = list(lines(document)), as_pages(document, old.records() or ())
        latex(document)  # has every case, so that one that is damaged is told here
    out = options.out or options.reports
    check_reports(out)
    with FolderLock(out):
        copied(options.reports, out)
        said_by = as_bytes({**document, DIGEST: sha256_of(old.evidence)})
        write_together(out, {**pages, JSON_NAME: said_by})
    for line, _ in said:
        say(line)
    if old.records() is None:
        say(f"note: reports quote no sentence: {NONE_THERE}")
    say(f"reports: {out / 'robustness.md'}, .json, report.html")
    return concluded(document).exit_code
