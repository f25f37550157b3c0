"""JSON Schema (draft 7) of thresholds.toml, for editors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

from abalo.comparison.test.turned import can_turn
from abalo.config.run_table import KEYS, RUN
from abalo.config.thresholds import OVERALL, limits_of
from abalo.core.protocols.probe import Probe, probes_of
from abalo.core.protocols.task import Task, tasks
from abalo.core.records.gate import Gate
from abalo.core.records.settings import (
    CLEAN_SETTINGS,
    GATE_SETTINGS,
    WAIVER_SETTINGS,
    Entry,
    Problems,
    case_settings,
    loss_settings,
)
from abalo.core.records.values import schema_of
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import Side
from abalo.scores.rules import SCORE_SETTINGS, SECTION

SchemaNode = dict[str, Any]

_REFERENCE = 30

EXTENDS: Mapping[str, object] = {
    "type": "string",
    "description": 'File whose cases this one takes over: a path, or "default" for the default cases. A table here '
    "replaces the table of that name there; an empty one removes it.",
}


def thresholds_schema() -> SchemaNode:
    """The schema, including registered additions."""
    definitions: SchemaNode = {}
    tables = {SECTION: scores_schema()} | {name: _task(task, definitions) for name, task in tasks().items()}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "urn:abalo:thresholds",
        "title": "thresholds.toml of Abalo",
        "description": "The cases of a run, with parameters and bounds.",
        **_closed_object({"extends": dict(EXTENDS), "gate": gate_schema(), RUN: run_schema(), **tables}),
        "definitions": definitions,
    }


def as_text(schema: SchemaNode) -> str:
    """JSON with one line per definition and table."""
    lines = [
        f' "{key}": {json.dumps(value, ensure_ascii=False)}' for key, value in schema.items() if key != "definitions"
    ]
    known = [f'  "{key}": {json.dumps(value, ensure_ascii=False)}' for key, value in schema["definitions"].items()]
    return "{\n" + ",\n".join([*lines, ' "definitions": {\n' + ",\n".join(known) + "\n }"]) + "\n}\n"


def gate_schema() -> SchemaNode:
    """The table ``[gate]``."""
    usual = {each.name: getattr(Gate(), each.name) for each in fields(Gate)}
    found = {name: wanted.described() | _usual(usual[name]) for name, wanted in GATE_SETTINGS.items()}
    return {"description": "How the run is judged.", **_closed_object(found)}


def scores_schema() -> SchemaNode:
    """The tables ``[[scores.NAME]]``."""
    found = {name: wanted.described() for name, wanted in SCORE_SETTINGS.items()}
    one = {"type": "array", "minItems": 1, "maxItems": 1, "items": _closed_object(found)}
    said = "How scores of `abalo gate` are judged, by metric."
    return {"type": "object", "description": said, "additionalProperties": one}


def run_schema() -> SchemaNode:
    """The table ``[run]``."""
    found: SchemaNode = {}
    for name, option in KEYS.items():
        values = str | dict[str, Any] if name == "label_map" else option.values
        found[name] = (
            schema_of(values)
            | {"description": option.help + (_settings() if name == "corpus" else "")}
            | _usual(False if option.flag else option.default)
        )
    return {"description": "Options of a run; those of the command line win.", **_closed_object(found)}


def _settings() -> str:
    by_task = {name: [each.form for each in task.corpus_kind.settings] for name, task in tasks().items()}
    return "".join(f"; {name}: {', '.join(forms)}" for name, forms in by_task.items() if forms)


def case_schema(task: Task, probe: Probe, table: str) -> SchemaNode:
    """Settings and bounds of a table's entries, by name."""
    entry = Entry(task.name, table, {}, {}, 0, table, Gate(), Problems(Path(table)))
    refused = {*probe.entries.refused_settings(entry, task), *(() if can_turn(probe, task) else ("max_newly_wrong",))}
    settings = case_settings(task.views)
    found = {name: wanted.described() for name, wanted in settings.items() if name not in refused}
    for metric in task.metrics().values():
        if probe.meaningless(metric, task) is None:
            found |= {f"{side}_{metric.name}": _bound(metric, side, task) for side in get_args(Side)}
    kept = [metric.name for metric in task.metrics().values() if not metric.is_drop]
    losses = {name: wanted.described() for name, wanted in loss_settings(kept).items()}
    return found | losses | {name: wanted.described() for name, wanted in WAIVER_SETTINGS.items()}


def parameters_schema(task: Task, probe: Probe, table: str) -> tuple[SchemaNode, SchemaNode | None]:
    """Further keys, and a schema of custom keys or None."""
    entry = Entry(task.name, table, {}, {}, 0, table, Gate(), Problems(Path(table)))
    described = probe.entries.described(table, task)
    known = {name: dict(described.get(name, {})) for name in probe.entries.parameters(entry, task)}
    known |= {name: wanted.described() for name, wanted in CLEAN_SETTINGS.items()} if table == BASELINE else {}
    return known, dict(described[""]) if "" in described else None


def _task(task: Task, definitions: SchemaNode) -> SchemaNode:
    tables: SchemaNode = {}
    having = [(probe, table) for probe in probes_of(task) for table in probe.entries.tables(task)]
    allowed = {(probe.name, table): case_schema(task, probe, table) for probe, table in having}
    every = {name: value for keys in allowed.values() for name, value in keys.items()}
    definitions[task.name] = _keys(every, definitions)
    for probe, table in having:
        own, free = parameters_schema(task, probe, table)
        names = [
            _named_definition(f"{task.name}.{probe.name}", {"enum": list(allowed[probe.name, table])}, definitions)
        ]
        names.append({"enum": list(own)})
        names += [] if free is None else [{"not": {"pattern": "^(max|min)_"}}]
        parts = [
            {"$ref": f"#/definitions/{task.name}"},
            _named_definition(f"table.{table}", _keys(own, definitions), definitions),
        ]
        tables[table] = {"type": "array", "items": {"allOf": parts, "propertyNames": {"anyOf": names}}}
    return {"description": f"Cases of the task: {task.title.lower()}.", **_closed_object(tables)}


def _keys(properties: SchemaNode, definitions: SchemaNode) -> SchemaNode:
    values = {key: _named_definition(f"key.{key}", value, definitions) for key, value in properties.items()}
    return {"type": "object", "properties": values}


def _named_definition(name: str, value: SchemaNode, definitions: SchemaNode) -> SchemaNode:
    if len(str(value)) < len(name) + _REFERENCE:
        return value
    for number in range(1, len(definitions) + 2):
        place = name if number == 1 else f"{name}.{number}"
        if definitions.setdefault(place, value) == value:
            return {"$ref": f"#/definitions/{place}"}
    raise AssertionError(name)


def _bound(metric: Metric, side: str, task: Task) -> SchemaNode:
    number = schema_of(limits_of(metric))
    which = {"min": "Smallest", "max": "Largest"}[side]
    meaning = {"description": f"{which} allowed value of {metric.name}: {metric.meaning or metric.words}."}
    group = f"{OVERALL}, or the name of a group ({task.group_noun})"
    table = {"type": "object", "minProperties": 1, "additionalProperties": number, "description": f"By {group}."}
    overall = {"type": "object", "required": [OVERALL], **_closed_object({OVERALL: number})}
    return {"anyOf": [number, table if metric.per_group else overall], **meaning}


def _usual(value: object) -> SchemaNode:
    if value is None or value == "":
        return {}
    return {"default": list(value) if isinstance(value, tuple) else value}


def _closed_object(properties: Mapping[str, object]) -> SchemaNode:
    return {"type": "object", "properties": dict(properties), "additionalProperties": False}
