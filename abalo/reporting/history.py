"""Several accepted runs in a row, each judged against the one before: what ``abalo history`` prints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

from abalo.config.thresholds import Thresholds, canonical_id
from abalo.core import words
from abalo.core.blocks import Block, Cell, Column, Item, Row, Table, Text, Verdict, heads
from abalo.core.example import Json
from abalo.core.losses import STATES
from abalo.core.plan import BASELINE
from abalo.core.results import cases, headline, measured, probe_of, task_of
from abalo.core.task import tasks
from abalo.errors import AbaloError
from abalo.files import is_file
from abalo.reporting.blocks.comparison import since
from abalo.reporting.compared import by_losses, commit_of_run, day_in_words, model_in_words, run_facts
from abalo.reporting.comparing import Reference, comparison, folder_of, read_side
from abalo.reporting.dates import aged, day_of
from abalo.reporting.files import JSON_NAME
from abalo.reporting.finished import whole
from abalo.reporting.page import Page

SCHEMA = "abalo-history/1"

_BARS = "▁▂▃▄▅▆▇"
"""An odd number, so that what is in the middle stays on one bar."""

_SPAN = 0.1
"""The least range that a sparkline is drawn on, so that what may be chance stays flat."""

_SIGNS = {"regressed": "✗", "accepted": "▽", "improved": "▲"}

_VERDICTS = {"regressed": "fail", "can't tell": "inconclusive", "not comparable": None}


def read_releases(folders: Sequence[Path], last: int) -> list[Reference]:
    """The last of the runs in the folders, each that of a run or of several, oldest first.

    Raises `AbaloError` where one cannot be read, or there are fewer than two.
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
    """The folders of the runs in a folder; itself if it has none."""
    if is_file(folder / JSON_NAME) or folder.name == JSON_NAME:
        return [folder_of(folder)]
    try:
        return sorted(each for each in folder.iterdir() if is_file(each / JSON_NAME)) or [folder]
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise AbaloError(f"{folder}: cannot be read: {reason}; give a folder of references") from error


def _age(release: Reference) -> tuple[date, bool, list[tuple[int, str]]]:
    """The day on which a run was accepted, else made or written; then its name with numbers in it as numbers.

    Of one day, a run that is not accepted comes last.
    """
    parts = re.findall(r"\d+|\D+", release.name)
    natural = [(int(part), "") if part.isdecimal() else (0, part) for part in parts]
    day = day_of(release.accepted.get("date")) or day_of(release.run.document.get("date"))
    return day or date.fromtimestamp(release.run.path.stat().st_mtime), not release.accepted, natural


def history(releases: Sequence[Reference], thresholds: Thresholds, today: date) -> Json:
    """The document: the releases in order and, by task, a row of numbers and states for each case.

    A state is that of the losses against the release before; None for the first. That of a task is *regressed* or *no
    regression found* where the headline of ``abalo compare`` says so. Many small losses can each be too small to see,
    so each release from the third on is judged against the first, too.
    """
    judged: list[Json | None] = [None, *(_against(old, new, thresholds, today) for old, new in pairwise(releases))]
    first: list[Json | None] = [None, None, *(_against(releases[0], new, thresholds, today) for new in releases[2:])]
    names = dict.fromkeys(name for each in releases for name in each.run.document.get("tasks") or {})
    return {
        "schema": SCHEMA,
        "thresholds": thresholds.path.name,
        "releases": [run_facts(each) for each in releases],
        "tasks": {name: _task(name, releases, judged, first, thresholds) for name in names},
    }


def _against(old: Reference, new: Reference, thresholds: Thresholds, today: date) -> Json:
    with whole(new.run.path):
        return comparison(new.run.document.get("tasks") or {}, new.run.evidence, thresholds, old, today)


def _task(
    name: str,
    releases: Sequence[Reference],
    judged: Sequence[Json | None],
    first: Sequence[Json | None],
    thresholds: Thresholds,
) -> Json:
    """The states of a task from release to release, and its rows: the clean corpus, then case by case."""
    of_task = [None if found is None else found["tasks"].get(name) for found in judged]
    numbers = [_numbers(name, each) for each in releases]
    states = [_states(own) for own in of_task]
    clean = f"{name}/{BASELINE}"
    rows = dict.fromkeys([clean, *(case for each in numbers for case in each)])
    metrics = {case: metric for each in reversed(numbers) for case, (metric, _) in each.items()}
    return {
        "metric": tasks()[name].floor,
        "states": [None if found is None else _state(name, found, thresholds) for found in judged],
        "since_first": [None if found is None else _state(name, found, thresholds) for found in first],
        "rows": [
            {
                "id": case,
                "metric": metrics[case],
                "values": [each.get(case, (None, None))[1] for each in numbers],
                "states": [each.get(case) for each in states],
            }
            for case in rows
            if case in metrics
        ],
    }


def _state(task: str, compared: Json, thresholds: Thresholds) -> str | None:
    """How a task fared in a comparison, by its losses alone; None if one of the runs did not judge the task."""
    own = compared["tasks"].get(task)
    if own is None:
        return None
    whole = {**compared, "tasks": {task: own}, "state": own["state"], "decided": own["decided"], "missing": []}
    found = by_losses(
        {
            "comparison": whole,
            "gate": {"inconclusive": thresholds.gate.inconclusive},
            "new": {"tasks": {task: {"clean_score": "above"}}},
        }
    )
    if found.verdict == "fail":
        return "regressed"
    if found.reasons:
        return str(own["state"]) if own["state"] == "not comparable" else "can't tell"
    if own["state"] in ("can't tell", "not comparable", "too few changed", "regressed"):  # of single labels and cases
        return "no worse" if own["decided"] else "no regression found"
    return str(own["state"])


