"""``abalo list``: what there is, by kind."""

from __future__ import annotations

import argparse
from pathlib import Path

from abalo.commands.here import import_conftest, thresholds_here
from abalo.commands.options import Commands
from abalo.commands.output import add_output_options, output_of
from abalo.errors import AbaloError


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "list",
        help="print what there is: tasks, cases, perturbations, attacks, metrics and more",
        description="Prints what there is of a kind, with an example, the languages and the cost; without a KIND, the "
        "kinds. What a conftest.py here registers is among it.",
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="such as perturbations")
    parser.add_argument("--task", metavar="NAME", help="only what is for this task")
    parser.add_argument("--language", metavar="CODE", help="only what is for this language, such as pt")
    parser.add_argument(
        "--thresholds", type=Path, help="the file whose cases are listed (default: thresholds.toml here, else bundled)"
    )
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Prints the list."""
    from abalo.commands.options import check_language
    from abalo.config.thresholds import load
    from abalo.reporting.inventory import page
    from perturbations.languages import codes, enumerated

    import_conftest()
    if options.language is not None:
        check_language(options.language)
        if options.language not in codes():
            raise AbaloError(
                f"--language {options.language}: no such language; there are {enumerated(codes())}; without "
                '--language, the list says "any" of what is for others too'
            )
    thresholds = load(options.thresholds or thresholds_here())
    output_of(page(options.kinds, thresholds, options.task, options.language), options).deliver()
    return 0
