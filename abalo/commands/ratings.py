"""``abalo ratings``: the results of filled sheets."""

from __future__ import annotations

import argparse
from datetime import UTC, date, datetime
from pathlib import Path

from abalo.commands.options import Commands
from abalo.commands.output import say
from abalo.errors import AbaloError


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "ratings",
        help="means, significance and agreement of the ratings on such sheets",
        description="Reads the filled sheets of a folder. Of adversarial sentences it writes the mean change by rater "
        "and attack, its significance, and the agreement of raters, as JSON and Markdown beside them. Of variants it "
        "prints by perturbation and family the shares that are right and wrong, with intervals, and the agreement.",
    )
    parser.add_argument("folder", type=Path, help="as abalo sheet wrote it, the sheets filled in")
    variants = parser.add_argument_group("of variants (abalo sheet --perturbations)")
    variants.add_argument(
        "--out", type=Path, help="also write a .json file, or a .tsv table; a table that is there keeps its other rows"
    )
    variants.add_argument("--date", help="day of the ratings, YYYY-MM-DD (default: today)")
    variants.add_argument("--disagreements", action="store_true", help="also print what raters disagree on")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Writes the results beside the sheets, or prints those of variants."""
    from abalo.raters.variants import KEY

    if (options.folder / KEY).is_file():
        _of_variants(options)
        return 0
    if options.out or options.date or options.disagreements:
        raise AbaloError(
            f"--out, --date, --disagreements: {options.folder} has no {KEY}, so it has no ratings of variants"
        )
    from abalo.raters.ratings import markdown, read, report, write

    found = report(read(options.folder))
    write(found, options.folder)
    say(markdown(found))
    return 0


def _of_variants(options: argparse.Namespace) -> None:
    from abalo.raters.judgements import disagreements, read, report
    from abalo.raters.results import markdown, write

    sheets = read(options.folder)
    found = report(sheets, _day(options.date))
    if options.out:
        write(found, sheets, options.out)
    say(markdown(found))
    if options.disagreements:
        say("\n".join(disagreements(sheets) or ["The raters agree on every variant."]))


def _day(text: str | None) -> str:
    if text is None:
        return datetime.now(UTC).date().isoformat()
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise AbaloError(f"--date {text}: expected a day as YYYY-MM-DD") from None
