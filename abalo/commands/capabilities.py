"""``abalo capabilities``: check templates by their fillings, start a file, or draft one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.bundled import CASES, LEADING, bundled_path
from abalo.commands.here import import_conftest, thresholds_here
from abalo.commands.options import (
    ANOTHER_FILE,
    Commands,
    add_shared,
    add_task_option,
    as_pytest_here,
    check_limit,
    check_out,
    corpus_here,
    options_of,
    say_language_of,
    task_and_language_here,
    with_run,
)
from abalo.commands.output import say
from abalo.commands.parsing import example
from abalo.core.records.gate import SEVERAL, UNDETERMINED
from abalo.errors import AbaloError, visible
from abalo.files import write_text

if TYPE_CHECKING:
    from abalo.capabilities.drawing import Drawn
    from abalo.core.protocols.probe import Case
    from abalo.core.protocols.task import Task
    from abalo.run.opened import Opened


_USUAL = "en"


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "capabilities",
        help="show, start or propose templates that test what a model must be able to do",
        description="Capabilities are templates with labels, in capabilities.toml beside thresholds.toml.",
        epilog=example("abalo capabilities init --types PER,LOC --language en"),
    )
    parts = parser.add_subparsers(required=True, metavar="show|init|suggest")
    _add_show(parts)
    _add_init(parts)
    _add_suggest(parts)


def _add_show(parts: Commands) -> None:
    parser = parts.add_parser(
        "show",
        help="print fillings of every template",
        description="Prints how many fillings each template has, and some of those that a run would draw. The model is "
        "not asked. Read them before you trust a verdict: a mistake in a template is in every filling.",
        epilog=example("abalo capabilities show bundled:ner-en --each 2"),
    )
    parser.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="file with capabilities, such as capabilities.toml or thresholds.toml, or bundled:NAME",
    )
    parser.add_argument(
        "--each", type=int, default=5, metavar="N", help="fillings to print of each template (default: %(default)s)"
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="seed of the draw, as in [gate] seeds of the thresholds file (default: %(default)s)",
    )
    add_shared(parser, "corpus", corpus="as [run] of the thresholds file says, else the corpus that the task ships")
    add_shared(parser, "language")
    add_shared(parser, "limit")
    parser.set_defaults(run=show)


def _add_init(parts: Commands) -> None:
    parser = parts.add_parser(
        "init",
        help="write a first file of capabilities",
        description="Writes a file with a capability of each kind for the labels of your corpus. Edit it.",
        epilog=example("abalo capabilities init --types PER,LOC --language en"),
    )
    add_task_option(parser, "task of the corpus that [run] of thresholds.toml here names, else ner")
    add_shared(parser, "language", language="found in the corpus that [run] of thresholds.toml here names, else en")
    parser.add_argument(
        "--types",
        metavar="TYPES",
        help="labels to write templates for, such as PER,LOC (default: usual labels of the task)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("capabilities.toml"),
        metavar="FILE",
        help="file to write (default: %(default)s)",
    )
    parser.set_defaults(run=init)


def _add_suggest(parts: Commands) -> None:
    parser = parts.add_parser(
        "suggest",
        help="propose templates from the commonest contexts of a corpus",
        description="Writes a draft: for each label the words around it that are commonest in the corpus, as "
        "templates. Read it and keep what makes sense.",
        epilog=example("abalo capabilities suggest --corpus bundled:legal-pt"),
    )
    add_shared(parser, "corpus", corpus="as [run] of thresholds.toml here says")
    add_task_option(parser)
    parser.add_argument(
        "--most", type=int, default=5, metavar="N", help="templates to write for each label (default: %(default)s)"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("capabilities-draft.toml"),
        metavar="FILE",
        help="file to write (default: %(default)s)",
    )
    add_shared(parser, "limit")
    parser.set_defaults(run=suggest)


# show -----------------------------------------------------------------------------------------------------------------


def show(options: argparse.Namespace, _command: str) -> int:
    """Prints fillings of every capability in the file."""
    from abalo.config.thresholds import SHIPPED, suite_path
    from abalo.core.statistics.passing import CAPABILITY

    if options.each < 1:
        raise AbaloError(f"--each {options.each}: expected a whole number from 1")
    check_limit(options.limit)
    import_conftest()
    path = options.file
    if str(path).startswith(SHIPPED):
        path = suite_path(str(path), Path("here"))
        if path is None:
            raise AbaloError(f"{options.file}: no such suite ships")
    if not path.exists():
        raise AbaloError(f"{path}: no such file; abalo capabilities init writes one")
    cases = [each for each in _cases(path) if each.name == CAPABILITY]
    if not cases:
        raise AbaloError(f"{path}: holds no capability; begin with [[ner.capability]]")
    by_task: dict[str, list[Case]] = {}
    for case in cases:
        by_task.setdefault(case.task, []).append(case)
    for name, own in by_task.items():
        for line in _show_fillings(name, own, options):
            say(line)
    return 0


def _cases(path: Path) -> Sequence[Case]:
    from abalo.config.thresholds import is_suite, load, load_suite
    from abalo.core.records.gate import Gate

    return load_suite(path, Gate()) if is_suite(path) else load(path).cases


def _show_fillings(name: str, cases: list[Case], options: argparse.Namespace) -> Iterator[str]:
    from abalo.capabilities.capability import Capability
    from abalo.capabilities.drawing import draw_strata
    from abalo.capabilities.fillers import Means
    from abalo.core.records.words import count
    from abalo.sources.resources import Resources

    opened = _opened(name, options)
    corpus, resources = opened.corpus, Resources(opened.corpus, language=opened.language)
    say_language_of(opened)
    for case in cases:
        plan = case.plan
        assert isinstance(plan, Capability)
        means = Means.of(plan.language or opened.language, resources.called, plan.folder)
        try:
            strata = draw_strata(plan, opened.task, corpus, corpus.examples, means, options.seed)
        except AbaloError as error:  # the others can be read all the same
            yield f"{case.id}: cannot be filled: {error}"
            continue
        exist, run = sum(each.exist for each in strata), sum(len(each.drawn) for each in strata)
        yield f"{case.id}: {plan.kind}, {count(exist, 'filling')}, {'all' if run == exist else f'{run:,}'} run"
        for stratum in strata:
            yield f"  {stratum.name}: {visible(stratum.written)}   ({len(stratum.drawn):,} of {stratum.exist:,} run)"
            for each in _some(stratum.drawn, options.each, options.seed):
                yield from _lines(each, opened.task)


def _opened(name: str, options: argparse.Namespace) -> Opened:
    from abalo.config.run_table import KEYS
    from abalo.config.tasks import task_called, task_of_corpus
    from abalo.config.thresholds import is_suite, load
    from abalo.run.opened import Opened
    from abalo.run.spec import RunSpec

    unasked = dict.fromkeys({*KEYS} - {"model", "model_args"})
    given = as_pytest_here(argparse.Namespace(**{**unasked, **vars(options)}))
    bounds = options.file if options.file.is_file() and not is_suite(options.file) else None
    thresholds = load(bounds or thresholds_here(asked=options.corpus is not None), given.language)
    found = with_run(given, thresholds)
    if options.corpus is None and found.corpus is not None:
        of_run = task_called(found.task) if found.task else task_of_corpus(found.corpus)
        found = found if of_run.name == name else argparse.Namespace(**{**unasked, **vars(options)})
    found.task = name
    return Opened(RunSpec(task_called(name), options_of(found, thresholds.path), thresholds))


def _some(drawn: Sequence[Drawn], most: int, seed: int) -> list[Drawn]:
    from perturbations.streams import sample, stream

    return [drawn[k] for k in sorted(sample(stream(seed, "show"), range(len(drawn)), most))]


def _lines(each: Drawn, task: Task) -> Iterator[str]:
    yield f"    {visible(task.templates.said(each.before.example))}"
    if each.after is not None:
        yield f"      → {visible(task.templates.said(each.after.example))}"


# init and suggest -----------------------------------------------------------------------------------------------------


def init(options: argparse.Namespace, _command: str) -> int:
    """Writes a starter file."""
    from abalo.capabilities.starting import starting_file
    from abalo.config.tasks import task_called

    import_conftest()
    named, found = (None, None) if options.task and options.language else task_and_language_here()
    task = task_called(options.task) if options.task else named or task_called(LEADING)
    language = options.language or found
    if language in (None, UNDETERMINED, SEVERAL):
        language = _USUAL
        say(f"The templates are in {_USUAL}; --language CODE for another language", sys.stderr)
    if not task.templates.fields:
        raise AbaloError(f"--task {task.name}: has no templates")
    types = [each.strip() for each in (options.types or "").split(",") if each.strip()]
    _refuse_existing(options.out)
    write_text(options.out, starting_file(task.name, list(task.templates.fields), language, types), ANOTHER_FILE)
    say(f"{options.out} written; next: abalo capabilities show {options.out}")
    return 0


def suggest(options: argparse.Namespace, _command: str) -> int:
    """Writes a draft."""
    from abalo.api import Session
    from abalo.capabilities.suggesting import draft
    from abalo.config.options import make_options
    from abalo.config.tasks import tasks_asked_for
    from abalo.core.records.words import count

    if options.most < 1:
        raise AbaloError(f"--most {options.most}: expected a whole number from 1")
    check_limit(options.limit)
    import_conftest()
    options = corpus_here(options)
    check_out(options.out, options.corpus)
    _refuse_existing(options.out)
    asked = make_options(thresholds=bundled_path(CASES), corpus=options.corpus, task=options.task)
    task, *_ = tasks_asked_for(asked, (), Path.cwd())
    corpus = Session(task, corpus=options.corpus, limit=options.limit).corpus
    sentences = getattr(corpus, "sentences", None)
    if sentences is None:
        raise AbaloError(f"--corpus {options.corpus}: {task.name} has no labels with words around them")
    text = draft(task.name, sentences, visible(options.corpus), options.most)
    write_text(options.out, text, ANOTHER_FILE)
    say(f"{count(text.count('[['), 'capability', 'capabilities')} in {options.out}; read and edit the file")
    return 0


def _refuse_existing(out: Path) -> None:
    if out.exists():
        raise AbaloError(f"--out {out}: already exists; {ANOTHER_FILE}, or remove it")
