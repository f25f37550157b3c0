"""``abalo scale``: a corpus of any size in shards, by one process or many, with the numbers of one run."""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.commands.here import import_conftest, thresholds_here
from abalo.commands.options import (
    Commands,
    add_check_options,
    add_model_options,
    add_shared,
    add_task_option,
    as_pytest_here,
    options_of,
    say_language,
    told_by,
    with_run,
)
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.core.parts import PART
from abalo.errors import AbaloError

if TYPE_CHECKING:
    from abalo.core.task import Task
    from abalo.scale.running import EngineOfShards

_OWN = ("corpus", "model", "label_map", "types", "join", "device", "dtype", "aggregation", "max_length", "stride")
_MORE = ("allow_pickle", "trust_remote_code", "model_version", "check_twice", "allow_random", "language", "scheme")
_REST = ("lenient", "mask_token")

_MOST = 1_000_000_000
"""The largest number that an option can have."""


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "scale",
        help="judge a model on a corpus of millions of sentences, in shards",
        description="Cuts a corpus (CoNLL, tables, JSON lines, Parquet) into shards, runs the perturbations and "
        "pipelines of the thresholds file on each, writes counts without text, and judges all shards as one run. To "
        "continue a run that was stopped, give the same command again. Cases that need the whole corpus at once, such "
        "as attacks, promises and slices, are left out, and the report lists them. The exit code is that of a run: 0; "
        "1 if a blocking bound fails; 10 if nothing was decided; 2 if a shard could not be run.",
        epilog=example("abalo scale --model ./checkpoint --corpus dev.conll --out scaled"),
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder of the shards and of the report, such as scaled"
    )
    parser.add_argument(
        "--engine",
        choices=("local", "ray"),
        default="local",
        help="run the shards in this process, or with Ray (default: %(default)s)",
    )
    parser.add_argument(
        "--actors", type=int, default=2, metavar="N", help="processes of engine ray (default: %(default)s)"
    )
    parser.add_argument(
        "--gpus-per-actor",
        type=float,
        default=0.0,
        metavar="F",
        help="GPUs of each process of engine ray, such as 0.5 (default: none)",
    )
    parser.add_argument(
        "--shard-size", type=int, default=PART, metavar="N", help="examples in each shard (default: %(default)s)"
    )
    parser.add_argument(
        "--retries", type=int, default=1, metavar="N", help="new tries for a shard that failed (default: %(default)s)"
    )
    add_shared(parser, "thresholds")
    parser.add_argument(
        "--case", action="append", metavar="NAME", help="run only this table or case, such as accents; repeatable"
    )
    parser.add_argument("--deep", action="store_true", help="also run deep cases, which take long")
    parser.add_argument(
        "--examples",
        type=int,
        default=0,
        metavar="N",
        help="keep the text of N wrong examples of each case, drawn at random (default: no text at all)",
    )
    parser.set_defaults(run=run)
    add_model_options(parser)
    add_check_options(parser)
    group = parser.add_argument_group("the corpus")
    add_task_option(group)
    group.add_argument(
        "--corpus",
        metavar="CORPUS",
        help="corpus file, such as dev.conll: columns such as CoNLL; tables (.tsv, .csv); JSON lines (.jsonl); Parquet "
        "(.parquet) (default: as [run] of the thresholds file says)",
    )
    add_shared(group, "scheme", "lenient", "language", "mask_token")


def run(options: argparse.Namespace, _command: str) -> int:
    """Runs the shards that are not done, judges all of them, and gives the exit code of the run."""
    from abalo.config.run_table import told
    from abalo.config.tasks import refuse_idle, task_called
    from abalo.config.thresholds import load
    from abalo.locking import FolderLock
    from abalo.reporting.conclusion import concluded
    from abalo.reporting.files import JSON_NAME, MARKDOWN_NAME, PAGE_NAME, check_reports
    from abalo.reporting.terminal import lines
    from abalo.scale.judging import judged
    from abalo.scale.ray_engine import left_of
    from abalo.scale.runner import is_done
    from abalo.scale.running import begun
    from abalo.scale.running import run as run_shards

    _check(options)
    import_conftest()
    options = as_pytest_here(options)
    thresholds = load((options.thresholds or thresholds_here(asked=True)).resolve(), options.language)
    options = with_run(options, thresholds)
    if options.corpus is None:
        raise AbaloError("--corpus: missing; name the corpus to judge on, here or in [run] of the thresholds file")
    task = _task_of(options.corpus) if options.task is None else task_called(options.task)
    given = {name: getattr(options, name) for name in (*_OWN, *_MORE, *_REST)}
    given |= {"no_text": not options.examples, "task": task.name}
    asked = options_of(argparse.Namespace(**given), thresholds.path)
    refuse_idle(asked, [task])
    _tell(f"abalo: {told(asked, [task])}")
    check_reports(options.out)
    with FolderLock(options.out):
        if left := left_of(options.out):
            numbers = " ".join(map(str, left))
            _tell(f"warning: a run that was killed has left processes of Ray; end them with: kill {numbers}")
        order = begun(
            options.out,
            task,
            asked,
            thresholds,
            options.shard_size,
            names=options.case,
            deep=options.deep,
            examples=options.examples,
        )
        manifest = order.manifest
        _tell(
            f"{manifest.source.examples:,} {task.noun}s in {len(manifest.parts):,} shards, {len(manifest.cases)} cases"
        )
        if told_by(thresholds) is None:
            say_language(manifest.language, manifest.source.name)
        if thresholds.gate.against:
            _tell(f"losses against {thresholds.gate.against} are not judged here: abalo rejudge does that")
        for name, reason in manifest.left_out.items():
            _tell(f"left out: {name}: {reason}")
        if not all(is_done(options.out, manifest, number) for number in range(len(manifest.parts))):
            for name in (JSON_NAME, MARKDOWN_NAME, PAGE_NAME):  # of shards that are no longer there
                (options.out / name).unlink(missing_ok=True)
        with _engine(options) as engine:
            run_shards(order, engine, retries=options.retries, tell=_tell)
        document = judged(options.out, manifest, options.out)
    for line, _ in lines(document):
        say(line)
    say(f"reports: {options.out / MARKDOWN_NAME}, .json, {PAGE_NAME}")
    return concluded(document).exit_code


def _task_of(corpus: str) -> Task:
    """The task that a corpus looks like; raises `AbaloError` for Parquet, which looks like none."""
    from abalo.config.tasks import task_of_corpus
    from abalo.corpora.stretches import is_parquet

    if is_parquet(Path(corpus)):
        raise AbaloError(f"--corpus {corpus}: is Parquet, which does not tell its task; say which with --task NAME")
    return task_of_corpus(corpus)


def _engine(options: argparse.Namespace) -> AbstractContextManager[EngineOfShards]:
    if options.engine == "ray":
        from abalo.scale.ray_engine import by_ray

        return by_ray(options.out, options.actors, options.gpus_per_actor, import_conftest)
    from abalo.scale.running import local

    return local()


def _tell(line: str) -> None:
    say(line)


def _check(options: argparse.Namespace) -> None:
    """Raises `AbaloError` for a number that is out of range."""
    for name, least in (("actors", 1), ("shard_size", 1), ("retries", 0), ("examples", 0)):
        value = getattr(options, name)
        if not least <= value <= _MOST:
            raise AbaloError(f"--{name.replace('_', '-')} {value}: expected a whole number from {least} to {_MOST:,}")
    if not 0 <= options.gpus_per_actor <= _MOST:
        raise AbaloError(f"--gpus-per-actor {options.gpus_per_actor}: expected a number from 0 to {_MOST:,}")
