"""Cases as rows of a table, and worst examples as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, groupby, takewhile
from typing import Any

from abalo.core.documents.document import Document
from abalo.core.documents.found import Result, WorstExample
from abalo.core.protocols.results import cases, changed_nothing, deciding
from abalo.core.records.example import JsonObject

COLUMNS = ("case", "task", "probe", "verdict", "blocking", "metric", "group", "value", "low", "high", "n", "limit", "p")


@dataclass(frozen=True, slots=True)
class ChangedExample:
    """An example that a case got wrong, as reports show it.

    Attributes:
        before: The original text, its tokens joined by spaces.
        after: The changed text; the original one if nothing was changed.
        gold: The right answer for the changed text: a label of each token, the labels of a text, or the answers to a
            question. None if it is unknown.
        predicted: The answer of the model to the changed text, in the same form.
        edits: Old and new text of each change, in order; "" for nothing.
    """

    before: str
    after: str
    gold: Any
    predicted: Any
    edits: tuple[tuple[str, str], ...]


def row_of(result: Result) -> JsonObject:
    """Returns the verdict of a case and the number behind it, under the names in `COLUMNS`.

    The number is the one of the deciding bound, else the headline; None if it is undefined.
    """
    judged = next(iter(deciding(result)), None)
    name = result.headline if judged is None else judged.bound.partition("_")[2]
    group = None if judged is None else judged.type
    numbers = result.metrics if group is None else result.per_type[group].more
    estimate = None if changed_nothing(result) else numbers.get(name)
    found = estimate if judged is None or estimate is None else judged
    ends = (None, None, None) if found is None else (found.value, found.low, found.high)
    values = (
        *(result.id, result.task, result.probe, result.verdict, result.blocking, name, group, *ends),
        0 if estimate is None else estimate.n,
        *((None, None) if judged is None else (judged.limit, judged.p)),
    )
    return dict(zip(COLUMNS, values, strict=True))


def rows_of(document: Document) -> list[JsonObject]:
    """Returns a row for each case, in the order of the reports."""
    return [row_of(result) for result in cases(document)]


def changed_example(example: WorstExample) -> ChangedExample:
    """Returns a worst example of a report as plain values."""
    new = example.new_tokens or example.tokens
    return ChangedExample(
        " ".join(example.tokens),
        " ".join(new),
        _plain(example.new_gold),
        _plain(example.predicted),
        tuple((old, now) for _, old, now in sorted(_edits(example))),
    )


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _edits(example: WorstExample) -> Iterator[tuple[int, str, str]]:
    """Where each change begins in the original, and its old and new text."""
    old, new, lost = example.tokens, example.new_tokens, {*example.removed}
    for run in _changes(example):
        places = sorted({place for k in run for place in example.origins[k]})
        start = 1 + max((place for k in range(run[0]) for place in example.origins[k]), default=-1)
        places = places or [*takewhile(lost.__contains__, count(start))]
        lost -= {*places}
        yield min(places, default=start), " ".join(old[place] for place in places), " ".join(new[k] for k in run)
    for _, several in groupby(enumerate(sorted(lost)), key=lambda each: each[1] - each[0]):
        gone = [place for _, place in several]
        yield gone[0], " ".join(old[place] for place in gone), ""


def _changes(example: WorstExample) -> list[list[int]]:
    """The edited positions, together if they follow each other and stand for the same words."""
    found: list[list[int]] = []
    for k in example.edited:
        before = found[-1][-1] if found else -2
        here, there = {*example.origins[k]}, {*example.origins[before]} if found else set()
        if before == k - 1 and (here & there or not here | there):
            found[-1].append(k)
        else:
            found.append([k])
    return found
