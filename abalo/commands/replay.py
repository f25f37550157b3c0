"""``abalo replay``: try failures from attacks again."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from abalo.bundled import CASES, bundled_path
from abalo.commands.here import import_conftest, thresholds_here
from abalo.commands.options import Commands, add_model_options, as_pytest_here, options_of, with_run
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.errors import AbaloError

if TYPE_CHECKING:
    from abalo.attacks.record import AttackRecord
    from abalo.attacks.regressions import Replay
    from abalo.core.protocols.task import Task


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "replay",
        help="try the failures that an attack found again",
        description="Repeats the edits in a regression corpus, or in the log of an attack, and says for each whether "
        "the model is still broken. The exit code is 1 if anything is still broken.",
        epilog=example("abalo replay regressions.jsonl --model ./checkpoint"),
    )
    parser.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="failures that pytest saved with --abalo-save-failures, or reports/attacks/NAME.jsonl",
    )
    parser.add_argument(
        "--number", type=int, metavar="N", help="replay only failure N of the file, from 1 (default: all)"
    )
    parser.add_argument(
        "--task",
        metavar="NAME",
        help="replay only failures of this task, such as ner; needed with --model if the file has several tasks",
    )
    parser.set_defaults(run=run)
    add_model_options(parser)


def run(options: argparse.Namespace, _command: str) -> int:
    """Prints each failure's state; returns 1 unless all are fixed."""
    from abalo.attacks.regressions import load, replay_record, task_of
    from abalo.config.thresholds import load as load_thresholds

    import_conftest()
    options = as_pytest_here(options)
    options = with_run(options, load_thresholds(thresholds_here(asked=options.model is not None)))
    records = list(enumerate(load(options.file), start=1))
    if options.task is not None:
        records = [(number, record) for number, record in records if task_of(record).name == options.task]
    if not records:
        of = "" if options.task is None else f" of the task {options.task}"
        raise AbaloError(f"{options.file}: contains no failure{of}")
    if options.number is not None:
        last = records[-1][0]
        records = [(number, record) for number, record in records if number == options.number]
        if not records:
            raise AbaloError(f"--number {options.number}: expected a number from 1 to {last}")
    by_task: dict[Task, list[tuple[int, Any]]] = {}
    for number, record in records:
        by_task.setdefault(task_of(record), []).append((number, record))
    if options.model is not None and len(by_task) > 1:
        names = ", ".join(task.name for task in by_task)
        raise AbaloError(f"{options.file}: contains failures of {names}; name the task of the model with --task NAME")
    found: dict[int, Replay] = {}
    for task, own in by_task.items():
        predict = _predict(task, [record for _, record in own], options)
        found |= {number: replay_record(record, predict) for number, record in own}
    for number, each in sorted(found.items()):
        say(f"{number}. {each.explanation}")
    return int(any(each.status != "fixed" for each in found.values()))


def _predict(
    task: Task, records: Sequence[AttackRecord], options: argparse.Namespace
) -> Callable[[Sequence[object]], Sequence[object]]:
    from abalo.attacks.log import example_of
    from abalo.core.protocols.predictor import distinct_inputs
    from abalo.corpora.types import parse_types

    golds = [example_of(record)[0].gold or () for record in records]
    said = [labels for each in records for labels in (each.labels.clean, each.labels.attacked)]
    counts = Counter(label for labels in (*golds, *said) for label in labels)
    recorded = SimpleNamespace(
        sentences=(),
        pairs=(),
        inputs=(),
        golds=(),
        judged=None if options.types is None else parse_types(options.types),
        label_counts=dict(sorted(counts.items())),
        several=any(len(gold) > 1 for gold in golds),
    )
    predictor = task.predictor(task.load(options.model, options_of(options, bundled_path(CASES)), recorded), recorded)

    def predict(inputs: Sequence[object]) -> Sequence[object]:
        keys = [predictor.key(each) for each in inputs]
        found = predictor.run(distinct_inputs(keys, inputs))
        return [found[key] for key in keys]

    return predict
