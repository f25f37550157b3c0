"""The log of an attack: one line of JSON per target, from which a stopped attack resumes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import starmap
from pathlib import Path

from abalo.attacks.record import AttackRecord, RecordedExample
from abalo.core.protocols.task import Task
from abalo.core.records.example import Example
from abalo.core.records.json_records import Json, as_json
from abalo.core.records.json_records import read as read_record
from abalo.core.records.outcome import Outcome, Reached
from abalo.corpora.examples import TEXT
from abalo.corpora.json_text import json_written
from abalo.errors import AbaloError
from abalo.files import explain_errors, read_text, write_bytes
from perturbations import Sentence, Span, sentence_id

LogRecord = Json

FORMAT = "abalo attack log 2"

OLDER = ("abalo attack log 1",)
"""Formats that can be replayed, but not resumed.

Format 1 counts an entity as broken if all words are wrong, even if it is found.
"""

ATTACKS = "attacks"

_LONGEST_NAME = 40


def log_name(case: str, training: int = 0) -> str:
    """File name of a case's log; ``training`` counts from 0."""
    case += f"[training-{training + 1}]" if training else ""
    words = re.sub(r"[^A-Za-z0-9._+]+", "-", case.partition("/")[2])[:_LONGEST_NAME].strip("-.")
    return f"{words}-{hashlib.blake2b(case.encode(), digest_size=4).hexdigest()}.jsonl"


class Log:
    """The open log of a ``run``, which holds everything that results depend on.

    ``past`` holds the earlier records of a resumed attack.
    """

    def __init__(self, path: Path, run: Mapping[str, object], *, resume: bool = False) -> None:
        """Raises `AbaloError` for another run's log, or if it cannot be read or written."""
        self.path = path
        header = {"format": FORMAT, **run}
        self.past = _past(path, header) if resume and path.exists() else []
        write_bytes(path, lines([header, *self.past]))

    def add(self, records: Iterable[LogRecord]) -> None:
        """Appends the records."""
        with explain_errors(self.path, self.path.parent), self.path.open("ab") as file:
            file.write(lines(records))


def read(path: Path, *, interrupted: bool = False) -> tuple[LogRecord, list[LogRecord]]:
    """Header and records; raises `AbaloError` for another file.

    ``interrupted`` leaves out a cut last record.
    """
    try:
        *whole, last = read_text(path).split("\n")
        cut = not last or (interrupted and not _is_json(last))
        records = [json_written(line) for line in [*whole, *([] if cut else [last])]]
    except OSError as error:
        raise AbaloError(
            f"{path}: cannot be read: {error.strerror or error}; give a file that --abalo-save-failures wrote, or a "
            "log in attacks/ beside a report"
        ) from error
    except (ValueError, RecursionError) as error:
        raise AbaloError(f"{path}: not the log of an attack: {error}") from error
    if not records or not isinstance(records[0], dict) or records[0].get("format") not in (FORMAT, *OLDER):
        raise AbaloError(f"{path}: not the log of an attack: its first line does not say {FORMAT!r}")
    return records[0], records[1:]


def _is_json(line: str) -> bool:
    try:
        json_written(line)
    except (ValueError, RecursionError):
        return False
    return True


def _past(path: Path, header: LogRecord) -> list[AttackRecord]:
    found, records = read(path, interrupted=True)
    if found["format"] != FORMAT:
        raise AbaloError(
            f"{path}: written by an older version, under another definition of success ({found['format']!r}, now "
            f"{FORMAT!r}); remove it, or run without --abalo-resume"
        )
    if found != json.loads(lines([header])):
        raise AbaloError(f"{path}: the log of another run; remove it, or run without --abalo-resume")
    try:
        return [read_record(AttackRecord, each) for each in records]
    except TypeError as error:
        raise AbaloError(
            f"{path}: not the log of an attack: {error}; remove it, or run without --abalo-resume"
        ) from error


