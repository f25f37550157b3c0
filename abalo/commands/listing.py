"""``abalo list``: what Abalo offers, by kind."""

from __future__ import annotations

import argparse
from pathlib import Path

from abalo.commands.here import import_conftest, thresholds_here
from abalo.commands.options import Commands
from abalo.commands.output import add_output_options, output_of
from abalo.commands.parsing import example
from abalo.errors import AbaloError


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "list",
        help="list tasks, cases, perturbations, attacks, metrics and more",
        description="Lists everything of a kind, with an example, the languages and the cost. Lists the kinds if no "
        "KIND is given. The lists include what a conftest.py here registers.",
        epilog=example("abalo list perturbations --language pt"),
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="kinds to list, such as perturbations")
    parser.add_argument("--task", metavar="NAME", help="list only what is for this task, such as ner (default: all)")
    parser.add_argument(
        "--language", metavar="CODE", help="list only what is for this language, such as pt (default: all)"
    )
    parser.add_argument(
        "--thresholds",
        type=Path,
        metavar="FILE",
        help="file whose cases are listed (default: thresholds.toml here, else the default cases)",
    )
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Prints the list."""
    from abalo.commands.inventory import page
    from abalo.commands.options import check_language
    from abalo.config.thresholds import load
    from perturbations.languages import codes, enumerate_names

    import_conftest()
    if options.language is not None:
        check_language(options.language)
        if options.language not in codes():
            raise AbaloError(
                f"--language {options.language}: no such language; there are {enumerate_names(codes())}; without "
                '--language, the list says "any" of what is for others too'
            )
    thresholds = load(options.thresholds or thresholds_here())
    output_of(page(options.kinds, thresholds, options.task, options.language), options).deliver()
    return 0
