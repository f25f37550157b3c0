"""``abalo perturb``: a corpus of variants."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.commands.here import import_conftest
from abalo.commands.options import (
    Commands,
    add_reading_options,
    check_language,
    check_limit,
    check_out,
    corpus_here,
    spoken,
)
from abalo.commands.output import say
from abalo.commands.steps import add_step_options, steps_of
from abalo.errors import AbaloError
from perturbations.perturbation import LANGUAGE
from perturbations.resources import LEAST_IN_POOL
from perturbations.scripts import script_of

if TYPE_CHECKING:
    from abalo.augmentation.variants import Made
    from perturbations import Sentence

_LOOKED_AT = 100
"""Sentences that tell the script of a corpus."""


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "perturb",
        help="write variants of a labelled corpus",
        description="Writes a variant of each sentence in which something fits, with its labels, and what was done "
        "to which sentence. Several --with make a pipeline: each acts on what the one before it made. The same "
        "seed gives the same text, here and under pytest.",
    )
    parser.add_argument(
        "corpus",
        nargs="?",
        metavar="CORPUS",
        help="CoNLL or JSON file, bundled:NAME, or hub:DATASET:SPLIT[:N] (default: as [run] of thresholds.toml says)",
    )
    add_step_options(parser)
    parser.add_argument("--out", type=Path, required=True, help="file to write: .jsonl, or .conll for columns")
    parser.add_argument("--seeds", default="1", help="a variant of each sentence for each (default: %(default)s)")
    parser.add_argument("--language", help="of the corpus, such as en (default: found by its words)")
    parser.add_argument("--keep-originals", action="store_true", help="write originals too, before their variants")
    parser.add_argument("--plain", action="store_true", help="tokens and labels alone: no ids, no comments")
    add_reading_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Writes the corpus and says how many sentences it is about."""
    from abalo.augmentation.variants import check_name, linked, made, write
    from abalo.core.configuring import seeds_of
    from abalo.corpora import load
    from abalo.sources.resources import Resources

    check_limit(options.limit)
    if options.language is not None:
        check_language(options.language)
    check_name(options.out)
    seeds = seeds_of("--seeds", options.seeds)
    import_conftest()
    options = corpus_here(options, "CORPUS")
    check_out(options.out, options.corpus)
    corpus = load(options.corpus, limit=options.limit, lenient=options.lenient, scheme=options.scheme)
    for notice in corpus.notices:
        say(notice, sys.stderr)
    resources = Resources(corpus, language=spoken(options.language, corpus))
    steps = steps_of(options.steps or (), resources)
    script = script_of(sentence.text for sentence in corpus.sentences[:_LOOKED_AT])
    for step in steps:
        if scarce := resources.scarce(step):
            say(f"{step.name}: {_short_of(scarce, step.params['otherwise'].name)}", sys.stderr)
        if doubt := step.experimental(step.params.get(LANGUAGE, resources.language), script):
            say(doubt, sys.stderr)
    found = made(corpus, steps, seeds)
    if not found.variants:
        raise AbaloError(
            f"{options.corpus}: {_unchanged(found, len(corpus.sentences))}{_of_script(corpus.sentences)}, so "
            f"{options.out} is not written; choose "
            f"another perturbation, rate or corpus{', or --param at_least=1' if found.missed else ''}"
        )
    written, notes = linked(corpus, found.variants, keep_originals=options.keep_originals)
    write(written, options.out, () if options.plain else notes)
    say(_described(found, len(corpus.sentences), options))
    return 0


def _short_of(types: Mapping[str, int], otherwise: str) -> str:
    """The types for which nothing is drawn from a corpus, why, and what is drawn instead, in words."""
    few = [kind for kind, strings in types.items() if strings < LEAST_IN_POOL]
    told = [f"fewer than {LEAST_IN_POOL} strings to draw from for {', '.join(few)}"] if few else []
    told += [
        f"none of {strings} strings of {kind} fits another place"
        for kind, strings in types.items()
        if strings >= LEAST_IN_POOL
    ]
    return f"{'; '.join(told)}; names of {otherwise} stand in, where it has some"


def _described(found: Made, sentences: int, options: argparse.Namespace) -> str:
    from abalo.core.words import count

    kept = f" and {count(sentences, 'original')}" if options.keep_originals else ""
    left_out = []
    if found.missed or found.untouched:
        left_out.append(_unchanged(found, sentences))
    if found.repeated:
        left_out.append(f"{count(found.repeated, 'variant')} left out as another seed made the same")
    return "; ".join([f"{count(len(found.variants), 'variant')}{kept} in {options.out}", *left_out])


def _of_script(sentences: Sequence[Sentence]) -> str:
    """The script of most letters, as a part of a message; empty for Latin."""
    name = script_of(sentence.text for sentence in sentences[:_LOOKED_AT])
    return "" if name in ("", "LATIN") else f", whose letters are {name.title()}"


def _unchanged(found: Made, sentences: int) -> str:
    """How many sentences have no variant, by reason."""
    missed = [f"{found.missed:,} not hit by chance"] if found.missed else []
    untouched = [f"nothing fits in {found.untouched:,}"] if found.untouched else []
    return f"{', '.join([*missed, *untouched])} of {sentences:,} sentences"
