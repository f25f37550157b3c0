"""``abalo ratings``: results of completed rating sheets."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.commands.options import Commands
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.errors import AbaloError

if TYPE_CHECKING:
    from abalo.raters.forms import FilledSheet, Key


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "ratings",
        help="print means, significance and agreement of ratings on filled sheets",
        description="Reads the filled sheets of a folder and prints the results. For adversarial sentences: the mean "
        "change by rater and attack, its significance, and the agreement of raters. For variants: the shares that are "
        "right and wrong by perturbation and family, with intervals, and the agreement.",
        epilog=example("abalo ratings sheets --out ratings.json"),
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="folder that abalo sheet wrote, with filled sheets")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="also write the results, such as to ratings.json; results on variants also as a .tsv table, in which "
        "other rows stay",
    )
    variants = parser.add_argument_group("of variants (abalo sheet --perturbations)")
    variants.add_argument("--date", metavar="DAY", help="day of the ratings, such as 2026-11-01 (default: today)")
    variants.add_argument(
        "--disagreements", action="store_true", help="also print the variants that raters disagree on"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Prints the results, and writes them on request."""
    from abalo.raters.forms import SENTENCES, read

    key, sheets = read(options.folder)
    of_sentences = key.form == SENTENCES
    endings = (".json",) if of_sentences else (".json", ".tsv")
    if options.out and options.out.suffix not in endings:
        found = options.out.suffix or "nothing"
        raise AbaloError(f"--out {options.out}: ends in {found!r}; expected {' or '.join(endings)}")
    if of_sentences:
        _of_sentences(options, key, sheets)
    else:
        _of_variants(options, key, sheets)
    return 0


def _of_sentences(options: argparse.Namespace, key: Key, sheets: Sequence[FilledSheet]) -> None:
    from abalo.raters.forms import write_json
    from abalo.raters.ratings import collect_ratings, markdown, report

    if options.date or options.disagreements:
        raise AbaloError(f"--date, --disagreements: {options.folder} has no ratings of variants; leave them out")
    found = report(collect_ratings(key, sheets))
    if options.out:
        write_json(found, options.out)
    say(markdown(found))


def _of_variants(options: argparse.Namespace, key: Key, filled: Sequence[FilledSheet]) -> None:
    from abalo.raters.forms import write_json
    from abalo.raters.judgements import collect_judgements, disagreements, report
    from abalo.raters.results import markdown, write

    sheets = collect_judgements(key, filled)
    found = report(sheets, _day(options.date))
    if options.out and options.out.suffix == ".json":
        write_json(found, options.out)
    elif options.out:
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
