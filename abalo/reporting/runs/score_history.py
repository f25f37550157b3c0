"""Accepted scores in a row, each judged against the previous ones, for ``abalo history``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path

from abalo.config.thresholds import Thresholds
from abalo.core.documents.blocks import Block, Column, Row, Table, VerdictMark, heads
from abalo.core.records import words
from abalo.core.records.json_records import JsonRecord, as_json
from abalo.core.statistics.losses import State
from abalo.errors import AbaloError
from abalo.reporting.content.scores import verdict_of
from abalo.reporting.drawing.dates import with_age
from abalo.reporting.formats.command_output import Page
from abalo.reporting.runs.history import sparkline
from abalo.reporting.runs.kept_scores import KeptScores, holds_scores, judge_rows, read_kept
from abalo.scores.rows import ScoreColumns, ScoreFile

SCHEMA = "abalo-score-history/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRelease(JsonRecord):
    """Accepted scores: means by metric, and their states against the scores accepted before."""

    name: str
    accepted: str | None
    means: Mapping[str, float | None]
    states: Mapping[str, State]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreHistory(JsonRecord):
    """Accepted scores, oldest first."""

    schema: str
    releases: Sequence[ScoreRelease]


def kept_in(folders: Sequence[Path]) -> list[Path]:
    """Returns the folders of accepted scores: those that are given, and those directly inside."""
    inside = (each for folder in folders if folder.is_dir() for each in (folder, *sorted(folder.iterdir())))
    return [*dict.fromkeys(each for each in inside if each.is_dir() and holds_scores(each))]


def score_history(folders: Sequence[Path], last: int, thresholds: Thresholds) -> ScoreHistory:
    """Judges the ``last`` accepted scores, each against the one before; raises `AbaloError` below two."""
    found = sorted(
        (read_kept(each, ScoreColumns()) for each in folders), key=lambda kept: (_day(kept), kept.folder.name)
    )
    if len(found) < 2:
        raise AbaloError(
            f"{', '.join(map(str, folders))}: {words.count(len(found), 'folder')} of scores; expected two or more"
        )
    shown = found[-last:]
    states = [{}, *(_states(old, new, thresholds) for old, new in pairwise(shown))]
    releases = [_release(kept, own, thresholds) for kept, own in zip(shown, states, strict=True)]
    return ScoreHistory(schema=SCHEMA, releases=releases)


def _day(kept: KeptScores) -> str:
    return str(kept.accepted.get("date") or "")


def _states(old: KeptScores, new: KeptScores, thresholds: Thresholds) -> dict[str, State]:
    common = {name: own for name, own in new.file.metrics.items() if name in old.file.metrics}
    if not common:
        return {}
    of_old = ScoreFile(old.file.name, old.file.reader, {name: old.file.metrics[name] for name in common})
    of_new = ScoreFile(new.file.name, new.file.reader, common)
    kept = KeptScores(old.folder, of_old, old.accepted)
    document = judge_rows(kept, of_new, thresholds.gate, thresholds.scores, {})
    return {name: own.loss.state for name, own in document.metrics.items() if own.loss is not None}


def _release(kept: KeptScores, states: Mapping[str, State], thresholds: Thresholds) -> ScoreRelease:
    document = judge_rows(None, kept.file, thresholds.gate, thresholds.scores, {})
    means = {name: own.new.value for name, own in document.metrics.items()}
    return ScoreRelease(name=kept.folder.name, accepted=_day(kept) or None, means=means, states=states)


def score_history_page(document: ScoreHistory, today: date) -> Page:
    """Returns the pages, with a sparkline for each metric."""
    found = [*_blocks(document, today)]
    return Page("history", "Abalo: history", as_json(document), lambda _: found, found)


def _blocks(document: ScoreHistory, today: date) -> Iterator[Block]:
    metrics = dict.fromkeys(name for each in document.releases for name in each.means)
    rows = tuple(
        Row((words.name(each.name), with_age(each.accepted, today), *(_state(each, metric) for metric in metrics)))
        for each in document.releases
    )
    columns = (*heads(("Release", "Accepted"), numeric=False), *heads(tuple(map(words.name, metrics)), numeric=False))
    yield Table(columns, rows, "Against the one before", noun="release")
    names = tuple(words.name(each.name) for each in document.releases)
    means = [[each.means.get(metric) for each in document.releases] for metric in metrics]
    rows = tuple(
        Row((words.name(metric), *map(words.number, own), sparkline(own)))
        for metric, own in zip(metrics, means, strict=True)
    )
    yield Table((Column("Metric"), *heads(names), Column("Trend")), rows, "Means", noun="metric")


def _state(release: ScoreRelease, metric: str) -> VerdictMark | str:
    state = release.states.get(metric)
    return "" if state is None else VerdictMark(verdict_of(state), words.state(state))
