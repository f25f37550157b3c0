"""``abalo augment``: training data aimed at the weaknesses in a report."""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from pathlib import Path

from abalo.bundled import CASES, bundled
from abalo.commands.here import import_conftest
from abalo.commands.options import (
    Commands,
    add_reading_options,
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
    """Adds the command and its options."""
    parser = commands.add_parser(
        "augment",
        help="write training data aimed at the weaknesses that a report found",
        description="Reads the report of a run, and writes the training data together with variants made by the "
        "perturbations that cost the model most. Perturbations that failed or were inconclusive and cost anything "
        "come first, then those whose whole interval is above 0, each sorted by the low end of the interval. The "
        "larger the drop, the more variants a perturbation makes.",
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
    add_reading_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Writes the training data, and prints which weaknesses were taken and why."""
    from abalo.augmentation.variants import check_name, linked
    from abalo.augmentation.weaknesses import aimed, described, language_of, read_report, shares, weaknesses
    from abalo.config.tasks import corpus_named
    from abalo.core.words import count
    from abalo.reporting.finished import whole
    from abalo.sources.resources import Resources

    _check(options)
    import_conftest()
    document = read_report(options.report)
    check_out(options.out, options.corpus)
    task, corpus = corpus_named(options.corpus, options_of(options, bundled(CASES)))
    check_name(options.out, task)
    for notice in corpus.notices:
        say(notice, sys.stderr)
    examples = corpus.examples
    with whole(options.report):
        found = weaknesses(document, options.most, task, Resources(corpus, language=language_of(document)))
    if not document["complete"]:
        say(f"{options.report}: the run did not finish, so weaknesses may be missing", sys.stderr)
    for line in found.left_out:
        say(f"left out: {visible(line)}", sys.stderr)
    if not found.taken:
        raise AbaloError(
            f"{options.report}: no case of {task.name} costs anything beyond doubt, so {options.out} is not written"
        )
    aims = list(aimed(examples, task, found.taken, shares(len(examples), found.taken, options.share), options.seed))
    variants = [(each.weakness.change, variant) for each in aims for variant in each.variants]
    if not variants:
        raise AbaloError(
            f"--share {float(options.share):g} of {count(len(examples), task.noun)} leaves no room for a variant, or "
            f"nothing fits, so {options.out} is not written; choose a larger share or another corpus"
        )
    written, notes = linked(examples, variants, keep_originals=True)
    task.writers[options.out.suffix.lower()](corpus, written, options.out, () if options.plain else notes)
    for each in aims:
        say(visible(described(each)))
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
