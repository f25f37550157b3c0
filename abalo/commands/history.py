"""``abalo history``: accepted runs, release by release."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from abalo.commands.here import add_conftest_option, import_conftest, load_here
from abalo.commands.options import Commands, add_shared
from abalo.commands.output import add_output_options, output_of
from abalo.commands.parsing import example
from abalo.errors import AbaloError


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "history",
        help="print how numbers changed from release to release",
        description="Prints a table of runs, oldest first, each judged against the run before it as by abalo compare, "
        "and a table of numbers by case with a sparkline. It judges no release, so the exit code is 0, or 2 if a run "
        "cannot be read.",
        epilog=example("abalo history references reports"),
    )
    parser.add_argument(
        "folders",
        type=Path,
        nargs="+",
        metavar="FOLDER",
        help="folder of a run, or of several runs, such as references; runs are sorted by the day on which each was "
        "accepted, else made; or folders of accepted scores",
    )
    parser.add_argument(
        "--last", type=int, default=8, metavar="N", help="show only the last N runs (default: %(default)s)"
    )
    add_shared(parser, "thresholds")
    add_output_options(parser, "history")
    add_conftest_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Prints the tables."""
    from abalo.reporting.runs.finished import whole
    from abalo.reporting.runs.history import history, page, read_releases
    from abalo.reporting.runs.score_history import kept_in, score_history, score_history_page

    if options.last < 2:
        raise AbaloError(f"--last {options.last}: expected a whole number from 2")
    if options.conftest:
        import_conftest()
    thresholds, today = load_here(options), date.today()
    if kept := kept_in(options.folders):
        output_of(score_history_page(score_history(kept, options.last, thresholds), today), options).deliver()
        return 0
    releases = read_releases(options.folders, options.last)
    with whole(releases[-1].run.path):
        output = output_of(page(history(releases, thresholds, today), today), options)
    output.deliver()
    return 0
