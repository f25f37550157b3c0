"""Who was judged, on what and against whom, and the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from abalo.core import words
from abalo.core.blocks import Block, Item, Text
from abalo.core.results import Json
from abalo.errors import visible
from abalo.reporting import run
from abalo.reporting.dates import day_of
from abalo.reporting.made import COMMIT, DATE, commit_in_words, made_in
from abalo.reporting.panels import Panel


def blocks(document: Json) -> Sequence[Block]:
    """The models and corpora with the reference, the verdict on the run, and what must be known before it is read."""
    lines = [line for text in run.subjects(document) for line in text.lines]
    lines += [*_run(document), *_reference(document)]
    subjects = [Text(tuple(lines), role="list")] if lines else []
    return [run.run_verdict(document), *run.tally(document), *run.notices(document), *subjects]


PANEL = Panel("verdict", "Verdict", blocks, order=-40, leads=True)


def _run(document: Json) -> Iterator[Item]:
    """The moment and the commit of the run, as far as known."""
    made = made_in(document)
    if DATE in made:
        moment = f"{visible(str(made[DATE]))[:16].replace('T', ' ')} UTC"
        yield Item(" · ".join([moment, *_commit(commit_in_words(made))]), "Run")


def _reference(document: Json) -> Iterator[Item]:
    compared = document.get("comparison")
    if compared is None:
        yield Item("none; --abalo-against compares with an accepted run", "Reference")
        return
    reference = compared["reference"]
    own, run_day = reference.get("run") or {}, day_of(document.get(DATE))
    models = dict.fromkeys(visible(each["model"]) for each in compared["tasks"].values())
    said = [visible(reference["name"]), *models]
    if reference.get("date"):
        said.append(f"accepted {_before(reference['date'], run_day)}")
    elif own.get(DATE):
        said.append(f"run {_before(own[DATE], run_day)}")
    accepted = {COMMIT: reference["commit"]} if reference.get("commit") else own
    yield Item(" · ".join([*said, *_commit(commit_in_words(accepted))]), "Reference")


def _commit(found: str | None) -> list[str]:
    return [] if found is None else [f"commit {found}"]


def _before(said: Any, run_day: date | None) -> str:
    """A day, with its age when the run was made where that is known."""
    day = day_of(said)
    if day is None or run_day is None or day > run_day:
        return visible(str(said if day is None else day))
    days = (run_day - day).days
    return f"{day} ({words.count(days, 'day')} before this run)" if days else f"{day}, the day of this run"
