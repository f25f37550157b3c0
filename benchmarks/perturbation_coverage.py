"""The shares of real sentences in which a perturbation fits, and which it changes as shipped cases set it.

    python -m benchmarks.perturbation_coverage [DATA]            # writes the table; then: python -m docs.made
    python -m benchmarks.perturbation_coverage [DATA] --check    # says which rows differ, and exits with 1 if some do

DATA holds the corpora of `CORPORA`; by default it is the folder that ABALO_TEST_DATA names, or ../shared/data. Of each
corpus the distinct ones among the first 1,000 examples count; questions about one passage are distinct. A perturbation
*fits* if any variant of the sentence can be made and its labels are known, and *changes* a sentence if it does so for
one of the seeds 1, 2 and 4. Its settings are those of the shipped cases of the task, one row for each, or its defaults
where the task has no such case.
"""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from abalo.bundled import CASES, bundled_path
from abalo.config.options import make_options
from abalo.config.thresholds import load as load_cases
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import Task, tasks
from abalo.core.records.example import Example
from abalo.corpora import Corpus
from abalo.probes.perturbation import PerturbationPlan
from abalo.raters.variants import load
from abalo.sources.resources import Resources, missing_parameters, why_unfit
from benchmarks.arguments import Parser
from docs.measured import COVERAGE, COVERAGE_COLUMNS
from perturbations import Perturbation, members
from perturbations.perturbation import AT_LEAST


class Measured(NamedTuple):
    """A corpus that is measured: its file, the task that reads it, and its language.

    ``own`` says that only perturbations count that no other task takes: the others are measured elsewhere.
    """

    file: str
    task: str
    language: str
    own: bool = False


CORPORA = (
    Measured("lener-br/dev.conll", "ner", "pt"),
    Measured("wnut17/dev.conll", "ner", "en"),
    Measured("msra/dev.conll", "ner", "zh"),
    Measured("ud/pt_gsd-dev.conllu", "pos", "pt"),
    Measured("ud/en_ewt-dev.conllu", "pos", "en"),
    Measured("ud/zh_gsdsimp-dev.conllu", "pos", "zh"),
    Measured("ud/fr_sequoia-dev.conllu", "pos", "fr"),
    Measured("sst2/dev.tsv", "classification", "en"),
    Measured("bundled:sentiment-pt", "classification", "pt"),
    Measured("absa/laptop_train.json", "aspects", "en"),
    Measured("sick/dev.tsv", "pairs", "en"),
    Measured("msrp/dev.tsv", "pairs", "en"),
    Measured("assin2/dev.xml", "pairs", "pt"),
    Measured("reading/xquad-en.json", "reading", "en", own=True),
    Measured("reading/faquad-train.json", "reading", "pt", own=True),
    Measured("ud/en_ewt-dev.conllu", "parsing", "en", own=True),
    Measured("ud/fr_sequoia-dev.conllu", "parsing", "fr", own=True),
    Measured("ud/pt_gsd-dev.conllu", "parsing", "pt", own=True),
    Measured("ud/zh_gsdsimp-dev.conllu", "segmentation", "zh", own=True),
    Measured("bundled:relations-en", "relations", "en", own=True),
    Measured("bundled:relations-pt", "relations", "pt", own=True),
    Measured("translation/tatoeba-pt-en.tsv", "translation", "pt", own=True),
    Measured("bundled:coreference-en", "coreference", "en", own=True),
    Measured("bundled:coreference-pt", "coreference", "pt", own=True),
)
"""One corpus at least for each task and language that a perturbation serves.

They are real ones but for Portuguese opinions, for relations, since sentences of SemEval-2010 task 8 have no names, and
for coreference, since sentences of other documents need several, and published files hold one each.
"""

LIMIT = 1000
SEEDS = (1, 2, 4)
FOLDER = Path(os.environ.get("ABALO_TEST_DATA") or Path(__file__).parents[2] / "shared" / "data")


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("DATA", "--out", "OUT/coverage.tsv", "--limit", "2", "--tasks", "aspects"))
    parser.add_argument("data", type=Path, nargs="?", default=FOLDER, help="folder with the corpora (%(default)s)")
    parser.add_argument("--out", type=Path, default=COVERAGE, help="table (%(default)s)")
    parser.add_argument("--limit", type=int, default=LIMIT, help="sentences of each corpus (%(default)s)")
    parser.add_argument("--tasks", nargs="+", help="tasks whose corpora are counted; default: all")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a row differs")
    return parser


