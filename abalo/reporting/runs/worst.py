"""The wrong sentences of a run by case, for ``abalo show``."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from abalo.comparison.blocks.comparison import regressed_cases
from abalo.comparison.blocks.newly_broken import captioned, of_reference
from abalo.config.thresholds import Thresholds
from abalo.core.documents.blocks import Block, Examples, Item, Text, with_one_legend
from abalo.core.documents.found import Result, WorstExample, WrongUnit, certain
from abalo.core.protocols.probe import baseline_of
from abalo.core.protocols.results import cases, group_in_words, is_floor, needing_attention, probe_of, task_of, weight
from abalo.core.protocols.task import Task, tasks
from abalo.core.records import words
from abalo.core.records.json_records import read
from abalo.core.statistics.plan import BASELINE
from abalo.errors import AbaloError, visible
from abalo.files import read_text
from abalo.reporting.documents.examples import NONE_THERE, parse_lines
from abalo.reporting.documents.finding import lead
from abalo.reporting.formats.files import EXAMPLES_NAME
from abalo.reporting.runs.finished import Run, whole
from abalo.reporting.runs.reference import Reference, Unit, newly_worse, other_gold
from perturbations.suggestions import did_you_mean

_LENGTH = 700

_OTHERS = 6
"""How many other cases are named."""


@dataclass(frozen=True, slots=True)
class WorstQuery:
    """A selection of sentences, at most ``most`` per case.

    Attributes:
        cases: Ids, with or without the task. If empty: all cases, given ``newly_broken`` or ``sentence``; else the
            failed
            or regressed cases; else the case that lost most.
        group: Type that must be wrong.
        sentence: Id, or its beginning.
    """

    cases: tuple[str, ...] = ()
    group: str | None = None
    sentence: str | None = None
    newly_broken: bool = False
    most: int = 10


Against = tuple[Reference, Thresholds]
"""A reference, and the compared cases."""


def show_worst(run: Run, asked: WorstQuery, against: Against | None = None) -> list[Block]:
    """Shows each case's sentences, worst first; newly broken ones are worse than in ``against``, else as reported.

    Raises `AbaloError` if a case, type or sentence is unknown, or records are damaged.
    """
    results = _chosen_results(run, asked)
    if asked.group is not None:
        asked = replace(asked, group=_group(asked.group, results))
    records = _records(run)
    if records is None:
        return [Text((f"No sentence is at hand: {NONE_THERE}.",))]
    sentence = None if asked.sentence is None else _sentence(asked.sentence, run, results)
    found: list[Block] = []
    for result in results:
        own = [each for each in records.get(result.id, ()) if sentence in (None, each.sentence_id)]
        own, worse = _inside(own, run, result), dict[Unit, float]()
        if asked.newly_broken:
            try:
                worse = _newly_broken(result, run, against)
            except AbaloError as error:
                if asked.cases or (against is None and not run.document.comparison):
                    raise
                found.append(Text((str(error),), role="notice"))
                continue
            by_unit = {record.unit: record for record in own}
            own = [by_unit[unit] for unit in worse if unit in by_unit]
        if asked.group is not None:
            with whole(run.path.parent / EXAMPLES_NAME):
                own = [each for each in own if asked.group in task_of(result).report.concerned(each)]
        wrong = {each.sentence_id for each in records.get(f"{result.task}/{BASELINE}", ())}
        found += _part(own, result, run, asked, _Newly(worse, wrong))
    nothing = "No sentence is worse than in the reference." if asked.newly_broken else "No sentence is wrong."
    nothing = nothing if run.document.results else "No case of the run has a result."
    chosen = () if asked.cases or asked.newly_broken or sentence is not None else results
    shown = [*with_one_legend(found)] or [Text((nothing,))]
    left = _left_out(run) if asked.newly_broken and against is None else ()
    return [*_why(chosen, run), *shown, *left, *_others(chosen, run)]


def _why(chosen: Sequence[Result], run: Run) -> Iterator[Text]:
    """Says why one case was chosen, if none failed or regressed."""
    every = cases(run.document)
    if chosen == _lost_most(every) and len(every) > 1 and chosen[0].verdict != "fail":
        yield Text((f"{chosen[0].id} is shown because it lost most of {len(every):,} cases.",))


def _others(chosen: Sequence[Result], run: Run) -> Iterator[Text]:
    left = [each.id for each in cases(run.document) if each not in chosen]
    if chosen and left:
        command = shlex.join(["abalo", "show", str(run.path.parent)])
        more = f" and {len(left) - _OTHERS:,} more" if left[_OTHERS:] else ""
        said = f"{', '.join(left[:_OTHERS])}{more}"
        yield Text((f"{words.count(len(left), 'other case')}: {command} CASE, with {said} as CASE",))


def _chosen_results(run: Run, asked: WorstQuery) -> list[Result]:
    every = cases(run.document)
    if asked.cases:
        return [each for name in asked.cases for each in _results_named(name, every)]
    if asked.newly_broken or asked.sentence is not None:
        return every
    lost = regressed_cases(run.document)
    failed = [each for each in needing_attention(run.document) if each.verdict == "fail"]
    failed += [each for each in every if each.id in lost and each not in failed]
    return failed or _lost_most(every) or every[:1]


def _lost_most(every: Sequence[Result]) -> list[Result]:
    return sorted((each for each in every if not is_floor(each)), key=weight)[-1:]


def _results_named(name: str, every: Sequence[Result]) -> list[Result]:
    for fits in (
        lambda case: case == name,
        lambda case: case.partition("/")[2] == name,
        lambda case: name in (case.partition("[")[0], case.partition("[")[0].partition("/")[2]),
    ):
        found = [each for each in every if fits(each.id)]
        if found:
            return found
    known = [each.id for each in every]
    near = did_you_mean(name, [*known, *(case.partition("/")[2] for case in known)])
    raise AbaloError(f"{name}: the run has no such case{near}; it has {', '.join(map(visible, known))}")


def _group(asked: str, results: Sequence[Result]) -> str:
    """The group with this id, or this name on pages."""
    known = sorted({each for result in results for each in result.per_type})
    named = {group_in_words(result, each): each for result in results for each in result.per_type}
    if asked not in known and asked not in named:
        there = f"{did_you_mean(asked, known)}; there are {', '.join(map(visible, known)) or 'none'}"
        raise AbaloError(f"--type {asked}: not in the cases shown{there}")
    return asked if asked in known else named[asked]


def _sentence(asked: str, run: Run, results: Sequence[Result]) -> str:
    known = {str(each) for result in results for each in run.evidence[result.id].ids}
    found = [asked] if asked in known else sorted(each for each in known if each.startswith(asked))
    if len(found) != 1:
        reason = f"fits {len(found)} sentences; give more of the id" if found else "no sentence of these cases has it"
        raise AbaloError(f"--sentence {asked}: {reason}")
    return found[0]


def _records(run: Run) -> Mapping[str, Sequence[WrongUnit]] | None:
    path = run.path.parent / EXAMPLES_NAME
    if not path.exists():
        return None
    try:
        lines = read_text(path).split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise AbaloError(f"{path}: cannot be read: {error}; run the gate again") from error
    return parse_lines(lines, path).records


def _inside(records: Sequence[WrongUnit], run: Run, result: Result) -> list[WrongUnit]:
    own = run.evidence[result.id].only(run.evidence[result.id].outside)
    outside = set(zip(own.ids.tolist(), own.seeds.tolist(), own.places.tolist(), strict=True))
    return [each for each in records if each.unit not in outside]


def _newly_broken(result: Result, run: Run, against: Against | None) -> dict[Unit, float]:
    """The worse units with their differences, the largest first."""
    task = task_of(result)
    if against is None:
        return _units_told(result, run)
    reference, thresholds = against
    known = {case.id: case for case in (baseline_of(task), *thresholds.cases)}
    if result.id not in known:
        raise AbaloError(f"{result.id}: {thresholds.path.name} does not have it; name its file with --thresholds")
    facts, theirs = run.document.tasks[task.name], reference.run.document.tasks.get(task.name)
    if theirs is None or (reason := other_gold(facts, theirs)):
        raise AbaloError(f"{result.id}: {reason if theirs else f'{reference.name} did not judge {task.name}'}")
    return newly_worse(known[result.id], task, run, reference)


def _units_told(result: Result, run: Run) -> dict[Unit, float]:
    compared = run.document.comparison
    if compared is None:
        raise AbaloError("--newly-broken: the run was judged against no reference; name one with --against FOLDER")
    own = compared.tasks.get(result.task)
    units = () if own is None else own.newly_worse
    return {(each.sentence_id, each.seed, each.place): each.worse for each in units if each.case == result.id}


@dataclass(frozen=True, slots=True)
class _Newly:
    """The units that are worse than in the reference, and the examples that are wrong without a change."""

    worse: Mapping[Unit, float]
    wrong: Set[str]


def _left_out(run: Run) -> Iterator[Text]:
    """Says how many examples the report leaves out."""
    for name, own in certain(run.document.comparison).tasks.items():
        shown = len({each.sentence_id for each in own.newly_worse})
        if own.worse is not None and shown < own.worse:
            counted = f"{shown} of {own.worse:,} {tasks()[name].noun}s that got worse"
            yield Text((f"{counted}; for all, add --against FOLDER, the folder of the reference",))


def _part(records: Sequence[WrongUnit], result: Result, run: Run, asked: WorstQuery, newly: _Newly) -> Iterator[Block]:
    task = task_of(result)
    with whole(run.path.parent / EXAMPLES_NAME):
        every = [read(WorstExample, each) for each in task.report.as_examples(records, result)]
        wrong = [each for each in records if asked.sentence is not None or each.predicted != each.gold]
        examples, plain = _distinct(every, records, asked), () if every else wrong
        causes = _other_causes(records, task) if probe_of(result).perturbs else {}
        if asked.sentence is None and not asked.newly_broken:
            changed = [each for each in plain if each.edits or each.place or not causes]
            plain = _distinct_units([each for each in changed if each.unit not in causes] or changed)
        plain = sorted(plain, key=lambda each: each.unit in causes)
        lines = [Item(_line(each, task, causes.get(each.unit, "")), each.sentence_id) for each in plain[: asked.most]]
        shown = task.report.sentences(replace(result, examples=examples[: asked.most]), run.document)
    total = len(examples) or len(plain)
    if not total and not asked.cases and (asked.newly_broken or asked.sentence is not None):
        return
    yield lead(result, run.document)
    if not total:
        yield Text((_none(asked, result),))
    elif examples:
        by_example = {(each.sentence_id, each.seed): each for each in records}
        answered = [
            of_reference(worse, by_example[each.sentence_id, each.seed], wrong_before=each.sentence_id in newly.wrong)
            for each, worse in zip(examples, _by_example(newly.worse, examples), strict=False)
        ]
        for block in shown:
            yield _shown(block, answered, asked) if isinstance(block, Examples) else block
    else:
        yield Text(tuple(lines), role="list")
    if total > asked.most:
        yield Text((f"{total - asked.most:,} more: --most {total}",))


def _other_causes(records: Sequence[WrongUnit], task: Task) -> dict[Unit, str]:
    """The errors that no change caused, each with the reason; variants are compared with the unchanged example."""
    unchanged = {each.sentence_id for each in records if not each.edits and not each.place}
    found = {}
    for each in records:
        if not each.edits and not each.place:
            found[each.unit] = f"this {task.noun} is not changed"
        elif each.sentence_id in unchanged:
            found[each.unit] = "wrong before the change, too"
        elif not each.place and each.predicted == each.clean:
            found[each.unit] = "the answer is the same as before the change"
    return found


def _distinct_units(records: Sequence[WrongUnit]) -> list[WrongUnit]:
    """The first record of each example and place."""
    first: dict[tuple[str, str], WrongUnit] = {}
    for each in records:
        first.setdefault((each.sentence_id, each.place), each)
    return [*first.values()]


def _line(record: WrongUnit, task: Task, cause: str) -> str:
    return words.shorten(task.report.line(record), _LENGTH) + (f"; {cause}" if cause else "")


def _by_example(worse: Mapping[Unit, float], examples: Sequence[WorstExample]) -> list[float]:
    """The difference of each example from the reference; empty without a comparison."""
    first: dict[tuple[str, int], float] = {}
    for (example, seed, _), each in worse.items():
        first.setdefault((example, seed), each)
    return [first[each.sentence_id, each.seed] for each in examples] if first else []


def _shown(block: Examples, answered: Sequence[str], asked: WorstQuery) -> Examples:
    """The examples, with captions on how the reference ``answered``."""
    told = tuple(map(captioned, block.examples, answered)) if answered else block.examples
    return replace(block, examples=told, title="", open=asked.most)


def _distinct(examples: Sequence[WorstExample], records: Sequence[WrongUnit], asked: WorstQuery) -> list[WorstExample]:
    if asked.newly_broken:
        order = {record.unit[:2]: k for k, record in reversed([*enumerate(records)])}
        examples = sorted(examples, key=lambda each: order[each.sentence_id, each.seed])
    first: dict[Any, WorstExample] = {}
    for each in examples:
        if asked.sentence is not None:
            first.setdefault((*each.new_tokens, *each.predicted), each)
        elif asked.newly_broken or each.broken > 0:
            first.setdefault(each.sentence_id, each)
    return list(first.values())


def _none(asked: WorstQuery, result: Result) -> str:
    about = "" if asked.group is None else f" that is wrong about {visible(asked.group)}"
    noun = f"No {task_of(result).noun}{about}"
    if asked.newly_broken:
        return f"{noun} is worse than in the reference."
    return f"{noun} has more errors after the change." if probe_of(result).perturbs else f"{noun} has an error."
