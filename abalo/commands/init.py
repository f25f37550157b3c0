"""``abalo init``: write a thresholds file that names model and corpus."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from abalo.bundled import CASES, bundled_path
from abalo.commands.here import import_conftest
from abalo.commands.options import (
    ANOTHER_FILE,
    RUN_HERE,
    Commands,
    add_model_options,
    add_shared,
    add_task_option,
    check_limit,
    check_out,
    for_run_table,
    options_of,
)
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.errors import AbaloError, visible
from abalo.files import read_text, write_text

if TYPE_CHECKING:
    from abalo.commands.proposing import Proposal
    from abalo.config.run_table import RunTable
    from abalo.core.protocols.task import Task

_FILE = Path("thresholds.toml")


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "init",
        help="write a thresholds file that names model and corpus, so that runs need no options",
        description="Reads the corpus, lets the model predict the first sentences, and writes model, corpus, task "
        "and, if their labels differ, a label map to [run] of a thresholds file. Other options that change results "
        "are written too. The rest of the file stays as it is.",
        epilog=example("abalo init --model ./checkpoint --corpus dev.conll"),
    )
    add_shared(parser, "corpus", corpus="none; it must be given")
    add_task_option(parser)
    parser.add_argument(
        "--out", type=Path, default=_FILE, metavar="FILE", help="thresholds file to write (default: %(default)s)"
    )
    parser.add_argument("--force", action="store_true", help="overwrite other values in [run] of the file")
    parser.set_defaults(run=run)
    add_model_options(parser, "Options given here are written to [run] of the file.", model="none; it must be given")
    add_shared(parser.add_argument_group("how the corpus is read"), "limit")


def run(options: argparse.Namespace, _command: str) -> int:
    """Writes the file; prints what was found and the next command."""
    from abalo.commands.proposing import proposal
    from abalo.config.run_table import RunTable
    from abalo.config.tasks import tasks_asked_for
    from abalo.config.thresholds import load

    for name in ("model", "corpus"):
        if not getattr(options, name):
            raise AbaloError(f"--{name}: missing; name the {name} of the runs, as --abalo-{name} does")
    check_limit(options.limit)
    check_out(options.out, options.corpus)
    import_conftest()
    known = load(options.out).run if options.out.exists() else RunTable()
    kept = {} if options.force else {name: known.values.get(name) for name in ("label_map", "types")}
    given = argparse.Namespace(
        **{**vars(options), **{name: getattr(options, name) or value for name, value in kept.items()}}
    )
    asked = options_of(given, bundled_path(CASES))
    tasks = tasks_asked_for(asked, (), Path.cwd())
    (task,) = tasks
    values, alone = for_run_table(options, tasks, options.out.parent)
    if not options.force:
        _refuse_others(values, known, options.out)
    found = proposal(task, asked)
    if found.label_map:
        values["label_map"] = _table(found.label_map)
    if found.types is not None:
        values["types"] = ",".join(found.types)
    write_text(options.out, _write_values(options.out, values, found), ANOTHER_FILE)
    for line in _say_findings(options, task, found, alone):
        say(line)
    return 0


def _refuse_others(values: Mapping[str, object], known: RunTable, out: Path) -> None:
    from abalo.config.run_table import means

    others = [
        f"{name} = {known.values[name]!r}"
        for name, value in values.items()
        if name in known.values and means(name, value, out.parent) != known.values[name]
    ]
    if others:
        raise AbaloError(f"{out} [run]: says {', '.join(others)} already; change it there, or overwrite with --force")


def _table(renaming: Mapping[str, str]) -> object:
    import tomlkit

    table = tomlkit.inline_table()
    table.update(renaming)
    return table


def _write_values(out: Path, values: Mapping[str, object], found: Proposal) -> str:
    import tomlkit

    from abalo.config.run_table import RUN
    from abalo.core.protocols.task import tasks

    text = read_text(out, "utf-8-sig") if out.exists() else ""
    document: Any = tomlkit.parse(text)
    if RUN not in document:
        document[RUN] = tomlkit.table()
    table = document[RUN]
    for name, value in values.items():
        if table.get(name) != value:
            table[name] = value
    for line in found.left:
        if visible(line) not in text:
            table.add(tomlkit.comment(visible(line)))
    begins = "" if "extends" in document or not tasks().keys().isdisjoint(document) else 'extends = "default"\n\n'
    return begins + tomlkit.dumps(document)


def _say_findings(options: argparse.Namespace, task: Task, found: Proposal, alone: Sequence[str]) -> list[str]:
    lines = [f"abalo: model {visible(options.model)} · corpus {visible(options.corpus)} · task {task.name}", found.seen]
    if found.label_map:
        lines.append(f"label map: {', '.join(f'{own} = {kind}' for own, kind in found.label_map.items())}")
    lines += [f"to do: {line}" if "label_map" in line else line for line in found.left]
    named = [] if options.out.resolve() == _FILE.resolve() else ["--abalo-thresholds", str(options.out)]
    lines.append(f"{options.out} written; next: {shlex.join([*RUN_HERE, *named, *alone])}")
    return [line for line in lines if line]
