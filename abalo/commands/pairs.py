"""``abalo pairs``: perturbations that can be combined."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from abalo.bundled import USUAL_LANGUAGE
from abalo.commands.here import import_conftest
from abalo.commands.options import Commands, add_shared, task_and_language_here
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.errors import AbaloError

if TYPE_CHECKING:
    from perturbations import Perturbation


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "pairs",
        help="list the perturbations that can follow one another",
        description="Prints every pair of perturbations that can follow one another, one pair a line, or those that "
        "[[ner.pipeline]] draws with sampled = N. Perturbations of conftest.py are included.",
        epilog=example("abalo pairs --sampled 5 --language pt"),
    )
    parser.add_argument(
        "--of", type=int, choices=(2, 3), default=2, help="2 for pairs, 3 for triples (default: %(default)s)"
    )
    add_shared(parser, "language", language="found in the corpus that [run] of thresholds.toml here names, else pt")
    parser.add_argument("--sampled", type=int, metavar="N", help="print only N of them, drawn at random (default: all)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the draw (default: %(default)s)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Prints the pairs."""
    from abalo.core.protocols.task import tasks
    from perturbations.pipelines import combinations, languages, sampled_combinations

    import_conftest()
    language, accepts = options.language or _find_language(), tasks()["ner"].accepts
    if language not in languages():
        raise AbaloError(f"--language {language}: expected one of {', '.join(languages())}")
    if options.sampled is not None and options.sampled < 1:
        raise AbaloError(f"--sampled {options.sampled}: expected a whole number from 1")
    found: Iterable[tuple[Perturbation, ...]] = combinations(options.of, language, accepts)
    if options.sampled is not None:
        found = sampled_combinations(options.sampled, options.of, language, accepts, seed=options.seed)
    for steps in found:
        print(*(step.name for step in steps))
    return 0


def _find_language() -> str:
    _, language = task_and_language_here()
    if language is None:
        say(f"No corpus is named here: the pairs are for {USUAL_LANGUAGE}; --language CODE for another", sys.stderr)
    return language or USUAL_LANGUAGE
