"""Regression tests: changes that broke a model, kept to be tried again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from abalo.attacks.log import FORMAT, example_of, lines, read, sentence_of, target_of
from abalo.core.example import Example
from abalo.core.targets import Target, placed
from abalo.core.task import Task, tasks
from abalo.errors import AbaloError
from abalo.files import write_bytes
from perturbations import Edit, Perturbed, Sentence, apply, render, sentence_id

Json = Mapping[str, Any]

Status = Literal["fixed", "still broken", "broken differently"]
"""The status now: fixed where the target is not broken any more, still broken where it has the recorded wrong labels.

An entity is broken where all its words are wrong and it is not found; of a promise the whole entity has to be right. A
text is broken where its labels are wrong. A target that the model has wrong before the change is broken differently.
"""

OLDEST = "ner"
"""The task of records that do not say theirs: once there were none of others."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A broken target tried again. ``before`` and ``after`` are lines of text with gold labels, ``noun`` names it."""

    status: Status
    before: str
    after: str
    labels: tuple[str, ...]
    recorded: tuple[str, ...]
    noun: str = "entity"

    @property
    def explanation(self) -> str:
        """The status, the example before and after, and the labels now and then, in four lines."""
        return (
            f"{self.status}\n  before: {self.before}\n  after:  {self.after}\n"
            f"  the {self.noun} is labelled {' '.join(self.labels)}; then {' '.join(self.recorded)}"
        )


def replayed(record: Json, predict: Callable[[Sequence[Any]], Sequence[Any]]) -> Replay:
    """The edits of the record made again, and the status under this model.

    ``predict`` is given inputs of the task that the record is of.
    """
    task, (example, field) = task_of(record), example_of(record)
    made = _made(record, example.fields[field])
    changed = replace(example, fields={**example.fields, field: made.sentence})
    clean, attacked = predict([task.input(example), task.input(changed)])
    targets = _targets(task, example, field, clean)
    target = next(each for each in targets if target_of(each.spans) == record["target"])
    labels, recorded = target.labels_in(attacked, made), tuple(record["labels"]["attacked"])
    held = _kept(record, targets, made, attacked) if "promise" in record else not target.read(attacked, made).broken
    status: Status = "still broken" if labels == recorded else "broken differently"
    if not target.right:
        status = "broken differently"
    elif held:
        status = "fixed"
    noun = target.noun or task.targets.nouns()[0]
    return Replay(status, _said(task, example), _said(task, changed), labels, recorded, noun)


def task_of(record: Json) -> Task:
    """The task that a record is of; raises KeyError for one that is not there."""
    return tasks()[record.get("task", OLDEST)]


def changed_example(record: Json) -> Example:
    """The example of a record after the edits."""
    example, field = example_of(record)
    return replace(example, fields={**example.fields, field: _made(record, example.fields[field]).sentence})


def _targets(task: Task, example: Example, field: str, clean: Any) -> list[Target]:
    """The targets of the field that was edited, those of goals of their own among them."""
    found = (task.targets.of(example, clean, None, goal) for goal in ("", *task.targets.goals))
    return placed(chain.from_iterable(found), field)


def _kept(record: Json, targets: Sequence[Target], made: Perturbed, after: Any) -> bool:
    """Whether each of the targets that the promise is about, if the model has it right clean, is right as a whole."""
    promised = [each for each in targets if target_of(each.spans) in record["targets"]]
    return all(each.holds(after, made) for each in promised if each.holds(each.clean))


def _said(task: Task, example: Example) -> str:
    """An example with its gold in one line; white space too where that is a sentence in the bracket notation."""
    return render(example.sentence, spaces=True) if task.labelled == "spans" else task.templates.said(example)


def load(path: Path) -> list[Json]:
    """The records of a regression corpus, or of the log of an attack those that were broken.

    Raises `AbaloError` naming the line that cannot be made again.
    """
    kept = []
    for number, record in enumerate(read(path)[1], start=1):
        try:
            if record["broken"]:
                _check(record)
                kept.append(record)
        except (KeyError, TypeError, ValueError) as error:
            raise AbaloError(f"{path}: record {number} cannot be made again: {error!r}") from error
    return kept


def save(path: Path, records: Iterable[Json]) -> int:
    """Adds the broken records to the corpus, each target and change once; returns how many are new."""
    known = load(path) if path.exists() else []
    everything = {name_of(record): record for record in known}
    fresh = {name_of(record): record for record in records if record["broken"] and name_of(record) not in everything}
    write_bytes(path, lines([{"format": FORMAT}, *everything.values(), *fresh.values()]))
    return len(fresh)


def name_of(record: Json) -> str:
    """A name that two records share when they do the same to the same target, in letters, digits and dashes."""
    key = sentence_id(sentence_of(record))
    if record["target"] is not None:
        start, stop, _ = record["target"]
        return f"{record['attack']}-{key}-{start}-{stop}-{_digest(record['edits'])}"
    return f"{record['attack']}-{key}-{_digest([record['example'], record['edits']])}"


def _digest(value: Any) -> str:
    return hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=4).hexdigest()


def _check(record: Json) -> None:
    """Raises KeyError, TypeError or ValueError for a record that cannot be tried again."""
    task, (example, field) = task_of(record), example_of(record)
    _made(record, example.fields[field])
    for name, labels in (("tags", sentence_of(record).tags), ("gold", example.gold)):
        if not all(isinstance(label, str) for label in labels or ()):
            raise TypeError(f"{name}: expected a list of strings")
    known = [target_of(each.spans) for each in _targets(task, example, field, None)]
    missing = [each for each in (record["target"], *record.get("targets", ())) if each not in known]
    if missing:
        noun = task.targets.nouns()[0]
        raise ValueError(f"target {missing[0]}: no {noun} with a gold label" if missing[0] else "gold: expected labels")
    if not all(isinstance(label, str) for label in record["labels"]["attacked"]):
        raise TypeError("labels, attacked: expected a list of strings")


def _made(record: Json, sentence: Sentence) -> Perturbed:
    return apply(sentence, [Edit.from_json(edit) for edit in record["edits"]])
