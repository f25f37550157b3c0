"""JSON lines of Prodigy, as ``prodigy db-out`` writes them.

https://prodi.gy/docs/api-interfaces defines the form: ``spans`` holds entities and ``relations`` relations. A category
is a ``label``, accepted or rejected, or an id of ``options`` in ``accept``. Only accepted answers are gold.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from abalo.core.protocols.corpus_spec import Omitted, Reader
from abalo.core.records.json_records import Json
from abalo.core.records.tally import Tally
from abalo.corpora.findings import show_value
from abalo.corpora.json_text import file_reader
from abalo.corpora.spans import AGAIN

_HASHES = ("_input_hash", "_task_hash")
_ANSWERS = ("accept", "reject", "ignore")
_OURS = ("options", "accept", "answer", "config", "versions")


def _claims(record: Json) -> bool:
    marked = not {"spans", "options", "label"}.isdisjoint(record)
    return not record.keys().isdisjoint(_HASHES) or (record.get("answer") in _ANSWERS and "text" in record and marked)


def _convert(values: Iterable[tuple[int, Any]], _tally: Tally) -> list[tuple[int, Any]]:
    found: list[tuple[int, Any]] = []
    seen: set[str] = set()
    asked: dict[str, list[tuple[int, Json]]] = {}
    for place, value in values:
        if not isinstance(value, dict):
            found.append((place, value))
        elif isinstance(value.get("label"), str) and "spans" not in value:
            asked.setdefault(repr(value.get(_HASHES[0], value.get("text"))), []).append((place, value))
        else:
            found.append((place, _converted(value, seen)))
    found += [_of_questions(each) for each in asked.values()]
    return sorted(found, key=lambda each: each[0])


def _converted(record: Json, seen: set[str]) -> Json | Omitted:
    if (reason := _refused(record)) is not None:
        return reason
    if _HASHES[1] in record:
        key = repr(record[_HASHES[1]])
        if key in seen:
            return Omitted(AGAIN)
        seen.add(key)
    made = _plain(record)
    if "options" in record or "accept" in record:
        chosen, config = record.get("accept"), record.get("config")
        is_multiple = isinstance(config, dict) and config.get("choice_style") == "multiple"
        return {**made, "label": chosen if chosen or is_multiple else None}
    return made if "spans" in made or {*_HASHES}.isdisjoint(record) else {**made, "spans": []}


def _of_questions(answers: list[tuple[int, Json]]) -> tuple[int, Json | Omitted]:
    """Joins answers about single categories of one text."""
    place, record = next((each for each in answers if _refused(each[1]) is None), answers[0])
    if (reason := _refused(record)) is not None:
        return place, reason
    labels = [*dict.fromkeys(each["label"] for _, each in answers if _refused(each) is None)]
    return place, {**_plain(record), "label": labels if len(labels) > 1 else labels[0]}


def _refused(record: Json) -> Omitted | None:
    answer = record.get("answer", _ANSWERS[0])
    return None if answer == _ANSWERS[0] else Omitted(f"the answer {show_value(answer)}")


def _plain(record: Json) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key not in _OURS and not key.startswith("_")}


READER = Reader(
    "prodigy",
    "JSON lines of Prodigy: spans, relations and categories with the answer accept",
    file_reader(_convert, "prodigy"),
    claims=_claims,
    convert=_convert,
)
