"""Accepted runs in a row, each compared with the previous one, for ``abalo history``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from pathlib import Path

from abalo.comparison.blocks.comparison import since
from abalo.config.thresholds import Thresholds, canonical_id
from abalo.core.documents.blocks import Block, Cell, Column, Item, Row, Table, Text, VerdictMark, heads
from abalo.core.documents.losses_found import Chain, ComparedTask, Comparison
from abalo.core.protocols.results import cases, headline, measured_number, probe_of, task_of
from abalo.core.protocols.task import tasks
from abalo.core.records import words
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import JsonRecord, as_json, read
from abalo.core.statistics.losses import STATES
from abalo.core.statistics.plan import BASELINE
from abalo.errors import AbaloError
from abalo.files import is_file
from abalo.reporting.drawing.dates import day_of, with_age
from abalo.reporting.formats.command_output import Page
from abalo.reporting.formats.files import JSON_NAME
from abalo.reporting.runs.comparison import (
    ComparedRun,
    by_losses,
    commit_of_run,
    day_in_words,
    model_in_words,
    run_facts,
)
from abalo.reporting.runs.finished import whole
from abalo.reporting.runs.reference import Reference, comparison, folder_of, read_side

SCHEMA = "abalo-history/1"

_BARS = "▁▂▃▄▅▆▇"
"""An odd number gives the middle a bar."""

_SPAN = 0.1

_SIGNS = {"regressed": "✗", "accepted": "▽", "improved": "▲"}

_VERDICTS = {"regressed": "fail", "can't tell": "inconclusive", "not comparable": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRow(JsonRecord):
    """Numbers and states of a case by release."""

    id: str
    metric: str
    values: Sequence[float | None]
    states: Sequence[str | None]
    paired_by: Sequence[str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskHistory(JsonRecord):
    """States of a task by release."""

    metric: str
    states: Sequence[str | None]
    since_first: Sequence[str | None]
    rows: Sequence[HistoryRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class History(JsonRecord):
    """Several releases in order."""

    releases: Sequence[ComparedRun]
    tasks: Mapping[str, TaskHistory]


def read_releases(folders: Sequence[Path], last: int) -> list[Reference]:
    """Returns the ``last`` runs in the folders, oldest first.

    Raises `AbaloError` if one is unreadable or fewer than two exist.
    """
    places = {each.resolve(): each for folder in folders for each in _runs_in(folder)}
    found = sorted((read_side(each) for each in places.values()), key=_age)
    if len(found) < 2:
        raise AbaloError(
            f"{', '.join(map(str, folders))}: {words.count(len(found), 'run')}; expected two or more, in one folder, "
            "such as references, or in several"
        )
    return found[-last:]


def _runs_in(folder: Path) -> list[Path]:
    if is_file(folder / JSON_NAME) or folder.name == JSON_NAME:
        return [folder_of(folder)]
    try:
        return sorted(each for each in folder.iterdir() if is_file(each / JSON_NAME)) or [folder]
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise AbaloError(f"{folder}: cannot be read: {reason}; give a folder of references") from error


def _age(release: Reference) -> tuple[date, bool, list[tuple[int, str]]]:
    parts = re.findall(r"\d+|\D+", release.name)
    natural = [(int(part), "") if part.isdecimal() else (0, part) for part in parts]
    day = day_of(release.accepted.get("date")) or day_of(release.run.document.date)
    return day or date.fromtimestamp(release.run.path.stat().st_mtime), not release.accepted, natural


def history(releases: Sequence[Reference], thresholds: Thresholds, today: date) -> History:
    """Returns the releases and, by task, each case's numbers and states.

    A state compares with the previous release. Later releases are also judged against the first, since many small
    losses
    can each escape detection.
    """
    judged: list[Comparison | None] = [
        None,
        *(_against(old, new, thresholds, today) for old, new in pairwise(releases)),
    ]
    first: list[Comparison | None] = [
        None,
        None,
        *(_against(releases[0], new, thresholds, today) for new in releases[2:]),
    ]
    names = dict.fromkeys(name for each in releases for name in each.run.document.tasks)
    told = {
        "schema": SCHEMA,
        "thresholds": thresholds.path.name,
        "releases": [run_facts(each) for each in releases],
        "tasks": {name: _task(name, releases, judged, first, thresholds) for name in names},
    }
    return read(History, told)


def _against(old: Reference, new: Reference, thresholds: Thresholds, today: date) -> Comparison:
    with whole(new.run.path):
        return comparison(new.run.document.tasks, new.run.evidence, thresholds, old, today)


def _task(
    name: str,
    releases: Sequence[Reference],
    judged: Sequence[Comparison | None],
    first: Sequence[Comparison | None],
    thresholds: Thresholds,
) -> TaskHistory:
    of_task = [None if found is None else found.tasks.get(name) for found in judged]
    numbers = [_numbers(name, each) for each in releases]
    states, paired = [_states(own) for own in of_task], [_pairing(own) for own in of_task]
    clean = f"{name}/{BASELINE}"
    rows = dict.fromkeys([clean, *(case for each in numbers for case in each)])
    metrics = {case: metric for each in reversed(numbers) for case, (metric, _) in each.items()}
    return TaskHistory(
        metric=tasks()[name].floor,
        states=[None if found is None else _state(name, found, thresholds) for found in judged],
        since_first=[None if found is None else _state(name, found, thresholds) for found in first],
        rows=[
            HistoryRow(
                id=case,
                metric=metrics[case],
                values=[each.get(case, (None, None))[1] for each in numbers],
                states=[each.get(case) for each in states],
                paired_by=[each.get(case) for each in paired],
            )
            for case in rows
            if case in metrics
        ],
    )


def _state(task: str, compared: Comparison, thresholds: Thresholds) -> str | None:
    own = compared.tasks.get(task)
    if own is None:
        return None
    alone = replace(compared, tasks={task: own}, state=own.state, decided=own.decided, missing=[])
    found = by_losses(alone, {task: "above"}, thresholds.gate.inconclusive)
    if found.verdict == "fail":
        return "regressed"
    if found.reasons:
        return own.state if own.state == "not comparable" else "can't tell"
    if own.state in ("can't tell", "not comparable", "too few changed", "regressed"):  # of single labels and cases
        return "no worse" if own.decided else "no regression found"
    return own.state


def _numbers(task: str, release: Reference) -> dict[str, tuple[str, float | None]]:
    found: dict[str, tuple[str, float | None]] = {}
    own = release.run.document.tasks.get(task)
    floor = tasks()[task].floor
    if own is not None and (score := own.baseline.more.get(floor)):
        found[f"{task}/{BASELINE}"] = floor, score.value
    with whole(release.run.path):
        for result in cases(release.run.document):
            if result.task == task:
                metric = probe_of(result).compared_by(task_of(result))
                value = headline(result) if metric is None else measured_number(result, metric)
                found.setdefault(canonical_id(result.id), (metric or result.headline, value.value))
    return found


def _states(own: ComparedTask | None) -> dict[str, str]:
    found: dict[str, str] = {}
    for loss in () if own is None else (own.baseline, *own.losses):
        case = loss.id or ""
        if loss.type is None or loss.state == "regressed":
            found[case] = min(found.get(case, STATES[-1]), loss.state, key=STATES.index)
    return found


def _pairing(own: ComparedTask | None) -> dict[str, str | None]:
    """How each case is paired with the previous release; None if it is not."""
    losses = () if own is None else (own.baseline, *own.losses)
    return {loss.id or "": loss.paired_by for loss in losses if loss.type is None}


# Pages ---------------------------------------------------------------------------------------------------------------


def page(document: History, today: date) -> Page:
    """Returns the pages, with a sparkline for each case."""

    def blocks(most: int | None) -> list[Block]:
        return [block for name in document.tasks for block in _blocks(name, document, today, most)]

    return Page("history", "Abalo: history", as_json(document), blocks, blocks(None))


def _blocks(name: str, document: History, today: date, most: int | None) -> Iterator[Block]:
    own, task = document.tasks[name], tasks()[name]
    releases = document.releases
    chained = any("since" in (each.accepted or {}) for each in releases)
    columns = heads(
        (
            "Release",
            "Run",
            "Accepted",
            "Commit",
            "Abalo",
            "Model",
            "Corpus",
            "Against the one before",
            "Against the first",
            *(["Mean loss, added up"] if chained else []),
        ),
        numeric=False,
    )
    rows = tuple(
        Row(_release(each, name, states, today)[: len(columns)])
        for each, *states in zip(releases, own.states, own.since_first, strict=True)
    )
    yield Table(columns, rows, f"{task.title}: releases", noun="release")
    shown = own.rows[:most]
    several = len({row.metric for row in own.rows}) > 1
    columns = (
        Column("Case"),
        *([Column("Number")] if several else []),
        *heads(tuple(words.name(each.name) for each in releases)),
        Column("Trend"),
    )
    rows = tuple(Row(_case(row, task.metrics()[row.metric].words if several else "")) for row in shown)
    cut = [f"{words.count(len(own.rows) - len(shown), 'more case')} in the JSON file."] if shown != own.rows else []
    measure = "" if several else f": {task.metrics()[own.metric].words}"
    yield Table(columns, rows, f"{task.title}{measure}", (*_NOTES, *cut), noun="case")
    corpora = {each.tasks[name].sha256 for each in releases if name in each.tasks}
    if len(corpora) > 1:
        said = (
            "The corpus is not the same in all releases, so the numbers are not over the same examples. Only the "
            "states compare the same examples: those that two releases share."
        )
        yield Text((said,), role="notice")
    if own_texts := [row.id for row in own.rows if "example" in row.paired_by]:
        yield Text((f"{OWN_TEXTS}: {_few(own_texts, most)}.",))


OWN_TEXTS = "Each model changes the examples in its own way, so these cases have numbers over other texts"


def _few(names: Sequence[str], most: int | None) -> str:
    more = [] if most is None else [f"{len(names) - most:,} more"] * (len(names) > most)
    return ", ".join([*names[:most], *more])


_NOTES = (
    Item("regressed, or a type in it did, against the release before, as abalo compare judges", _SIGNS["regressed"]),
    Item("a loss that a waiver accepts", _SIGNS["accepted"]),
    Item("improved; a change without a sign may be chance", _SIGNS["improved"]),
)


def _release(release: ComparedRun, task: str, states: Iterable[str | None], today: date) -> tuple[Cell, ...]:
    accepted, subject = release.accepted or {}, release.tasks.get(task)
    return (
        words.name(release.name),
        day_in_words(release, today),
        with_age(accepted.get("date"), today) if accepted else "not accepted",
        commit_of_run(release) or words.NOTHING,
        str(release.abalo or words.NOTHING),
        "not judged" if subject is None else model_in_words(subject),
        "not judged" if subject is None else words.name(subject.corpus),
        *("" if state is None else VerdictMark(_VERDICTS.get(state, "pass"), words.state(state)) for state in states),
        "" if accepted.get("since") is None else since(_of_task(accepted["since"], task)),
    )


def _of_task(chain: JsonObject, task: str) -> Chain:
    found = read(Chain, chain)
    return replace(found, mean_loss={name: value for name, value in found.mean_loss.items() if name == task})


def _case(row: HistoryRow, measure: str) -> tuple[Cell, ...]:
    signs = (_SIGNS.get(state or "", "") for state in row.states)
    cells = (f"{sign} {words.number(value)}".strip() for sign, value in zip(signs, row.values, strict=True))
    return (row.id, *([measure] if measure else []), *cells, sparkline(row.values))


def sparkline(values: Iterable[float | None]) -> str:
    """Draws a bar for each value and a dot for None, over a range of at least 0.1."""
    values = list(values)
    known = [value for value in values if value is not None]
    if not known:
        return "·" * len(values)
    low, high = min(known), max(known)
    widened = max(0.0, _SPAN - (high - low)) / 2
    low, high = low - widened, high + widened
    steps = len(_BARS) - 1
    return "".join("·" if value is None else _BARS[round((value - low) / (high - low) * steps)] for value in values)
