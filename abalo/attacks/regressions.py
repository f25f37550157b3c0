"""Regression tests: changes that broke a model, kept to be tried again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path
from typing import Any, Literal

from abalo.attacks.log import FORMAT, lines, read, sentence_of
from abalo.corpora.examples import example_of
from abalo.errors import AbaloError
from abalo.files import write_bytes
from abalo.models.prediction import Prediction
from abalo.tasks.ner.metrics.attack import target_seen
from abalo.tasks.ner.targets import entities
from abalo.tasks.tokens.alignment import carried
from perturbations import Edit, Perturbed, Sentence, Span, apply, entity_spans, render, sentence_id

Json = Mapping[str, Any]

Status = Literal["fixed", "still broken", "broken differently"]
"""The status now: fixed where a word of the entity is right or it is found all the same, still broken where its words
have the recorded wrong labels.

Of a promise the whole entity has to be right. An entity that the model no longer finds in the clean sentence is broken
differently.
"""


@dataclass(frozen=True, slots=True)
class Replay:
    """A broken entity tried again. ``before`` and ``after`` are in the bracket notation, with gold labels."""

    status: Status
    before: str
    after: str
    labels: tuple[str, ...]
    recorded: tuple[str, ...]

    @property
    def explanation(self) -> str:
        """The status, both sentences, and the labels now and then, in four lines."""
        return (
            f"{self.status}\n  before: {self.before}\n  after:  {self.after}\n"
            f"  the entity's words are labelled {' '.join(self.labels)}; then {' '.join(self.recorded)}"
        )


def replayed(record: Json, predict: Callable[[Sequence[Sentence]], Sequence[Prediction]]) -> Replay:
    """The edits of the record made again, and the status under this model."""
    sentence, target = sentence_of(record), _target(record)
    made = _made(record, sentence)
    clean, attacked = predict([sentence, made.sentence])
    seen = target_seen(target, made, attacked.tags)
    recorded = tuple(record["labels"]["attacked"])
    found = any(each.span == target and each.right for each in entities(example_of(sentence), clean, ()))
    status: Status = "still broken" if seen.labels == recorded else "broken differently"
    if found and (_kept(record, made, clean, attacked) if "promise" in record else not seen.broken):
        status = "fixed"
    elif not found:
        status = "broken differently"
    return Replay(status, render(sentence, spaces=True), render(made.sentence, spaces=True), seen.labels, recorded)


def _kept(record: Json, made: Perturbed, clean: Prediction, after: Prediction) -> bool:
    """Whether each of the entities that the promise is about, if it is found clean, is found as a whole."""
    before, now = entity_spans(clean.tags), entity_spans(after.tags)
    return all(carried(made, span) in now for span in starmap(Span, record["targets"]) if span in before)


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
    """A name that two records share when they do the same to the same entity, in letters, digits and dashes."""
    sentence = sentence_of(record)
    start, stop, _ = record["target"]
    digest = hashlib.blake2b(json.dumps(record["edits"], sort_keys=True).encode(), digest_size=4).hexdigest()
    return f"{record['attack']}-{sentence_id(sentence)}-{start}-{stop}-{digest}"


def _check(record: Json) -> None:
    """Raises KeyError, TypeError or ValueError for a record that cannot be tried again."""
    sentence, target = sentence_of(record), _target(record)
    _made(record, sentence)
    if not all(isinstance(tag, str) for tag in sentence.tags or ()):
        raise TypeError("tags: expected a list of strings")
    if target not in entity_spans(sentence.tags or ()):
        raise ValueError(f"target {record['target']}: no entity of the sentence")
    if not set(starmap(Span, record.get("targets", ()))) <= set(entity_spans(sentence.tags or ())):
        raise ValueError(f"targets {record['targets']}: not all are entities of the sentence")
    if not all(isinstance(label, str) for label in record["labels"]["attacked"]):
        raise TypeError("labels, attacked: expected a list of strings")


def _target(record: Json) -> Span:
    start, stop, kind = record["target"]
    return Span(int(start), int(stop), str(kind))


def _made(record: Json, sentence: Sentence) -> Perturbed:
    return apply(sentence, [Edit.from_json(edit) for edit in record["edits"]])
