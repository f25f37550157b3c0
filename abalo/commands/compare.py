"""``abalo compare``: judge one finished run against another."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from abalo.commands.here import add_conftest_option, import_conftest, load_here
from abalo.commands.options import Commands, add_shared
from abalo.commands.output import add_output_options, output_of
from abalo.commands.parsing import example


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "compare",
        help="judge the losses of a run against another run",
        description="Judges one finished run against another, without a model, as a run with --abalo-against does: "
        "paired comparisons of every case and every type, corrected for their number. The exit code is 0; 1 if "
        "something regressed; 10 if nothing could be compared, or if the comparison is undecided and [gate] "
        "inconclusive makes that a failure; 2 if a run cannot be read.",
        epilog=example("abalo compare references/1.0 reports"),
    )
    parser.add_argument("old", type=Path, metavar="OLD", help="folder of the reference, or its robustness.json")
    parser.add_argument("new", type=Path, metavar="NEW", help="folder of the run to judge, or its robustness.json")
    add_shared(parser, "thresholds")
    add_output_options(parser, "comparison")
    add_conftest_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Prints the comparison and returns the exit code."""
    from abalo.reporting.runs.comparison import compare_runs, concluded_by, page
    from abalo.reporting.runs.finished import whole
    from abalo.reporting.runs.reference import read_reference, read_side

    if options.conftest:
        import_conftest()
    thresholds = load_here(options)
    reference, new, today = read_reference(options.old), read_side(options.new), date.today()
    with whole(new.run.path):
        document = compare_runs(reference, new, thresholds, today)
        output = output_of(page(document, new.run.document, today), options)
    output.deliver()
    return concluded_by(document).exit_code
