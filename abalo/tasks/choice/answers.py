"""One answer of a model to one variant of a question: the row that all measures of multiple choice read."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from numbers import Real
from pathlib import Path
from typing import Any

from abalo.corpora.findings import Findings, shown
from abalo.corpora.json_text import strict_json
from abalo.errors import AbaloError
from abalo.files import read_text

ORIG = "orig"
"""The variant that is the question as it was, normalised."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of ``model`` to ``variant`` of the question ``id``; options are counted from 0.

    ``pred_index`` and ``target_index`` are places among the options as they were shown; ``pred_option`` is the place
    that the chosen option has in the original question, by which answers are compared. ``pred_index`` and
    ``pred_option`` are None where the model named no option. ``epoch`` counts repeats of one wording from 1. NaN and
    infinite numbers, as tables have them for what is missing, become None, ``correct`` becomes False and ``epoch`` 1.
    Raises `AbaloError` for values of another kind.
    """

    id: str
    task: str
    model: str
    pred_index: int | None
    target_index: int | None
    correct: bool
    confidence: float | None
    seed: int | None
    variant: str
    paraphrase_id: str | None
    perturbation_kind: str | None
    pred_option: int | None
    epoch: int = 1

    def __post_init__(self) -> None:
        for name, clean in _CLEAN.items():
            object.__setattr__(self, name, clean(name, getattr(self, name)))
        if (self.pred_index is None) != (self.pred_option is None):
            raise AbaloError(
                f"pred_index {self.pred_index}, pred_option {self.pred_option}: expected both, or none of them"
            )

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Answer:
        """The answer with these values by the names above; further ones are not looked at, missing ones are None.

        Without ``pred_option`` the options are taken to stand as in the original question; without ``epoch`` it is the
        first. Raises `AbaloError`.
        """
        known: dict[str, Any] = {name: values.get(name) for name in COLUMNS}
        if "pred_option" not in values:
            known["pred_option"] = known["pred_index"]
        return cls(**known)

    def to_json(self) -> dict[str, Any]:
        """The values by name, as JSON has them."""
        return asdict(self)

    @property
    def missing(self) -> bool:
        """Whether the model named no option."""
        return self.pred_option is None


COLUMNS = tuple(field.name for field in fields(Answer))


def to_lines(rows: Iterable[Answer]) -> str:
    """One line of JSON per answer, in ASCII."""
    return "".join(json.dumps(row.to_json(), allow_nan=False) + "\n" for row in rows)


def read(path: Path) -> list[Answer]:
    """The answers in a file of JSON lines; raises `AbaloError`, naming every line that holds none."""
    findings = Findings(str(path), lenient=False)
    rows: list[Answer] = []
    try:
        lines = read_text(path).split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise AbaloError(f"{path}: cannot be read: {error}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            rows.append(Answer.from_json(_mapping(strict_json(line))))
        except (AbaloError, ValueError, RecursionError) as error:
            findings.error(number, str(error))
    findings.raise_any()
    return rows


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise AbaloError(f"{shown(value)}: expected an object with the values of an answer")
    return value


def _absent(value: object) -> bool:
    return value is None or (isinstance(value, Real) and (value != value or value in (math.inf, -math.inf)))


def _name(name: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise AbaloError(f"{name} {shown(value)}: expected text that is not empty")
    return value


def _label(name: str, value: object) -> str | None:
    return None if _absent(value) or value == "" else _name(name, value)


def _real(name: str, value: object) -> Real | None:
    if _absent(value):
        return None
    if not isinstance(value, Real) or isinstance(value, bool):
        raise AbaloError(f"{name} {shown(value)}: expected a number, or nothing")
    return value


def _number(name: str, value: object) -> float | None:
    number = _real(name, value)
    try:
        return None if number is None else float(number)
    except OverflowError as error:
        raise AbaloError(f"{name} {shown(value)}: expected a number that a float can hold, or nothing") from error


def _whole(name: str, value: object) -> int | None:
    number = _real(name, value)
    if number is None:
        return None
    whole = math.floor(number)
    if whole != number:
        raise AbaloError(f"{name} {shown(value)}: expected a whole number, or nothing")
    return int(whole)


def _place(name: str, value: object) -> int | None:
    number = _whole(name, value)
    if number is not None and number < 0:
        raise AbaloError(f"{name} {shown(value)}: expected an option counted from 0, or nothing")
    return number


def _epoch(name: str, value: object) -> int:
    number = _whole(name, value)
    if number is not None and number < 1:
        raise AbaloError(f"{name} {shown(value)}: expected a repeat counted from 1, or nothing")
    return 1 if number is None else number


def _truth(name: str, value: object) -> bool:
    if _absent(value):
        return False
    if value not in (0, 1):
        raise AbaloError(f"{name} {shown(value)}: expected true or false")
    return bool(value)


_CLEAN = {
    "id": _name,
    "task": _name,
    "model": _name,
    "pred_index": _place,
    "target_index": _place,
    "correct": _truth,
    "confidence": _number,
    "seed": _whole,
    "variant": _name,
    "paraphrase_id": _label,
    "perturbation_kind": _label,
    "pred_option": _place,
    "epoch": _epoch,
}
