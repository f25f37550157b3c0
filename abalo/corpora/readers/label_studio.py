"""The JSON and JSON-MIN exports of Label Studio.

https://labelstud.io/guide/task_format and https://labelstud.io/guide/export define the form. ``data`` holds texts. An
annotation has results: labelled spans, choices, and relations between spans. Gold is the ground truth, or else the
first annotation that was not cancelled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from abalo.core.protocols.corpus_spec import Omitted, Reader
from abalo.core.records.json_records import Json
from abalo.core.records.tally import Tally
from abalo.corpora.json_text import file_reader
from abalo.corpora.spans import AGAIN

_ANNOTATIONS = ("annotations", "completions")
_CHOICES = "choices"


def _claims(record: Json) -> bool:
    return _is_task(record) or _is_short(record)


def _is_task(record: Json) -> bool:
    return isinstance(record.get("data"), Mapping) and any(isinstance(record.get(key), list) for key in _ANNOTATIONS)


def _is_short(record: Json) -> bool:
    """Whether this is JSON-MIN."""
    return "annotation_id" in record and "lead_time" in record


def _convert(values: Iterable[tuple[int, Any]], tally: Tally) -> Iterator[tuple[int, Any]]:
    seen: set[str] = set()
    for place, value in values:
        if isinstance(value, dict) and _is_task(value):
            yield place, _of_task(value, tally)
        elif isinstance(value, dict) and _is_short(value):
            yield place, _of_short(value, seen)
        else:
            yield place, value


def _of_short(record: Json, seen: set[str]) -> Json | Omitted:
    if (key := repr(record.get("id"))) in seen:
        return Omitted(AGAIN)
    seen.add(key)
    chosen = [each[_CHOICES] for each in record.values() if isinstance(each, dict) and _CHOICES in each]
    return {**record, "label": chosen[0]} if len(chosen) == 1 else record


def _of_task(task: Json, tally: Tally) -> Json | Omitted:
    given = next(task[key] for key in _ANNOTATIONS if isinstance(task.get(key), list))
    done = [each for each in given if isinstance(each, dict) and not each.get("was_cancelled")]
    if not done:
        return Omitted("no annotation")
    tally.left_out("annotation", "beside another of the same text", len(done) - 1)
    gold = next((each for each in done if each.get("ground_truth")), done[0])
    if not isinstance(gold.get("result"), list):
        return task
    results = [each for each in gold["result"] if isinstance(each, dict)]
    made: dict[str, Any] = {key: each for key, each in task["data"].items() if isinstance(each, str | int | float)}
    chosen: list[Any] = []
    spans: dict[str, dict[str, Any]] = {}
    for number, each in enumerate(results):
        given_value = each.get("value")
        value: dict[str, Any] = given_value if isinstance(given_value, dict) else {}
        if "labels" in value and {"start", "end"} <= value.keys():
            spans[repr(each.get("id", number))] = value
        elif _CHOICES in value and "start" not in value:
            chosen += value[_CHOICES] if isinstance(value[_CHOICES], list) else [value[_CHOICES]]
        elif each.get("type") != "relation":
            tally.left_out("result", f"of the type {each.get('type')}")
    if chosen:
        made["label"] = chosen
    if spans or not chosen:
        made["spans"] = [*spans.values()]
    related = [each for each in results if each.get("type") == "relation"]
    if related:
        made["relations"] = [*_relations(related, spans, tally)]
    return made


def _relations(results: Iterable[Json], spans: Mapping[str, dict[str, Any]], tally: Tally) -> Iterator[dict[str, Any]]:
    for each in results:
        ends = [spans.get(repr(each.get(key))) for key in ("from_id", "to_id")]
        if None in ends:
            tally.left_out("relation", "of what is no labelled span")
            continue
        head, child = ends[::-1] if each.get("direction") == "left" else ends
        labels = each.get("labels")
        for label in labels if isinstance(labels, list) and labels else [None]:
            yield {"head_span": head, "child_span": child, "label": label}


READER = Reader(
    "label_studio",
    "JSON or JSON-MIN of Label Studio: labels, choices and relations of the first annotation of each text",
    file_reader(_convert, "label_studio"),
    claims=_claims,
    convert=_convert,
)
