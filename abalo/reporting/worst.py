"""The sentences that a run got wrong, case by case: what ``abalo show`` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from abalo.config.thresholds import Thresholds
from abalo.core import words
from abalo.core.blocks import Block, Examples, Item, Text
from abalo.core.engine import baseline_of
from abalo.core.results import Json, cases, is_floor, needing_attention, probe_of, task_of, weight
from abalo.errors import AbaloError, visible
from abalo.files import read_text
from abalo.reporting.blocks.comparison import regressed_cases
from abalo.reporting.comparing import Reference, Unit, newly_worse, other_gold
from abalo.reporting.examples import NONE_THERE, parsed
from abalo.reporting.files import EXAMPLES_NAME
from abalo.reporting.finding import lead
from abalo.reporting.finished import Run
from perturbations.suggestions import did_you_mean

_LENGTH = 700
"""How many characters of a sentence without marks are shown."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The sentences that are asked for: at most ``most`` of each of the ``cases``.

    The cases are named by their ids or by what follows the task in them. Without any, they are those that failed or
    regressed, else the one that lost most; with ``newly_broken`` or a ``sentence``, all. ``group`` is a type that must
    be wrong in a sentence, ``sentence`` an id or the beginning of one.
    """

    cases: tuple[str, ...] = ()
    group: str | None = None
    sentence: str | None = None
    newly_broken: bool = False
    most: int = 10


def shown(run: Run, asked: Asked, thresholds: Thresholds, reference: Reference | None = None) -> list[Block]:
    """A part for each case with its sentences, worst first.

    Newly broken ones are those that are worse than in the ``reference``; without one, those that the report names.
    Raises `AbaloError` for a case, a type or a sentence that the run does not have, and for damaged records.
    """
    results = _chosen(run, asked)
    if asked.group is not None:
        _check_group(asked.group, results)
    records = _records(run)
    if records is None:
        return [Text((f"No sentence is at hand: {NONE_THERE}.",))]
    sentence = None if asked.sentence is None else _sentence(asked.sentence, run, results)
    found: list[Block] = []
    for result in results:
        own = [each for each in records.get(result["id"], ()) if sentence in (None, each["sentence_id"])]
        own = _inside(own, run, result)
        if asked.newly_broken:
            try:
                own = _newly_broken(own, result, run, thresholds, reference)
            except AbaloError as error:
                if asked.cases or (reference is None and not run.document.get("comparison")):
                    raise
                found.append(Text((str(error),), role="notice"))
                continue
        if asked.group is not None:
            own = [each for each in own if asked.group in task_of(result).report.concerned(each)]
        found += _part(own, result, run, asked)
    nothing = "No sentence is worse than in the reference." if asked.newly_broken else "No sentence is wrong."
    return _with_one_legend(found) or [Text((nothing,))]


def _with_one_legend(blocks: Sequence[Block]) -> list[Block]:
    """The blocks; legends that stand above already are left out."""
    seen: set[Any] = set()
    found: list[Block] = []
    for block in blocks:
        if isinstance(block, Examples):
            found.append(replace(block, legend=()) if block.legend in seen else block)
            seen.add(block.legend)
        else:
            found.append(block)
    return found


def _chosen(run: Run, asked: Asked) -> list[Json]:
    """The results of the cases that are asked for."""
    every = cases(run.document)
    if asked.cases:
        return [each for name in asked.cases for each in _named(name, every)]
    if asked.newly_broken or asked.sentence is not None:
        return every
    lost = regressed_cases(run.document)
    failed = [each for each in needing_attention(run.document) if each["verdict"] == "fail"]
    failed += [each for each in every if each["id"] in lost and each not in failed]
    return failed or sorted((each for each in every if not is_floor(each)), key=weight)[-1:] or every[:1]


def _named(name: str, every: Sequence[Json]) -> list[Json]:
    """The results of a case, or of all cases of one table."""
    for fits in (
        lambda case: case == name,
        lambda case: case.partition("/")[2] == name,
        lambda case: name in (case.partition("[")[0], case.partition("[")[0].partition("/")[2]),
    ):
        found = [each for each in every if fits(each["id"])]
        if found:
            return found
    known = [each["id"] for each in every]
    near = did_you_mean(name, [*known, *(case.partition("/")[2] for case in known)])
    raise AbaloError(f"{name}: the run has no such case{near}; it has {', '.join(map(visible, known))}")


def _check_group(group: str, results: Sequence[Json]) -> None:
    known = sorted({each for result in results for each in result["per_type"]})
    if group not in known:
        there = f"{did_you_mean(group, known)}; there are {', '.join(map(visible, known)) or 'none'}"
        raise AbaloError(f"--type {group}: not in the cases shown{there}")


def _sentence(asked: str, run: Run, results: Sequence[Json]) -> str:
    """The id of the sentence that is asked for."""
    known = {str(each) for result in results for each in run.evidence[result["id"]].ids}
    found = [asked] if asked in known else sorted(each for each in known if each.startswith(asked))
    if len(found) != 1:
        reason = f"fits {len(found)} sentences; give more of the id" if found else "no sentence of these cases has it"
        raise AbaloError(f"--sentence {asked}: {reason}")
    return found[0]


def _records(run: Run) -> Mapping[str, Sequence[Json]] | None:
    """The records of examples.jsonl by case; None where there is no such file."""
    path = run.path.parent / EXAMPLES_NAME
    if not path.exists():
        return None
    try:
        lines = read_text(path).split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise AbaloError(f"{path}: cannot be read: {error}; run the gate again") from error
    return parsed(lines, path).records


def _unit(record: Mapping[str, Any]) -> Unit:
    return record["sentence_id"], record["seed"], record.get("place", "")


def _inside(records: Sequence[Json], run: Run, result: Json) -> list[Json]:
    """Those of the part of the corpus that the case is about."""
    own = run.evidence[result["id"]].only(run.evidence[result["id"]].outside)
    outside = set(zip(own.ids.tolist(), own.seeds.tolist(), own.places.tolist(), strict=True))
    return [each for each in records if _unit(each) not in outside]


def _newly_broken(
    records: Sequence[Json], result: Json, run: Run, thresholds: Thresholds, reference: Reference | None
) -> list[Json]:
    """The records of units that are worse than in the reference, the largest differences first."""
    task = task_of(result)
    if reference is None:
        units = _told(result, run)
    else:
        known = {case.id: case for case in (baseline_of(task), *thresholds.cases)}
        if result["id"] not in known:
            raise AbaloError(
                f"{result['id']}: {thresholds.path.name} does not have it; name its file with --thresholds"
            )
        facts, theirs = run.document["tasks"][task.name], (reference.run.document.get("tasks") or {}).get(task.name)
        if theirs is None or (reason := other_gold(facts, theirs)):
            raise AbaloError(f"{result['id']}: {reason if theirs else f'{reference.name} did not judge {task.name}'}")
        units = newly_worse(known[result["id"]], task, run, reference)
    by_unit = {_unit(record): record for record in records}
    return [by_unit[unit] for unit in units if unit in by_unit]


def _told(result: Json, run: Run) -> list[Unit]:
    """The units that the report names as worse than in the reference that the run was judged against."""
    compared = run.document.get("comparison")
    if compared is None:
        raise AbaloError("--newly-broken: the run was judged against no reference; name one with --against FOLDER")
    own = compared["tasks"].get(result["task"], {"newly_worse": ()})
    return [_unit(each) for each in own["newly_worse"] if each["case"] == result["id"]]


def _part(records: Sequence[Json], result: Json, run: Run, asked: Asked) -> Iterator[Block]:
    """The verdict on a case, and its sentences; nothing of a case without any that nobody named."""
    task = task_of(result)
    every = task.report.as_examples(records, result)
    examples, plain = _distinct(every, records, asked), () if every else records
    lines = [Item(words.shortened(task.report.line(each), _LENGTH), each["sentence_id"]) for each in plain]
    total = len(examples) or len(lines)
    if not total and not asked.cases and (asked.newly_broken or asked.sentence is not None):
        return
    yield lead(result, run.document)
    if not total:
        yield Text((_none(asked, result),))
    elif examples:
        for block in task.report.sentences({**result, "examples": examples[: asked.most]}, run.document):
            yield replace(block, title="", open=asked.most) if isinstance(block, Examples) else block
    else:
        yield Text(tuple(lines[: asked.most]), role="list")
    if total > asked.most:
        yield Text((f"{total - asked.most:,} more: --most {total}",))


def _distinct(examples: Sequence[Json], records: Sequence[Json], asked: Asked) -> list[Json]:
    """Each sentence once, where it is worst, and only with an error that counts; of one sentence all distinct variants.

    Newly broken ones are in the order of the records, whatever errors they have.
    """
    if asked.newly_broken:
        order = {_unit(record)[:2]: k for k, record in reversed([*enumerate(records)])}
        examples = sorted(examples, key=lambda each: order[each["sentence_id"], each["seed"]])
    first: dict[Any, Json] = {}
    for each in examples:
        if asked.sentence is not None:
            first.setdefault((*each["new_tokens"], *each["predicted"]), each)
        elif asked.newly_broken or each["broken"] > 0:
            first.setdefault(each["sentence_id"], each)
    return list(first.values())


def _none(asked: Asked, result: Json) -> str:
    about = "" if asked.group is None else f" that is wrong about {visible(asked.group)}"
    noun = f"No {task_of(result).noun}{about}"
    if asked.newly_broken:
        return f"{noun} is worse than in the reference."
    return f"{noun} has more errors after the change." if probe_of(result).perturbs else f"{noun} has an error."
