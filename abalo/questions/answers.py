"""Answers of a model to variants of a question."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from numbers import Real
from pathlib import Path

from abalo.core.records.example import JsonObject
from abalo.corpora.findings import Findings, show_value
from abalo.corpora.json_text import strict_json
from abalo.errors import AbaloError
from abalo.files import read_text

ORIG = "orig"


@dataclass(frozen=True, slots=True)
class ChoiceAnswer:
    """The answer of ``model`` to ``variant`` of the question ``id``.

    ``pred_index`` and ``target_index`` are places as shown, from 0. ``pred_option`` is the chosen place in the original
    question. Both predictions are None if the model named no option. ``epoch`` counts repeats from 1. NaN and infinite
    numbers become None, False in ``correct`` and 1 in ``epoch``. Raises AbaloError for other types.
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
    def from_json(cls, values: Mapping[str, object]) -> ChoiceAnswer:
        """The answer with these values; unknown keys are ignored. Raises AbaloError.

        ``pred_option`` defaults to ``pred_index``, ``epoch`` to 1.
        """
        known: JsonObject = {name: values.get(name) for name in COLUMNS}
        if "pred_option" not in values:
            known["pred_option"] = known["pred_index"]
        return cls(**known)

    def to_json(self) -> JsonObject:
        return asdict(self)

    @property
    def missing(self) -> bool:
        """True if the model named no option."""
        return self.pred_option is None


COLUMNS = tuple(field.name for field in fields(ChoiceAnswer))


def to_lines(rows: Iterable[ChoiceAnswer]) -> str:
    """The answers as lines of ASCII JSON."""
    return "".join(json.dumps(row.to_json(), allow_nan=False) + "\n" for row in rows)


def read(path: Path) -> list[ChoiceAnswer]:
    """The answers in a JSON lines file. AbaloError lists all invalid lines."""
    findings = Findings(str(path), lenient=False)
    rows: list[ChoiceAnswer] = []
    try:
        lines = read_text(path).split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise AbaloError(f"{path}: cannot be read: {error}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            rows.append(ChoiceAnswer.from_json(_mapping(strict_json(line))))
        except (AbaloError, ValueError, RecursionError) as error:
            findings.error(number, str(error))
    findings.raise_any()
    return rows


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise AbaloError(f"{show_value(value)}: expected an object with the values of an answer")
    return value


def _absent(value: object) -> bool:
    return value is None or (isinstance(value, Real) and (value != value or value in (math.inf, -math.inf)))


def _name(name: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise AbaloError(f"{name} {show_value(value)}: expected text that is not empty")
    return value


def _label(name: str, value: object) -> str | None:
    return None if _absent(value) or value == "" else _name(name, value)


def _real(name: str, value: object) -> Real | None:
    if _absent(value):
        return None
    if not isinstance(value, Real) or isinstance(value, bool):
        raise AbaloError(f"{name} {show_value(value)}: expected a number, or nothing")
    return value


def _number(name: str, value: object) -> float | None:
    number = _real(name, value)
    try:
        return None if number is None else float(number)
    except OverflowError as error:
        raise AbaloError(f"{name} {show_value(value)}: expected a number that a float can hold, or nothing") from error


def _whole(name: str, value: object) -> int | None:
    number = _real(name, value)
    if number is None:
        return None
    whole = math.floor(number)
    if whole != number:
        raise AbaloError(f"{name} {show_value(value)}: expected a whole number, or nothing")
    return int(whole)


def _place(name: str, value: object) -> int | None:
    number = _whole(name, value)
    if number is not None and number < 0:
        raise AbaloError(f"{name} {show_value(value)}: expected an option counted from 0, or nothing")
    return number


def _epoch(name: str, value: object) -> int:
    number = _whole(name, value)
    if number is not None and number < 1:
        raise AbaloError(f"{name} {show_value(value)}: expected a repeat counted from 1, or nothing")
    return 1 if number is None else number


def _truth(name: str, value: object) -> bool:
    if _absent(value):
        return False
    if value not in (0, 1):
        raise AbaloError(f"{name} {show_value(value)}: expected true or false")
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
