"""JSON Schemas of the files of a run, draft 2020-12, as files of their own.

They are closed: a field that Abalo does not write is an error, as is one that is missing. Open are what tasks and kinds
of case name themselves, such as parameters, settings of models and metrics, and the facts of tasks that do not ship.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from abalo.core.probe import Probe, probes
from abalo.core.task import Task, tasks

ROBUSTNESS, EXAMPLES = "robustness", "examples"
"""The schemas by name: of robustness.json, and of each line of examples.jsonl."""


_OF_STRANGERS = (["case", "sentence_id", "seed"], ["case", "rank", "example"])
"""The fields without which no line can be read, whatever else a task has in it: of a wrong unit, and of an example."""


def schema_of(kind: str) -> dict[str, Any]:
    """The schema of that name, with the fields of tasks and kinds of case that are registered and do not ship."""
    schema: dict[str, Any] = json.loads(files(__name__).joinpath(f"{kind}.json").read_text(encoding="utf-8"))
    if kind == ROBUSTNESS:
        _admit(schema, (probe.result_fields for probe in probes().values() if not _ships(probe)))
        _admit(schema, (task.report.result_fields for task in tasks().values() if not _ships(task)))
    elif not all(map(_ships, tasks().values())):
        schema["anyOf"] += [{"type": "object", "required": required} for required in _OF_STRANGERS]
    return schema


def _admit(schema: dict[str, Any], strangers: Iterable[Iterable[str]]) -> None:
    """Adds the fields of results that strangers have."""
    result = schema["$defs"]["result"]["properties"]
    for each in strangers:
        for name in each:
            result.setdefault(name, True)


def _ships(member: Probe | Task) -> bool:
    return type(member).__module__.startswith("abalo.")