def _numbers(task: str, release: Reference) -> dict[str, tuple[str, float | None]]:
    """By case the metric that runs are compared by, or else its headline, and its value in the run."""
    found: dict[str, tuple[str, float | None]] = {}
    own = (release.run.document.get("tasks") or {}).get(task)
    if own is not None and own["baseline"].get(tasks()[task].floor):
        found[f"{task}/{BASELINE}"] = tasks()[task].floor, own["baseline"][tasks()[task].floor]["value"]
    with whole(release.run.path):
        for result in cases(release.run.document):
            if result["task"] == task:
                metric = probe_of(result).compared_by(task_of(result))
                value = headline(result) if metric is None else measured(result, metric)
                found.setdefault(canonical_id(result["id"]), (metric or result["headline"], value.value))
    return found


def _states(own: Json | None) -> dict[str, str]:
    """By case the state of its loss, or the worst of its groups where that is a regression."""
    found: dict[str, str] = {}
    for loss in () if own is None else (own["baseline"], *own["losses"]):
        if loss["type"] is None or loss["state"] == "regressed":
            before = found.get(loss["id"], STATES[-1])
            found[loss["id"]] = min(before, loss["state"], key=STATES.index)
    return found


# Pages ---------------------------------------------------------------------------------------------------------------


def page(document: Json, today: date) -> Page:
    """The pages: for each task the releases, then a row of numbers for each case with a sparkline."""

    def blocks(most: int | None) -> list[Block]:
        return [block for name in document["tasks"] for block in _blocks(name, document, today, most)]

    return Page("history", "Abalo: history", document, blocks, blocks(None))


def _blocks(name: str, document: Json, today: date, most: int | None) -> Iterator[Block]:
    own, task = document["tasks"][name], tasks()[name]
    releases = document["releases"]
    chained = any("since" in (each["accepted"] or {}) for each in releases)
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
        for each, *states in zip(releases, own["states"], own["since_first"], strict=True)
    )
    yield Table(columns, rows, f"{task.title}: releases", noun="release")
    shown = own["rows"][:most]
    several = len({row["metric"] for row in own["rows"]}) > 1
    columns = (
        Column("Case"),
        *([Column("Number")] if several else []),
        *heads(tuple(words.name(each["name"]) for each in releases)),
        Column("Trend"),
    )
    rows = tuple(Row(_case(row, task.metrics()[row["metric"]].words if several else "")) for row in shown)
    cut = [f"{words.count(len(own['rows']) - len(shown), 'more case')} in the JSON."] if shown != own["rows"] else []
    measure = "" if several else f": {task.metrics()[own['metric']].words}"
    yield Table(columns, rows, f"{task.title}{measure}", (*_NOTES, *cut), noun="case")
    corpora = {str((each["tasks"].get(name) or {}).get("sha256")) for each in releases if name in each["tasks"]}
    if len(corpora) > 1:
        yield Text(("The corpus is not the same in all releases: numbers are over other examples.",), role="notice")


_NOTES = (
    Item("regressed, or a type in it did, against the release before, as abalo compare judges", _SIGNS["regressed"]),
    Item("a loss that a waiver accepts", _SIGNS["accepted"]),
    Item("improved; a change without a sign may be chance", _SIGNS["improved"]),
)


def _release(release: Mapping[str, Any], task: str, states: Iterable[str | None], today: date) -> tuple[Cell, ...]:
    accepted, subject = release["accepted"] or {}, release["tasks"].get(task)
    return (
        words.name(release["name"]),
        day_in_words(release, today),
        aged(accepted.get("date"), today) if accepted else "not accepted",
        commit_of_run(release) or words.NOTHING,
        str(release["abalo"] or words.NOTHING),
        "not judged" if subject is None else model_in_words(subject),
        "not judged" if subject is None else words.name(str(subject["corpus"])),
        *("" if state is None else Verdict(_VERDICTS.get(state, "pass"), state) for state in states),
        "" if accepted.get("since") is None else since(_of_task(accepted["since"], task)),
    )


def _of_task(chain: Mapping[str, Any], task: str) -> Json:
    """The chain with the mean loss of one task alone."""
    return {**chain, "mean_loss": {name: value for name, value in chain["mean_loss"].items() if name == task}}


def _case(row: Mapping[str, Any], measure: str) -> tuple[Cell, ...]:
    signs = (_SIGNS.get(state or "", "") for state in row["states"])
    cells = (f"{sign} {words.number(value)}".strip() for sign, value in zip(signs, row["values"], strict=True))
    return (row["id"], *([measure] if measure else []), *cells, sparkline(row["values"]))


def sparkline(values: Iterable[float | None]) -> str:
    """A bar for each value, the lowest for the smallest; a dot for None.

    The range is that of the values, at least 0.1 and then around their middle.
    """
    values = list(values)
    known = [value for value in values if value is not None]
    if not known:
        return "·" * len(values)
    low, high = min(known), max(known)
    widened = max(0.0, _SPAN - (high - low)) / 2
    low, high = low - widened, high + widened
    steps = len(_BARS) - 1
    return "".join("·" if value is None else _BARS[round((value - low) / (high - low) * steps)] for value in values)
