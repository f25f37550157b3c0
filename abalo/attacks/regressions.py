"""Regression tests: changes that broke a model, kept to be tried again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from abalo.attacks.log import FORMAT, example_of, lines, read, sentence_of, target_of
from abalo.attacks.record import AttackRecord
from abalo.core.documents.document import Regression, Status
from abalo.core.protocols.task import Task, tasks
from abalo.core.records.example import Example
from abalo.core.records.json_records import Json, as_json
from abalo.core.records.json_records import read as read_record
from abalo.core.records.targets import Target, place_targets
from abalo.errors import AbaloError
from abalo.files import write_bytes
from perturbations import Perturbed, render, sentence_id

OLDEST = "ner"
"""Task of old records, which name none."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A broken target tried again."""

    regression: Regression
    noun: str

    @property
    def status(self) -> Status:
        return self.regression.status

    @property
    def explanation(self) -> str:
        """Status, original, perturbed example and labels, in four lines."""
        found = self.regression
        return (
            f"{found.status}\n  original:  {found.before or _WITHHELD}\n  perturbed: {found.after or _WITHHELD}\n"
            f"  the {self.noun} is labelled {' '.join(found.labels)}; then {' '.join(found.recorded)}"
        )


_WITHHELD = "withheld by --abalo-no-text"


def replay_record(
    record: AttackRecord, predict: Callable[[Sequence[object]], Sequence[object]], *, with_text: bool = True
) -> Replay:
    """Repeats a record's edits on inputs of its task.

    An entity is broken if all its words are wrong and it is not found, or for an invariance if any word is wrong.
    """
    task, (example, field) = task_of(record), example_of(record)
    made = record.change(example.fields[field])
    changed = replace(example, fields={**example.fields, field: made.sentence})
    clean, attacked = predict([task.input(example), task.input(changed)])
    targets = _targets(task, example, field, clean)
    target = next(each for each in targets if target_of(each.spans) == record.target)
    labels, recorded = target.labels_in(attacked, made), tuple(record.labels.attacked)
    held = (
        _keeps_targets(record, targets, made, attacked)
        if record.invariance is not None
        else not target.read(attacked, made).broken
    )
    status: Status = "still broken" if labels == recorded else "broken differently"
    if not target.right:
        status = "broken differently"
    elif held:
        status = "fixed"
    before, after = (_example_line(task, each) if with_text else None for each in (example, changed))
    found = Regression(
        id=name_of(record),
        attack=record.attack,
        status=status,
        before=before,
        after=after,
        labels=labels,
        recorded=recorded,
    )
    return Replay(found, target.noun or task.targets.nouns()[0])


def task_of(record: AttackRecord) -> Task:
    """A record's task; raises KeyError if unknown."""
    return tasks()[record.task or OLDEST]


def example_after(record: AttackRecord) -> Example:
    """A record's example after the edits."""
    example, field = example_of(record)
    return replace(example, fields={**example.fields, field: record.change(example.fields[field]).sentence})


def _targets(task: Task, example: Example, field: str, clean: object) -> list[Target]:
    found = (task.targets.of(example, clean, None, goal) for goal in ("", *task.targets.goals))
    return place_targets(chain.from_iterable(found), field)


def _keeps_targets(record: AttackRecord, targets: Sequence[Target], made: Perturbed, after: object) -> bool:
    invariant = [each for each in targets if target_of(each.spans) in record.targets]
    return all(each.holds(after, made) for each in invariant if each.holds(each.clean))


def _example_line(task: Task, example: Example) -> str:
    return render(example.sentence, spaces=True) if task.labelled == "spans" else task.templates.said(example)


def load(path: Path) -> list[AttackRecord]:
    """Broken records of a regression corpus or attack log; raises `AbaloError` with the line of an invalid one."""
    kept = []
    for number, each in enumerate(read(path)[1], start=1):
        try:
            if each["broken"]:
                record = read_record(AttackRecord, each)
                _check(record)
                kept.append(record)
        except (KeyError, TypeError, ValueError) as error:
            raise AbaloError(f"{path}: record {number} cannot be made again: {error!r}") from error
    return kept


def save(path: Path, records: Iterable[Json]) -> int:
    """Adds new broken records to the corpus; returns their number."""
    known = load(path) if path.exists() else []
    everything = {name_of(record): record for record in known}
    found = [read_record(AttackRecord, record) for record in records if record["broken"]]
    fresh = {name_of(record): record for record in found if name_of(record) not in everything}
    write_bytes(path, lines([{"format": FORMAT}, *everything.values(), *fresh.values()]))
    return len(fresh)


def name_of(record: AttackRecord) -> str:
    """A name in letters, digits and dashes, equal for the same target and change."""
    key = sentence_id(sentence_of(record))
    if record.target is not None:
        start, stop, _ = record.target
        return f"{record.attack}-{key}-{start}-{stop}-{_digest(record.edits)}"
    return f"{record.attack}-{key}-{_digest([as_json(record.example), record.edits])}"


def _digest(value: object) -> str:
    return hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=4).hexdigest()


def _check(record: AttackRecord) -> None:
    task, (example, field) = task_of(record), example_of(record)
    record.change(example.fields[field])
    for name, labels in (("tags", sentence_of(record).tags), ("gold", example.gold)):
        if not all(isinstance(label, str) for label in labels or ()):
            raise TypeError(f"{name}: expected a list of strings")
    known = [target_of(each.spans) for each in _targets(task, example, field, None)]
    missing = [each for each in (record.target, *record.targets) if each not in known]
    if missing:
        noun = task.targets.nouns()[0]
        raise ValueError(f"target {missing[0]}: no {noun} with a gold label" if missing[0] else "gold: expected labels")
    if not all(isinstance(label, str) for label in record.labels.attacked):
        raise TypeError("labels, attacked: expected a list of strings")
