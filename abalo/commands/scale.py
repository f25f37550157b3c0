"""``abalo scale``: judge a corpus of any size in chunks, with the numbers of one run."""

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
    language_told,
    options_of,
    say_language,
    with_run,
)
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.core.protocols.corpus_spec import source_in
from abalo.core.protocols.options import PART
from abalo.errors import AbaloError

if TYPE_CHECKING:
    from abalo.core.protocols.task import Task
    from abalo.scale.running import EngineOfChunks

_OWN = ("corpus", "model", "label_map", "types", "join", "device", "dtype", "aggregation", "max_length", "stride")
_MORE = ("allow_pickle", "trust_remote_code", "model_version", "language", "mask_token", "markers")

_MOST = 1_000_000_000


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "scale",
        help="judge a model on a corpus of millions of sentences, in chunks",
        description="Cuts a corpus (CoNLL, tables, JSON lines, Parquet) into chunks, runs the perturbations and "
        "pipelines of the thresholds file on each, writes counts without text, and judges all chunks as one run. To "
        "continue a run that was stopped, give the same command again. Cases that need the whole corpus at once, such "
        "as attacks, invariances and slices, are left out, and the report lists them. Exits as a run does: with 0; "
        "1 if a blocking bound fails; 10 if nothing was decided; 2 if a chunk could not be run.",
        epilog=example("abalo scale --model ./checkpoint --corpus dev.conll --out scaled"),
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder of the chunks and of the report, such as scaled"
    )
    parser.add_argument(
        "--engine",
        choices=("local", "ray"),
        default="local",
        help="run the chunks in this process, or with Ray (default: %(default)s)",
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
        "--chunk-size", type=int, default=PART, metavar="N", help="examples in each chunk (default: %(default)s)"
    )
    parser.add_argument(
        "--retries", type=int, default=1, metavar="N", help="new tries for a chunk that failed (default: %(default)s)"
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
    add_shared(group, "language", "mask_token")


def run(options: argparse.Namespace, _command: str) -> int:
    """Runs unfinished chunks, judges all, and returns the exit code."""
    from abalo.config.run_table import run_line
    from abalo.config.tasks import refuse_idle, task_called
    from abalo.config.thresholds import load
    from abalo.locking import FolderLock
    from abalo.reporting.documents.conclusion import conclude
    from abalo.reporting.formats.files import JSON_NAME, check_reports
    from abalo.reporting.formats.report_format import MARKDOWN_NAME, PAGE_NAME
    from abalo.reporting.formats.terminal import lines
    from abalo.scale.chunk import is_done
    from abalo.scale.judging import judge_run
    from abalo.scale.ray_engine import leftover_processes
    from abalo.scale.running import begin
    from abalo.scale.running import run as run_chunks

    _check(options)
    import_conftest()
    options = as_pytest_here(options)
    thresholds = load((options.thresholds or thresholds_here(asked=True)).resolve(), options.language)
    options = with_run(options, thresholds)
    if options.corpus is None:
        raise AbaloError("--corpus: missing; name the corpus to judge on, here or in [run] of the thresholds file")
    task = _task_of(options.corpus) if options.task is None else task_called(options.task)
    given = {name: getattr(options, name) for name in (*_OWN, *_MORE)}
    given |= {"no_text": not options.examples, "task": task.name}
    asked = options_of(argparse.Namespace(**given), thresholds.path)
    refuse_idle(asked, [task])
    _tell(f"abalo: {run_line(asked, [task])}")
    check_reports(options.out)
    with FolderLock(options.out):
        if left := leftover_processes(options.out):
            numbers = " ".join(map(str, left))
            _tell(f"warning: a run that was killed has left processes of Ray; end them with: kill {numbers}")
        order = begin(
            options.out,
            task,
            asked,
            thresholds,
            options.chunk_size,
            names=options.case,
            deep=options.deep,
            examples=options.examples,
        )
        manifest = order.manifest
        _tell(
            f"{manifest.source.examples:,} {task.noun}s in {len(manifest.parts):,} chunks, {len(manifest.cases)} cases"
        )
        if language_told(thresholds) is None:
            say_language(manifest.language, manifest.source.name)
        if thresholds.gate.against:
            _tell(f"losses against {thresholds.gate.against} are not judged here: abalo rejudge does that")
        for name, reason in manifest.left_out.items():
            _tell(f"left out: {name}: {reason}")
        if not all(is_done(options.out, manifest, number) for number in range(len(manifest.parts))):
            for name in (JSON_NAME, MARKDOWN_NAME, PAGE_NAME):  # of chunks that are no longer there
                (options.out / name).unlink(missing_ok=True)
        with _engine(options) as engine:
            run_chunks(order, engine, retries=options.retries, tell=_tell)
        document = judge_run(options.out, manifest, options.out)
    for line, _ in lines(document):
        say(line)
    say(f"reports: {options.out / MARKDOWN_NAME}, .json, {PAGE_NAME}")
    return conclude(document).exit_code


def _task_of(corpus: str) -> Task:
    from abalo.config.tasks import task_of_corpus
    from abalo.corpora.chunks import is_parquet

    if is_parquet(Path(source_in(corpus))):
        raise AbaloError(f"--corpus {corpus}: is Parquet, which does not tell its task; say which with --task NAME")
    return task_of_corpus(corpus)


def _engine(options: argparse.Namespace) -> AbstractContextManager[EngineOfChunks]:
    if options.engine == "ray":
        from abalo.scale.ray_engine import by_ray

        return by_ray(options.out, options.actors, options.gpus_per_actor, import_conftest)
    from abalo.scale.running import local

    return local()


def _tell(line: str) -> None:
    say(line)


def _check(options: argparse.Namespace) -> None:
    for name, least in (("actors", 1), ("chunk_size", 1), ("retries", 0), ("examples", 0)):
        value = getattr(options, name)
        if not least <= value <= _MOST:
            raise AbaloError(f"--{name.replace('_', '-')} {value}: expected a whole number from {least} to {_MOST:,}")
    if not 0 <= options.gpus_per_actor <= _MOST:
        raise AbaloError(f"--gpus-per-actor {options.gpus_per_actor}: expected a number from 0 to {_MOST:,}")
