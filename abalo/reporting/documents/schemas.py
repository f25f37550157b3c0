"""JSON Schemas (draft 2020-12) of a run's files, from their records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Union

from abalo.config.options import recorded_schema
from abalo.core.documents.document import SCHEMA
from abalo.core.documents.found import ResultFields
from abalo.core.protocols.probe import probes
from abalo.core.protocols.task import tasks
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import json_schema
from abalo.reporting.documents.examples import ShownLine
from abalo.reporting.documents.stored import StoredDocument
from abalo.scores.facts import SCHEMA as SCORES_SCHEMA
from abalo.scores.facts import GateDocument

ROBUSTNESS, EXAMPLES, GATE = "robustness", "examples", "gate"


def schema_of(kind: str) -> JsonObject:
    """Returns the schema, with fields of registered external tasks and probes."""
    if kind == GATE:
        return {**json_schema(GateDocument), **_head(GATE, SCORES_SCHEMA.rpartition("/")[2], "gate.json of Abalo")}
    return _of_document() if kind == ROBUSTNESS else _of_line()


def _of_line() -> JsonObject:
    reports = [task.report for task in tasks().values()]
    lines = json_schema(Union[ShownLine, *(each.unit for each in reports)])
    shown = json_schema(Union[*(each.example for each in reports if each.example is not None)])
    named = {**lines.pop("$defs"), **shown.pop("$defs")}
    named["shown_line"]["properties"]["example"] = shown
    return {**_head(EXAMPLES, 2, "A line of examples.jsonl of Abalo"), **lines, "$defs": dict(sorted(named.items()))}


def _head(name: str, number: object, title: str) -> JsonObject:
    place = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:abalo:{name}:{number}"}
    return {**place, "title": title}


def _of_document() -> JsonObject:
    head = _head(ROBUSTNESS, SCHEMA.rpartition("/")[2], "robustness.json of Abalo")
    whole = {**json_schema(StoredDocument), **head}
    named = whole["$defs"]
    named["options"] = recorded_schema()
    whole["properties"]["options"] = {"$ref": "#/$defs/options", "description": "Options of the run."}
    kinds = [("probe", name, probe.result_fields) for name, probe in probes().items()]
    kinds += [("task", name, task.report.result_fields) for name, task in tasks().items()]
    for said, name, fields in kinds:
        _add(fields, {said: name}, named)
    return whole


def _add(fields: type[ResultFields], of: Mapping[str, str], named: JsonObject) -> None:
    """Adds the fields to results, where some are required of this probe or task."""
    own, result = json_schema(fields), named["result"]
    named |= own["$defs"]
    result["properties"] |= own["properties"]
    if own["required"]:
        is_of = {"properties": {name: {"const": value} for name, value in of.items()}, "required": [*of]}
        result.setdefault("allOf", []).append({"if": is_of, "then": {"required": own["required"]}})
