"""``abalo capabilities``: templates checked by reading what they make, begun for a task, or proposed by a corpus."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from abalo.commands.here import import_conftest
from abalo.commands.options import Commands, add_reading_options, check_limit
from abalo.errors import AbaloError, visible

if TYPE_CHECKING:
    from abalo.capabilities.drawing import Drawn
    from abalo.core.case import Case
    from abalo.core.task import Task


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "capabilities",
        help="read the templates that test what a model must be able to do",
        description="Capabilities are templates with labels, in capabilities.toml beside thresholds.toml.",
    )
    parts = parser.add_subparsers(required=True, metavar="show")
    _add_show(parts)


def _add_show(parts: Commands) -> None:
    parser = parts.add_parser(
        "show",
        help="print fillings of every template, to be read",
        description="Prints how many fillings each template has, and some of those that a run would draw. The model is "
        "not asked. Read them before you trust a verdict: what a template has wrong, every filling has.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a file with capabilities, or bundled:NAME")
    parser.add_argument(
        "--each", type=int, default=5, metavar="N", help="fillings of a template (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the draw, as in [gate] seeds (default: %(default)s)")
    parser.add_argument("--corpus", help="for pools of entities and sentences of a corpus (default: the bundled one)")
    parser.add_argument("--language", help="of the templates that do not say theirs (default: that of the corpus)")
    add_reading_options(parser)
    parser.set_defaults(run=show)


# show -----------------------------------------------------------------------------------------------------------------


def show(options: argparse.Namespace, _command: str) -> int:
    """Prints fillings of every capability in the file."""
    from abalo.config.thresholds import SHIPPED, load_suite, suite_path
    from abalo.core.gate import Gate

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
    cases = load_suite(path, Gate())
    if not cases:
        raise AbaloError(f"{path}: holds no capability; begin with [[ner.capability]]")
    by_task: dict[str, list[Case]] = {}
    for case in cases:
        by_task.setdefault(case.task, []).append(case)
    for name, own in by_task.items():
        for line in _shown(name, own, options):
            print(line)
    return 0


def _shown(name: str, cases: list[Case], options: argparse.Namespace) -> Iterator[str]:
    """What a run would draw of each capability of a task."""
    from abalo.api import Session
    from abalo.capabilities.capability import Capability
    from abalo.capabilities.drawing import drawn
    from abalo.capabilities.fillers import Means
    from abalo.core.words import count
    from abalo.sources.resources import Resources
    from perturbations.resources import Pool, Suggesting

    given = {key: getattr(options, key) for key in ("scheme", "lenient", "language")}
    session = Session(name, corpus=options.corpus, limit=options.limit, **given)
    corpus, resources = session.corpus, Resources(session.corpus, language=session.language)
    for case in cases:
        plan = case.plan
        assert isinstance(plan, Capability)
        means = Means(
            plan.language or session.language,
            lambda spec: resources.called(spec, Pool),
            lambda spec: resources.called(spec, Suggesting),
            plan.folder,
        )
        try:
            strata = drawn(plan, session.task, corpus, corpus.examples, means, options.seed)
        except AbaloError as error:  # the others can be read all the same
            yield f"{case.id}: cannot be filled: {error}"
            continue
        exist, run = sum(each.exist for each in strata), sum(len(each.drawn) for each in strata)
        yield f"{case.id}: {plan.kind}, {count(exist, 'filling')}, {'all' if run == exist else f'{run:,}'} run"
        for stratum in strata:
            yield f"  {stratum.name}: {visible(stratum.written)}   ({len(stratum.drawn):,} of {stratum.exist:,} run)"
            for each in _some(stratum.drawn, options.each, options.seed):
                yield from _lines(each, session.task)


def _some(drawn: Sequence[Drawn], most: int, seed: int) -> list[Drawn]:
    """At most so many of the fillings, in their order."""
    from perturbations.streams import sample, stream

    return [drawn[k] for k in sorted(sample(stream(seed, "show"), range(len(drawn)), most))]


def _lines(each: Drawn, task: Task) -> Iterator[str]:
    yield f"    {visible(task.said(each.before.example))}"
    if each.after is not None:
        yield f"      → {visible(task.said(each.after.example))}"
