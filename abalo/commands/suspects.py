"""``abalo suspects``: gold labels that all models contradict."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from abalo.bundled import CORPUS
from abalo.commands.here import import_conftest, thresholds_here
from abalo.commands.options import (
    ANOTHER_FILE,
    Commands,
    add_check_options,
    add_corpus_options,
    add_model_options,
    add_task_option,
    as_pytest_here,
    check_limit,
    check_out,
    options_of,
    say_language_of,
    with_run,
)
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.errors import AbaloError, visible
from abalo.files import write_text

_LEAST_MODELS = 2

_TOO_MANY = 0.5


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "suspects",
        help="list gold labels that all models contradict in the same way",
        description="Predicts a corpus with several models, such as trainings with other seeds, and lists the places "
        "where all models agree with each other and differ from the gold label: the gold label may be wrong. Each "
        "place is listed with the gold labels of the same words elsewhere. Missed and invented labels come last, "
        "since all models may lack the same knowledge. Let people check each place before you change the corpus.",
        epilog=example("abalo suspects --model ./seed-1,./seed-2 --corpus dev.conll"),
    )
    add_task_option(parser)
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="also write the suspects as JSON lines, such as to suspects.jsonl"
    )
    parser.set_defaults(run=run)
    add_model_options(parser, model="as [run] of the thresholds file says; two or more are needed")
    add_check_options(parser)
    add_corpus_options(parser)


def run(options: argparse.Namespace, _command: str) -> int:
    """Lists the suspects."""
    from abalo.config.options import trainings_of
    from abalo.config.tasks import tasks_asked_for
    from abalo.config.thresholds import load
    from abalo.core.records.words import count
    from abalo.raters.suspects import suspects
    from abalo.run.opened import Opened
    from abalo.run.spec import RunSpec

    check_limit(options.limit)
    import_conftest()
    options = as_pytest_here(options)
    thresholds = load(thresholds_here(asked=options.corpus is not None), options.language)
    options = with_run(options, thresholds)
    if options.out is not None:
        check_out(options.out, options.corpus or CORPUS)
    given = options_of(options, thresholds.path)
    task, *_ = tasks_asked_for(given, (), Path.cwd())
    opened = Opened(RunSpec(task, given, thresholds))
    specs = trainings_of(given)
    if specs[0] is None:
        raise AbaloError("--model: missing; name two or more, such as trainings with other seeds: --model A,B,C")
    if len(specs) < _LEAST_MODELS:
        raise AbaloError(f"--model {specs[0]}: one model; expected two or more, as --model A,B,C")
    if len({model.fingerprint for model in opened.models}) < len(specs):
        raise AbaloError(
            f"--model {','.join(map(str, specs))}: two are the same model, so they always agree; give different models"
        )
    say_language_of(opened)
    examples = tuple(opened.corpus.examples)
    if not any(task.stated(example) for example in examples):
        raise AbaloError(f"--corpus: {task.name} has no gold labels there to doubt; name a labelled corpus")
    found = suspects(task, examples, [engine.predictor.clean() for engine in opened.engines])
    found.sort(key=lambda each: each.found.kind in ("missed", "invented"))
    if options.out is not None:
        lines = [json.dumps(each.to_json(), ensure_ascii=False) for each in found]
        write_text(options.out, "".join(f"{line}\n" for line in lines), ANOTHER_FILE)
    for each in found:
        head, context = each.lines()
        say(f"{visible(head)}\n    {visible(context)}")
    stated = sum(len(task.stated(each)) for each in examples)
    kinds = Counter(each.found.kind for each in found)
    listed = ", ".join(f"{times:,} {kind}" for kind, times in kinds.most_common())
    say(
        f"{count(len(found), 'place')} where all {len(specs)} models contradict gold alike"
        f"{f' ({listed})' * bool(found)}, of {stated:,} labels"
    )
    if len(found) > _TOO_MANY * stated:
        say("So many are not annotation errors: models and corpus do not match. Check the types and the language.")
    return 0
