"""``abalo sheet``: rating sheets for people."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.bundled import CASES, bundled_path
from abalo.commands.here import import_conftest
from abalo.commands.options import (
    FOUND,
    Commands,
    add_shared,
    add_task_option,
    check_limit,
    corpus_here,
    language_of_run,
    options_of,
)
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.commands.steps import add_step_options, labelled_steps_of
from abalo.errors import AbaloError

if TYPE_CHECKING:
    from abalo.raters.variants import SheetVariant, VariantDraw

_PER_RATER, _OVERLAP, _VARIANTS = 100, 0.2, 30


def add(commands: Commands) -> None:
    """Adds the command."""
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
        "--labels",
        action="store_true",
        help="also show the labels to be judged: those of entities and mentions in brackets, segmented words with "
        "spaces between, trees behind the text",
    )
    add_shared(variants, "limit")
    add_task_option(variants)
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
    given = ("corpus", "language", "n", "labels", "steps", "limit", "task")
    misplaced = [f"--{'with' if name == 'steps' else name}" for name in given if getattr(options, name)]
    if misplaced:
        raise AbaloError(f"{', '.join(misplaced)}: only for variants; add --perturbations")
    if not options.logs:
        raise AbaloError("abalo sheet: nothing to rate; give logs of attacks, or --perturbations --corpus CORPUS")
    from abalo.attacks.log import read
    from abalo.core.records import words
    from abalo.raters.forms import KEY
    from abalo.raters.sheets import deal, items_of, write

    per_rater = _PER_RATER if options.per_rater is None else options.per_rater
    overlap = _OVERLAP if options.overlap is None else options.overlap
    items = [item for log in options.logs for item in items_of(read(log)[1], f"{log}: result")]
    write(deal(items, options.raters, per_rater, overlap, options.seed), options.out)
    say(f"sheets for {words.count(options.raters, 'rater')} in {options.out}; keep {KEY} from them")
    return 0


def _of_variants(options: argparse.Namespace) -> int:
    from abalo.core.records import words
    from abalo.raters.forms import KEY
    from abalo.raters.variants import VariantDraw, draw_variants, fitting, load, write
    from abalo.sources.resources import Resources
    from perturbations.documents import is_document

    if options.logs or options.per_rater is not None or options.overlap is not None:
        raise AbaloError("LOG, --per-rater, --overlap: for adversarial sentences; leave them out with --perturbations")
    check_limit(options.limit)
    import_conftest()
    options = corpus_here(options)
    corpus, task = load(options.corpus, options_of(options, bundled_path(CASES)))
    segmented = any(each.policy == "bmes" or is_document(each) for each in corpus.sentences[:1])
    if options.labels and not (task.labelled in ("whole", "arcs", "texts") or corpus.entity_counts or segmented):
        raise AbaloError(f"--labels: {options.corpus} has no labels to show; leave it out")
    for notice in corpus.notices:
        say(notice, sys.stderr)
    language = language_of_run(options.language, corpus)
    resources = Resources(corpus, language=language)
    chosen = labelled_steps_of(options.steps, resources) if options.steps else fitting(task, resources)
    n = _VARIANTS if options.n is None else options.n
    asked = VariantDraw(chosen, language, n, options.seed, options.labels)
    items = draw_variants(corpus, task, asked)
    write(options.corpus, asked, items, options.raters, options.out)
    say("\n".join(_describe_items(asked, items)))
    say(f"sheets for {words.count(options.raters, 'rater')} in {options.out}; keep {KEY} from them")
    return 0


def _describe_items(asked: VariantDraw, items: Sequence[SheetVariant]) -> list[str]:
    from abalo.core.records import words

    counts = Counter(item.name for item in items)
    few = [f"{name}: {counts[name]} of {asked.n}" for name in asked.perturbations if 0 < counts[name] < asked.n]
    none = [name for name in asked.perturbations if not counts[name]]
    lines = [f"{words.count(len(items), 'variant')} of {words.count(len(counts), 'perturbation')}"]
    if few:
        lines.append(f"fewer variants than asked for, because no other sentence can be changed: {', '.join(few)}")
    if none:
        lines.append(f"no variant, because no sentence can be changed: {', '.join(none)}")
    return lines
