"""JSON Schemas (draft 2020-12) of a run's files.

Unknown or missing fields are errors, except parameters, model settings, metrics and facts of external tasks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files

from abalo.core.document import (
    DeviceRun,
    Document,
    ForeseenLoss,
    FullPrecision,
    Least,
    PlanFacts,
    Skipped,
    TrainingFacts,
)
from abalo.core.example import JsonObject
from abalo.core.probe import Probe, probes
from abalo.core.record_schemas import object_schema, reference
from abalo.core.task import Task, tasks

ROBUSTNESS, EXAMPLES = "robustness", "examples"


OF_TASKS = (DeviceRun, ForeseenLoss, FullPrecision, Least, PlanFacts, Skipped, TrainingFacts)

_OF_STRANGERS = (["case", "sentence_id", "seed"], ["case", "rank", "example"])


def schema_of(kind: str) -> dict[str, object]:
    """Returns the schema, with fields of registered external tasks and probes."""
    schema: JsonObject = json.loads(files(__name__).joinpath(f"{kind}.json").read_text(encoding="utf-8"))
    if kind == ROBUSTNESS:
        schema = _complete(schema)
        _admit(schema, (probe.result_fields for probe in probes().values() if not _ships(probe)))
        _admit(schema, (task.report.result_fields for task in tasks().values() if not _ships(task)))
    elif not all(map(_ships, tasks().values())):
        schema["anyOf"] += [{"type": "object", "required": required} for required in _OF_STRANGERS]
    return schema


def _complete(rules: JsonObject) -> dict[str, object]:
    declared: dict[str, JsonObject] = {}
    whole = {**object_schema(Document, declared), **rules}
    for each in OF_TASKS:
        reference(each, declared)
    names = dict.fromkeys((*declared, *rules["$defs"]))
    return whole | {"$defs": {name: _join(declared.get(name, {}), rules["$defs"].get(name, {})) for name in names}}


def _join(declared: JsonObject, rules: JsonObject) -> dict[str, object]:
    found = {**declared, **rules}
    if declared.keys() & rules.keys() >= {"required", "properties"}:
        found["required"] = [*declared["required"], *rules["required"]]
        found["properties"] = {**declared["properties"], **rules["properties"]}
    return found


def _admit(schema: JsonObject, strangers: Iterable[Iterable[str]]) -> None:
    result = schema["$defs"]["result"]["properties"]
    for each in strangers:
        for name in each:
            result.setdefault(name, True)


def _ships(member: Probe | Task) -> bool:
    return type(member).__module__.startswith("abalo.")
