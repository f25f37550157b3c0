"""The log of an attack: one line of JSON per target, written as it goes, from which a stopped attack resumes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import starmap
from pathlib import Path
from typing import Any

from abalo.core.example import Example
from abalo.core.outcome import Outcome, Reached
from abalo.core.task import Task
from abalo.corpora.examples import TEXT
from abalo.errors import AbaloError
from abalo.files import explained, read_text, write_bytes
from perturbations import Sentence, Span, sentence_id

Json = Mapping[str, Any]

FORMAT = "abalo attack log 2"

OLDER = ("abalo attack log 1",)
"""Formats in which a failure can still be tried again, but from which no attack resumes.

In format 1 a success was every word wrong, also of an entity that was found all the same, and neither the candidates
nor the best state of a search were kept.
"""

ATTACKS = "attacks"
"""The folder for logs among the reports."""

_LONGEST_NAME = 40


def log_name(case: str, training: int = 0) -> str:
    """The name of the log of the case with that id: the beginning of the id, and a digest of all of it.

    Of several trainings each has a log, counted from 0.
    """
    case += f"[training-{training + 1}]" if training else ""
    words = re.sub(r"[^A-Za-z0-9._+]+", "-", case.partition("/")[2])[:_LONGEST_NAME].strip("-.")
    return f"{words}-{hashlib.blake2b(case.encode(), digest_size=4).hexdigest()}.jsonl"


class Log:
    """A log under way. ``past`` holds the records of an earlier run of the same attack, when resuming."""

    def __init__(self, path: Path, run: Mapping[str, Any], *, resume: bool = False) -> None:
        """Opens the log of a ``run``, given as JSON values: everything that results depend on.

        Raises `AbaloError` where there is a log to resume, but of another run, or where it cannot be read or written.
        """
        self.path = path
        header = {"format": FORMAT, **run}
        self.past = _past(path, header) if resume and path.exists() else []
        write_bytes(path, lines([header, *self.past]))

    def add(self, records: Iterable[Json]) -> None:
        """Appends the records."""
        with explained(self.path, self.path.parent), self.path.open("ab") as file:
            file.write(lines(records))


def read(path: Path) -> tuple[Json, list[Json]]:
    """Header and records of a log, without a last line that was cut off; raises `AbaloError` for another file."""
    try:
        *whole, last = read_text(path).split("\n")
        records = [json.loads(line) for line in [*whole, *([last] if _is_json(last) else [])]]
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
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _past(path: Path, header: Json) -> list[Json]:
    found, records = read(path)
    if found["format"] != FORMAT:
        raise AbaloError(
            f"{path}: written by an older version, under another definition of success ({found['format']!r}, now "
            f"{FORMAT!r}); remove it, or run without --abalo-resume"
        )
    if found != json.loads(lines([header])):
        raise AbaloError(f"{path}: the log of another run; remove it, or run without --abalo-resume")
    return records


def lines(records: Iterable[Json]) -> bytes:
    """One line of JSON each; a lone surrogate, which UTF-8 cannot hold, becomes the escape that JSON has for it."""
    text = "".join(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n" for record in records)
    return text.encode("utf-8", "backslashreplace")


def record_of(attack: str, outcome: Outcome, task: Task) -> Json:
    """The target, the edits and the labels: enough to show the search and to repeat it.

    ``kind`` is that of a success, ``obstacle`` the reason of a failure, null otherwise; ``best`` the best state that
    the search reached, null where it is the one it ended in. Where the goal is another one than to break the target,
    ``reached`` says whether the search came to it.
    """
    searched = outcome.searched
    assert searched is not None
    now = task.targets.seen(outcome)
    clean = task.targets.seen(replace(outcome, variant=None, prediction=outcome.clean))
    return {
        **seen_record(attack, task, outcome, outcome.targets, {"clean": clean.labels, "attacked": now.labels}),
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


def _best_record(outcome: Outcome, best: Reached, task: Task) -> Json:
    seen = task.targets.seen(replace(outcome, variant=best.variant, prediction=best.prediction))
    return {"edits": [edit.to_json() for edit in best.variant.perturbed.edits], "labels": seen.labels}


def target_of(spans: Sequence[Span]) -> list[Any] | None:
    """The labelled span that a record is about, as a JSON value; None where it is about the label of the whole."""
    return next(([span.start, span.stop, span.type] for span in spans), None)


def sentence_of(record: Json) -> Sentence:
    """The sentence of a record as it was before the edits."""
    tokens, spaces = (tuple(record[name]) for name in ("tokens", "spaces"))
    tags = None if record["tags"] is None else tuple(record["tags"])
    own = record.get("example") or {"anchors": (), "policy": "bio"}
    return Sentence(tokens, tags, spaces, tuple(starmap(Span, own["anchors"])), policy=own["policy"])


def example_of(record: Json) -> tuple[Example, str]:
    """The example of a record as it was before the edits, and the name of the field that was edited."""
    sentence = sentence_of(record)
    own = record.get("example") or {"fields": {TEXT: None}, "gold": None}
    fields = {
        name: sentence if given is None else Sentence(tuple(given["tokens"]), None, tuple(given["spaces"]))
        for name, given in own["fields"].items()
    }
    (field,) = (name for name, given in own["fields"].items() if given is None)
    gold = None if own["gold"] is None else tuple(own["gold"])
    key = record.get("sentence_id") or sentence_id(sentence)
    return Example(key, fields, key, gold), field


def seen_record(name: str, task: Task, outcome: Outcome, spans: Sequence[Span], labels: Json) -> Json:
    """The edits of a sentence under the name of an attack or promise, and the ``labels`` of the target, a span if any.

    Of an example of several fields the sentence is the one that was edited, the first where none was. ``example`` is
    what the sentence alone does not say: the other fields, by name in their order, null for the edited one.
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
