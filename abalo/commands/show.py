"""``abalo show``: the sentences that a run got wrong, in colour."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from abalo.commands.here import add_conftest_option, import_conftest, load_here
from abalo.commands.options import Commands, add_report_argument, add_shared
from abalo.commands.parsing import example
from abalo.errors import AbaloError


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "show",
        help="print the sentences that a run got wrong",
        description="Prints the worst sentences of a case, with the right labels, the predictions and the changes, in "
        "colours on a terminal unless NO_COLOR is set. If no CASE is given, prints the cases that failed or "
        "regressed, else the case that lost most; with --newly-broken or --sentence, prints all cases.",
        epilog=example("abalo show reports ner/accents --most 3"),
    )
    add_report_argument(parser)
    parser.add_argument(
        "cases", nargs="*", default=[], metavar="CASE", help="cases to show, such as ner/accents, or accents"
    )
    parser.add_argument("--type", metavar="TYPE", help="show only sentences with an error about this type, such as PER")
    parser.add_argument(
        "--newly-broken",
        action="store_true",
        help="show only sentences that are worse than in the reference: those that the report names, or all with "
        "--against",
    )
    parser.add_argument(
        "--against", type=Path, metavar="RUN", help="with --newly-broken: the reference, such as references/1.0"
    )
    add_shared(parser, "thresholds")
    parser.add_argument(
        "--sentence", metavar="ID", help="show only this sentence, by its id or the beginning of its id"
    )
    parser.add_argument(
        "--most", type=int, default=10, metavar="N", help="show at most N sentences of each case (default: %(default)s)"
    )
    add_conftest_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Prints the sentences."""
    from abalo.reporting.formats.console import in_colour, text
    from abalo.reporting.runs.finished import check_known, read_run, whole
    from abalo.reporting.runs.reference import folder_of, read_reference
    from abalo.reporting.runs.worst import WorstQuery, show_worst

    if options.most < 1:
        raise AbaloError(f"--most {options.most}: expected a whole number from 1")
    if options.against is not None and not options.newly_broken:
        raise AbaloError(f"--against {options.against}: is for --newly-broken; add it")
    if options.conftest:
        import_conftest()
    found = read_run(folder_of(options.reports))
    check_known(found.path, found.document)
    against = None if options.against is None else (read_reference(options.against), load_here(options))
    asked = WorstQuery(tuple(options.cases), options.type, options.sentence, options.newly_broken, options.most)
    with whole(found.path):
        blocks = show_worst(found, asked, against)
        said = text(blocks, colour=in_colour(sys.stdout))
    sys.stdout.write(said)
    return 0
