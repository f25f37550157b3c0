"""``abalo ratings``: the results of filled sheets."""

from __future__ import annotations

import argparse
from pathlib import Path

from abalo.commands.options import Commands


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "ratings",
        help="means, significance and agreement of the ratings on such sheets",
        description="Reads the filled sheets of a folder and writes the mean change by rater and attack, its "
        "significance, and the agreement of raters, as JSON and Markdown beside them.",
    )
    parser.add_argument("folder", type=Path, help="as abalo sheet wrote it, the sheets filled in")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Writes the results beside the sheets."""
    from abalo.raters.ratings import markdown, read, report, write

    found = report(read(options.folder))
    write(found, options.folder)
    print(markdown(found))
    return 0