def main(given: Sequence[str] | None = None) -> int:
    """Counts, then writes or compares; returns the exit status."""
    asked = parser()
    arguments = asked.parse_args(given)
    if not arguments.check and arguments.out == COVERAGE and (arguments.tasks or arguments.limit != LIMIT):
        asked.error(f"a part of the counts would replace {COVERAGE.name}: name another file with --out")
    corpora = [each for each in CORPORA if arguments.tasks is None or each.task in arguments.tasks]
    rows = counted(arguments.data, corpora, limit=arguments.limit)
    if arguments.check:
        different = differing(rows)
        for line in different:
            print(line, file=sys.stderr)
        print(f"{len(different)} of {len(rows)} rows of {COVERAGE.name} differ")
        return int(bool(different))
    with arguments.out.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, "excel-tab", lineterminator="\n").writerows([COVERAGE_COLUMNS, *rows])
    print(f"{len(rows)} rows written to {arguments.out}; now: python -m docs.made")
    return 0


def counted(data: Path, corpora: Sequence[Measured] = CORPORA, limit: int = LIMIT) -> list[list[str]]:
    """The rows of the table, sorted."""
    return sorted(
        [name, each.task, each.language, each.file, *map(str, counts)]
        for each in corpora
        for name, *counts in _counted(data, each, limit)
    )


def differing(rows: Sequence[Sequence[str]], corpora: Sequence[Measured] = CORPORA) -> list[str]:
    """The differences of the table for these corpora: one line for each row that is missing, different or too much."""
    files = {(each.task, each.file) for each in corpora}
    with COVERAGE.open(encoding="utf-8", newline="") as file:
        head, *kept = csv.reader(file, "excel-tab")
    if head != COVERAGE_COLUMNS:
        return [f"columns {head}; expected {COVERAGE_COLUMNS}"]
    there = {tuple(row[:4]): row[4:] for row in kept if (row[1], row[3]) in files}
    now = {tuple(row[:4]): list(row[4:]) for row in rows}
    return [
        f"{' '.join(key)}: {there.get(key, 'no row')}; measured {now.get(key, 'no row')}"
        for key in sorted({*there, *now})
        if there.get(key) != now.get(key)
    ]


def _counted(data: Path, each: Measured, limit: int) -> Iterator[tuple[str, int, int, int]]:
    """For each perturbation the number of sentences, of those in which it fits, and of those that it changes."""
    read = each.task == "reading"  # answers of FaQuAD stand at other places than it says; they may be taken away
    options = make_options(thresholds=bundled_path(CASES), task=each.task, language=each.language, limit=limit)
    spec = each.file if each.file.startswith("bundled:") else str(data / each.file) + "?no_answer&lenient" * read
    corpus, task = load(spec, options)
    examples = _distinct(corpus)
    key = attrgetter("id" if task.noun == "question" else "cluster")
    for name, perturbation in _as_shipped(task, corpus, each):
        hitting = perturbation.configured(**{AT_LEAST: 1})
        fits = {key(example) for example in examples if _is_changed(example, task, hitting, SEEDS[:1])}
        fitting = [example for example in examples if key(example) in fits]
        missing = perturbation.may_miss
        changed = {key(each) for each in fitting if not missing or _is_changed(each, task, perturbation, SEEDS)}
        yield name, len({key(example) for example in examples}), len(fits), len(changed)


def _distinct(corpus: Corpus) -> list[Example]:
    """The examples, those that differ in nothing once."""
    return list({example.id: example for example in corpus.examples}.values())


def _as_shipped(task: Task, corpus: Corpus, each: Measured) -> Iterator[tuple[str, Perturbation]]:
    """The perturbations that need no model and fit, under a name that tells settings, as shipped cases have them."""
    resources = Resources(corpus, language=each.language)
    others = [other for other in tasks().values() if other is not task] if each.own else []
    for name, member in members().items():
        if member.cost != "text" or not task.accepts(member) or not _is_ours(member):
            continue
        if any(other.accepts(member) for other in others):
            continue
        for params in _settings(task.name, name) or [{}]:
            if why_unfit(member, params, each.language) is None and not list(missing_parameters(member, params)):
                told = " ".join([name, *(f"{key}={value}" for key, value in params.items())])
                yield told, resources.configured(member, params)


def _is_ours(member: Perturbation) -> bool:
    return member.function.__module__.startswith("perturbations.families.")


def _settings(task: str, name: str) -> list[Mapping[str, Any]]:
    """The parameters of the shipped cases of a perturbation, each once."""
    found = [
        dict(case.plan.params)
        for case in _shipped()
        if case.task == task and isinstance(case.plan, PerturbationPlan) and case.plan.perturbation.name == name
    ]
    return [params for k, params in enumerate(found) if params not in found[:k]]


@cache
def _shipped() -> tuple[Case, ...]:
    return load_cases(bundled_path(CASES)).cases


def _is_changed(example: Example, task: Task, perturbation: Perturbation, seeds: Sequence[int]) -> bool:
    """Whether one of the seeds gives a variant of which the labels are known."""
    chosen = task.fields.chosen(example, task.fields.usual(perturbation))
    for seed in seeds:
        drawn = {name: perturbation.sample(example.fields[name], seed=seed) for name in chosen}
        edits = {name: made for name, made in drawn.items() if made is not None}
        if edits and task.carry(example, edits) is not None:
            return True
    return False


if __name__ == "__main__":
    sys.exit(main())
