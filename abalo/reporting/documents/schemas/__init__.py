"""JSON Schemas (draft 2020-12) of a run's files; that of robustness.json follows from the records of a document."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files

from abalo.config.options import recorded_schema
from abalo.core.document import SCHEMA, Document
from abalo.core.example import JsonObject
from abalo.core.found import OtherView
from abalo.core.probe import Probe, probes
from abalo.core.record_schemas import object_schema, reference
from abalo.core.task import Task, tasks

ROBUSTNESS, EXAMPLES = "robustness", "examples"

_HEAD = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": f"urn:abalo:robustness:{SCHEMA.rpartition('/')[2]}",
    "title": "robustness.json of Abalo",
    "description": "The report of a run.",
}

_OTHER_VIEWS = "The numbers that differ in the other views. Bounds are about the view of the case only."

_OF_STRANGERS = (["case", "sentence_id", "seed"], ["case", "rank", "example"])


def schema_of(kind: str) -> JsonObject:
    """Returns the schema, with fields of registered external tasks and probes."""
    if kind == ROBUSTNESS:
        return _of_document()
    schema: JsonObject = json.loads(files(__name__).joinpath(f"{kind}.json").read_text(encoding="utf-8"))
    if not all(map(_ships, tasks().values())):
        schema["anyOf"] += [{"type": "object", "required": required} for required in _OF_STRANGERS]
    return schema


def _of_document() -> JsonObject:
    named: dict[str, JsonObject] = {}
    whole = {**_HEAD, **object_schema(Document, named)}
    named["options"] = recorded_schema()
    whole["properties"]["options"] = {"$ref": "#/$defs/options", "description": "Options of the run."}
    result, views = named["result"], {"type": "array", "items": reference(OtherView, named)}
    result["properties"]["other_views"] = views | {"description": _OTHER_VIEWS}
    result["required"].append("other_views")
    _admit(result, (probe.result_fields for probe in probes().values() if not _ships(probe)))
    _admit(result, (task.report.result_fields for task in tasks().values() if not _ships(task)))
    return whole | {"$defs": named}


def _admit(result: JsonObject, strangers: Iterable[Iterable[str]]) -> None:
    for each in strangers:
        for name in each:
            result["properties"].setdefault(name, True)


def _ships(member: Probe | Task) -> bool:
    return type(member).__module__.startswith("abalo.")
