"""``abalo sheet``: sheets for raters."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.bundled import CASES, bundled
from abalo.commands.here import import_conftest
from abalo.commands.options import (
    FOUND,
    Commands,
    add_reading_options,
    add_shared,
    check_limit,
    corpus_here,
    options_of,
    spoken,
)
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.commands.steps import add_step_options, labelled_steps_of
from abalo.errors import AbaloError

if TYPE_CHECKING:
    from abalo.raters.variants import Asked, Item

_PER_RATER, _OVERLAP, _VARIANTS = 100, 0.2, 30


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "sheet",
        help="write sheets on which people rate adversarial sentences or variants",
        description="Writes a CSV file for each rater, and the key, which raters must not see. The sheets hold "
        "original and adversarial sentences of attacks, to be rated for grammar; or, with --perturbations, variants "
        "beside their originals, to be judged right, acceptable or wrong. All are blinded and shuffled.",
        epilog=example("abalo sheet --perturbations --corpus bundled:legal-pt --with accents --n 5 --out sheets"),
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder of the sheets and the key, such as sheets"
    )
    parser.add_argument("--raters", type=int, default=2, metavar="N", help="number of raters (default: %(default)s)")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="seed of the draw and of the order (default: %(default)s)"
    )
    attacks = parser.add_argument_group("adversarial sentences")
    attacks.add_argument(
        "logs",
        type=Path,
        nargs="*",
        metavar="LOG",
        help="logs of attacks, such as reports/attacks/context_attack.jsonl",
    )
    attacks.add_argument(
        "--per-rater",
        type=int,
        metavar="N",
        help=f"sentences of each kind that a rater gets, such as 50 (default: {_PER_RATER})",
    )
    attacks.add_argument(
        "--overlap",
        type=float,
        metavar="SHARE",
        help=f"share of the sentences that every rater gets (default: {_OVERLAP})",
    )
    variants = parser.add_argument_group("variants; every rater has all of them")
    variants.add_argument("--perturbations", action="store_true", help="write sheets with variants of perturbations")
    add_shared(variants, "corpus", "language", corpus="as [run] of thresholds.toml here says", language=FOUND)
    variants.add_argument("--n", type=int, metavar="N", help=f"variants of each perturbation (default: {_VARIANTS})")
    variants.add_argument(
        "--labels", action="store_true", help="also show the labels, those of entities in brackets, to be judged"
    )
    add_reading_options(variants)
    add_step_options(
        parser,
        "perturbations (default: all that need no model and fit corpus and language)",
        "; repeat for others",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Writes the sheets and their key."""
    if options.perturbations:
        return _of_variants(options)
    given = ("corpus", "language", "n", "labels", "steps", "limit", "scheme", "lenient")
    misplaced = [f"--{'with' if name == 'steps' else name}" for name in given if getattr(options, name)]
    if misplaced:
        raise AbaloError(f"{', '.join(misplaced)}: only for variants; add --perturbations")
    if not options.logs:
        raise AbaloError("abalo sheet: nothing to rate; give logs of attacks, or --perturbations --corpus CORPUS")
    from abalo.attacks.log import read
    from abalo.core import words
    from abalo.raters.forms import KEY
    from abalo.raters.sheets import deal, items_of, write

    per_rater = _PER_RATER if options.per_rater is None else options.per_rater
    overlap = _OVERLAP if options.overlap is None else options.overlap
    items = [item for log in options.logs for item in items_of(read(log)[1], f"{log}: result")]
    write(deal(items, options.raters, per_rater, overlap, options.seed), options.out)
    say(f"sheets for {words.count(options.raters, 'rater')} in {options.out}; keep {KEY} from them")
    return 0


def _of_variants(options: argparse.Namespace) -> int:
    from abalo.core import words
    from abalo.raters.forms import KEY
    from abalo.raters.variants import Asked, drawn, fitting, load, write
    from abalo.sources.resources import Resources

    if options.logs or options.per_rater is not None or options.overlap is not None:
        raise AbaloError("LOG, --per-rater, --overlap: for adversarial sentences; leave them out with --perturbations")
    check_limit(options.limit)
    import_conftest()
    options = corpus_here(options)
    corpus, task = load(options.corpus, options_of(options, bundled(CASES)))
    if options.labels and not (task.labelled == "whole" or corpus.entity_counts):
        raise AbaloError(f"--labels: {options.corpus} has no labels to show; leave it out")
    for notice in corpus.notices:
        say(notice, sys.stderr)
    language = spoken(options.language, corpus)
    resources = Resources(corpus, language=language)
    chosen = labelled_steps_of(options.steps, resources) if options.steps else fitting(task, resources)
    n = _VARIANTS if options.n is None else options.n
    asked = Asked(chosen, language, n, options.seed, options.labels)
    items = drawn(corpus, task, asked)
    write(options.corpus, asked, items, options.raters, options.out)
    say("\n".join(_described(asked, items)))
    say(f"sheets for {words.count(options.raters, 'rater')} in {options.out}; keep {KEY} from them")
    return 0


def _described(asked: Asked, items: Sequence[Item]) -> list[str]:
    from abalo.core import words

    counts = Counter(item.name for item in items)
    few = [f"{name}: {counts[name]} of {asked.n}" for name in asked.perturbations if 0 < counts[name] < asked.n]
    none = [name for name in asked.perturbations if not counts[name]]
    lines = [f"{words.count(len(items), 'variant')} of {words.count(len(counts), 'perturbation')}"]
    if few:
        lines.append(f"fewer variants than asked for, since nothing fits in more sentences: {', '.join(few)}")
    if none:
        lines.append(f"no variant, since nothing fits in any sentence: {', '.join(none)}")
    return lines