def lines(records: Iterable[LogRecord | AttackRecord]) -> bytes:
    """One line of JSON per record; lone surrogates become escapes."""
    text = "".join(json.dumps(as_json(record), ensure_ascii=False, allow_nan=False) + "\n" for record in records)
    return text.encode("utf-8", "backslashreplace")


def record_of(attack: str, outcome: Outcome, task: Task) -> LogRecord:
    """Target, edits and labels of a search, enough to repeat it.

    ``obstacle`` is the reason of a failure. ``best`` is null if the final state is best.
    """
    searched = outcome.searched
    assert searched is not None
    now = task.targets.seen(outcome)
    clean = task.targets.seen(replace(outcome, variant=None, prediction=outcome.clean))
    return {
        **record_of_edits(attack, task, outcome, outcome.targets, {"clean": clean.labels, "attacked": now.labels}),
        "broken": now.broken,
        "kind": now.kind,
        "obstacle": None if now.broken else searched.obstacle,
        "similarity": searched.similarity,
        "choices": searched.choices,
        "queries": searched.queries,
        "spent": searched.spent,
        "tried": asdict(searched.tried),
        "best": None if searched.best is None else _best_record(outcome, searched.best, task),
        **({} if searched.reached is None else {"reached": searched.reached}),
    }


def _best_record(outcome: Outcome, best: Reached, task: Task) -> LogRecord:
    seen = task.targets.seen(replace(outcome, variant=best.variant, prediction=best.prediction))
    return {"edits": [edit.to_json() for edit in best.variant.perturbed.edits], "labels": seen.labels}


def target_of(spans: Sequence[Span]) -> list[object] | None:
    """The target span; None for a label of the whole text."""
    return next(([span.start, span.stop, span.type] for span in spans), None)


_ALONE = RecordedExample(fields={TEXT: None}, anchors=(), policy="bio", gold=None)
"""Stands in records that only tell a sentence."""


def sentence_of(record: AttackRecord) -> Sentence:
    """A record's sentence before the edits."""
    tags, own = None if record.tags is None else tuple(record.tags), record.example or _ALONE
    anchors = tuple(starmap(Span, own.anchors))
    return Sentence(tuple(record.tokens), tags, tuple(record.spaces), anchors, policy=own.policy)


def example_of(record: AttackRecord) -> tuple[Example, str]:
    """A record's example before the edits, and the edited field."""
    sentence = sentence_of(record)
    own = record.example or _ALONE
    fields = {
        name: sentence if given is None else Sentence(tuple(given.tokens), None, tuple(given.spaces))
        for name, given in own.fields.items()
    }
    (field,) = (name for name, given in own.fields.items() if given is None)
    gold = None if own.gold is None else tuple(own.gold)
    key = record.sentence_id or sentence_id(sentence)
    return Example(key, fields, key, gold), field


def record_of_edits(name: str, task: Task, outcome: Outcome, spans: Sequence[Span], labels: LogRecord) -> LogRecord:
    """The edits of an attack or invariance, with the target's span and ``labels``.

    ``example`` holds the other fields by name, with null for the edited one.
    """
    made = outcome.perturbed
    source = outcome.edited
    fields = {
        name: None if each is source else {"tokens": each.tokens, "spaces": each.spaces}
        for name, each in outcome.example.fields.items()
    }
    return {
        "attack": name,
        "task": task.name,
        "seed": outcome.seed,
        "sentence_id": outcome.example.id,
        "target": target_of(spans),
        "tokens": source.tokens,
        "spaces": source.spaces,
        "tags": source.tags,
        "example": {
            "fields": fields,
            "anchors": [[span.start, span.stop, span.type] for span in source.anchors],
            "policy": source.policy,
            "gold": outcome.example.gold,
        },
        "edits": [] if made is None else [edit.to_json() for edit in made.edits],
        "adversarial": None if made is None else {"tokens": made.sentence.tokens, "spaces": made.sentence.spaces},
        "labels": labels,
    }
