"""``abalo perturb``: a corpus of variants."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.bundled import CASES, bundled_path
from abalo.commands.here import import_conftest
from abalo.commands.options import (
    FOUND,
    Commands,
    add_shared,
    add_task_option,
    check_language,
    check_limit,
    check_out,
    corpus_here,
    language_of_run,
    options_of,
)
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.commands.steps import add_step_options, change_of
from abalo.core.records.words import count
from abalo.errors import AbaloError
from perturbations.perturbation import LANGUAGE
from perturbations.resources import LEAST_IN_POOL
from perturbations.scripts import script_of

if TYPE_CHECKING:
    from abalo.augmentation.variants import Made

OUT = (
    "file to write, such as out.jsonl: .jsonl; .conll for entities, .conllu for words and trees, .tsv or .csv for "
    "texts, pairs"
)

_LOOKED_AT = 100


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "perturb",
        help="write variants of a labelled corpus",
        description="Writes a variant of every example that the perturbation can change, with the labels that are "
        "right after the change and a record of the edits. If --with is repeated, each perturbation edits the result "
        "of the previous one. The same seed gives the same text, here and under pytest.",
        epilog=example("abalo perturb bundled:legal-pt --with accents --limit 100 --out variants.conll"),
    )
    parser.add_argument(
        "corpus",
        nargs="?",
        metavar="CORPUS",
        help="corpus of any task: a file such as dev.conll, bundled:NAME, or hub:DATASET:SPLIT[:N] (default: as [run] "
        "of thresholds.toml here says)",
    )
    add_step_options(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=OUT)
    add_task_option(parser)
    parser.add_argument(
        "--seeds",
        default="1",
        help="seeds of the random draws, such as 1,2,4; each makes a variant of each example (default: %(default)s)",
    )
    add_shared(parser, "language", language=FOUND)
    parser.add_argument("--keep-originals", action="store_true", help="also write the originals, before their variants")
    parser.add_argument("--plain", action="store_true", help="write texts and labels only, without ids and comments")
    add_shared(parser, "limit")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Writes the corpus and prints its size."""
    from abalo.augmentation.variants import Steps, check_name, link_variants, make
    from abalo.config.tasks import corpus_named
    from abalo.core.records.configuring import seeds_of
    from abalo.core.records.gate import UNDETERMINED
    from abalo.sources.resources import Resources

    check_limit(options.limit)
    if options.language is not None:
        check_language(options.language)
    seeds = seeds_of("--seeds", options.seeds)
    import_conftest()
    options = corpus_here(options, "CORPUS")
    check_out(options.out, options.corpus)
    task, corpus = corpus_named(options.corpus, options_of(options, bundled_path(CASES)))
    check_name(options.out, task)
    for notice in corpus.notices:
        say(notice, sys.stderr)
    sentences = [example.whole for example in corpus.examples]
    told = options.language or (UNDETERMINED if task.rewordings.lists else None)  # lists know the language themselves
    resources = Resources(corpus, language=language_of_run(told, corpus))
    change = change_of(options.steps or (), task, resources)
    script = script_of(sentence.text for sentence in sentences[:_LOOKED_AT])
    for step in change.steps if isinstance(change, Steps) else ():
        if scarce := resources.scarce(step):
            say(f"{step.name}: {_short_of(scarce, step.params['otherwise'].name)}", sys.stderr)
        if doubt := step.experimental(step.params.get(LANGUAGE, resources.language), script):
            say(doubt, sys.stderr)
    found = make(corpus.examples, task, change, seeds)
    if not found.variants:
        raise AbaloError(
            f"{options.corpus}: {_count_unchanged(found, count(len(sentences), task.noun))}{_of_script(script)}, so "
            f"{options.out} is not written; choose "
            f"another perturbation, rate or corpus{', or --param at_least=1' if found.missed else ''}"
        )
    pairs = [(change, variant) for variant in found.variants]
    examples, notes = link_variants(corpus.examples, pairs, keep_originals=options.keep_originals)
    task.writers[options.out.suffix.lower()](corpus, examples, options.out, () if options.plain else notes)
    say(_describe(found, count(len(sentences), task.noun), options))
    return 0


def _short_of(types: Mapping[str, int], otherwise: str) -> str:
    few = [kind for kind, strings in types.items() if strings < LEAST_IN_POOL]
    told = [f"fewer than {LEAST_IN_POOL} strings to draw from for {', '.join(few)}"] if few else []
    told += [
        f"none of {strings} strings of {kind} fits another place"
        for kind, strings in types.items()
        if strings >= LEAST_IN_POOL
    ]
    return f"{'; '.join(told)}; names of {otherwise} stand in, where it has some"


def _describe(found: Made, examples: str, options: argparse.Namespace) -> str:
    kept = f" and {count(found.size, 'original')}" if options.keep_originals else ""
    left_out = []
    if found.missed or found.untouched:
        left_out.append(_count_unchanged(found, examples))
    if found.repeated:
        left_out.append(f"{count(found.repeated, 'variant')} left out because another seed made the same")
    if found.unknown:
        left_out.append(_count_unlabelled(found))
    return "; ".join([f"{count(len(found.variants), 'variant')}{kept} in {options.out}", *left_out])


def _of_script(script: str) -> str:
    return "" if script in ("", "LATIN") else f", whose letters are {script.title()}"


def _count_unchanged(found: Made, examples: str) -> str:
    missed = [f"{found.missed:,} not drawn"] if found.missed else []
    untouched = [f"no place for a change in {found.untouched:,}"] if found.untouched else []
    unknown = [_count_unlabelled(found)] if found.unknown and not found.variants else []
    return f"{', '.join([*missed, *untouched, *unknown])} of {examples}"


def _count_unlabelled(found: Made) -> str:
    return f"{count(found.unknown, 'variant')} left out because the labels are not known"
