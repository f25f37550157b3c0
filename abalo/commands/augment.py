"""``abalo augment``: training data aimed at the weaknesses in a report."""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from pathlib import Path

from abalo.bundled import CASES, bundled_path
from abalo.commands.here import import_conftest
from abalo.commands.options import (
    Commands,
    add_shared,
    add_task_option,
    check_limit,
    check_out,
    options_of,
)
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.commands.perturb import OUT
from abalo.errors import AbaloError, visible


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "augment",
        help="write training data aimed at the weaknesses that a report found",
        description="Reads the report of a run, and writes the training data together with variants made by the "
        "perturbations that cost the model most. Perturbations that failed or were inconclusive and lowered the "
        "score come first, then those with a significant drop; both are sorted by the low end of the interval. A "
        "perturbation with a larger drop makes more variants.",
        epilog=example("abalo augment train.conll --report reports/robustness.json --out augmented.conll"),
    )
    parser.add_argument(
        "corpus", metavar="TRAIN", help="training data, such as train.conll: any corpus that abalo perturb reads"
    )
    parser.add_argument(
        "--report",
        type=Path,
        default=Path("reports/robustness.json"),
        metavar="FILE",
        help="report of the run that found the weaknesses (default: %(default)s)",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=OUT)
    add_task_option(parser, "task of TRAIN")
    parser.add_argument(
        "--share",
        type=_fraction,
        default="0.3",
        help="largest share of variants in the written data, 0 to 1 (default: %(default)s)",
    )
    parser.add_argument(
        "--most", type=int, default=8, metavar="N", help="use at most N perturbations (default: %(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="seed of the random draws (default: %(default)s)"
    )
    parser.add_argument("--plain", action="store_true", help="write texts and labels only, without ids and comments")
    add_shared(parser, "limit")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Writes the training data; prints the weaknesses chosen."""
    from abalo.augmentation.variants import check_name, link_variants
    from abalo.augmentation.weaknesses import (
        aim_variants,
        describe_weakness,
        language_of,
        shares,
        weaknesses,
    )
    from abalo.config.tasks import corpus_named
    from abalo.core.records.words import count
    from abalo.reporting.runs.finished import read_document, whole
    from abalo.sources.resources import Resources

    _check(options)
    import_conftest()
    document = read_document(options.report)
    check_out(options.out, options.corpus)
    task, corpus = corpus_named(options.corpus, options_of(options, bundled_path(CASES)))
    check_name(options.out, task)
    for notice in corpus.notices:
        say(notice, sys.stderr)
    examples = corpus.examples
    with whole(options.report):
        found = weaknesses(document, options.most, task, Resources(corpus, language=language_of(document)))
    if not document.complete:
        say(f"{options.report}: the run did not finish, so weaknesses may be missing", sys.stderr)
    for line in found.left_out:
        say(f"left out: {visible(line)}", sys.stderr)
    if not found.taken:
        raise AbaloError(
            f"{options.report}: no case of {task.name} has a significant cost, so {options.out} is not written"
        )
    aims = list(
        aim_variants(examples, task, found.taken, shares(len(examples), found.taken, options.share), options.seed)
    )
    variants = [(each.weakness.change, variant) for each in aims for variant in each.variants]
    if not variants:
        raise AbaloError(
            f"--share {float(options.share):g} of {count(len(examples), task.noun)} leaves no room for a variant, "
            f"or no {task.noun} can be changed, so {options.out} is not written; choose a larger share or another "
            "corpus"
        )
    written, notes = link_variants(examples, variants, keep_originals=True)
    task.writers[options.out.suffix.lower()](corpus, written, options.out, () if options.plain else notes)
    for each in aims:
        say(visible(describe_weakness(each)))
    share = 100 * len(variants) / len(written)
    say(f"{count(len(examples), task.noun)} and {count(len(variants), 'variant')} ({share:.1f} %) in {options.out}")
    return 0


def _fraction(text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number above 0 and below 1") from None


def _check(options: argparse.Namespace) -> None:
    if not 0 < options.share < 1:
        raise AbaloError(f"--share {float(options.share):g}: expected a number above 0 and below 1")
    if options.most < 1:
        raise AbaloError(f"--most {options.most}: expected a whole number from 1")
    check_limit(options.limit)
