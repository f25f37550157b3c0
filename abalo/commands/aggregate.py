"""``abalo aggregate``: Inspect logs as a table and measures."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from abalo.commands.options import Commands
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.errors import visible


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "aggregate",
        help="turn Inspect logs of multiple-choice questions into a table and measures",
        description="Reads the Inspect logs of a folder, and writes all answers as CSV and JSON lines. Also writes, "
        "as JSON and Markdown, how often answers stay the same when questions are reworded or reordered, with "
        "intervals.",
        epilog=example("abalo aggregate --logs logs --out results"),
    )
    parser.add_argument(
        "--logs", type=Path, default=Path("logs"), help="folder with the Inspect logs (default: %(default)s)"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("results"), help="folder for the table and the measures (default: %(default)s)"
    )
    parser.add_argument(
        "--leave-out-failed",
        action="store_true",
        help="leave out logs and samples that ended with an error, and list them; without it they stop the command",
    )
    parser.add_argument(
        "--confidence", type=float, default=0.95, help="confidence of the intervals, such as 0.9 (default: %(default)s)"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Writes the table and the measures."""
    from abalo.reporting.formats.aggregation import aggregate, write

    found = aggregate(options.logs, leave_out_failed=options.leave_out_failed, confidence=options.confidence)
    write(found, options.out)
    for line in found.collected.left_out:
        say(f"left out: {visible(line)}", sys.stderr)
    answers, logs = len(found.collected.answers), len(found.collected.logs)
    say(f"{answers:,} answer{'s' * (answers != 1)} from {logs:,} log{'s' * (logs != 1)} in {options.out}")
    return 0
