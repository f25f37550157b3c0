"""The keys of thresholds.toml: the JSON Schema that editors read (`abalo.config.thresholds_schema`), as tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from abalo.config.thresholds_schema import EXTENDS, case_schema, gate_schema, parameters_schema, run_schema
from abalo.core.protocols.probe import probes_of
from abalo.core.protocols.task import tasks
from abalo.core.records.settings import CLEAN_SETTINGS, WAIVER_SETTINGS, loss_settings
from abalo.scores.rules import SCORE_SETTINGS
from docs.made import NOTICE, table
from docs.making.types_in_words import in_words

PAGE = Path(__file__).parents[1] / "reference" / "thresholds.md"

INTRODUCTION = f"""\
# thresholds.toml

{NOTICE}

The file names the cases of a run, their parameters and their bounds. [Set bounds](../how-to/bounds.md) shows how to
write one. `abalo` reports every problem of the file in one message with the place, the value and the expected values.

`pytest` reads `thresholds.toml` in the working directory, or the file of `--abalo-thresholds`. If neither
exists, the default cases run without bounds.

```toml
extends = "default"             # all default cases, those below replaced

[gate]
seeds = [1, 2]

[run]
model = "./checkpoint"
corpus = "dev.conll"

[[ner.baseline]]
min_f1 = 0.8

[[ner.character_noise]]
rate = 0.1
max_f1_drop = {{overall = 0.25, PER = 0.3}}
```

## Completion and checks in an editor

[Taplo](https://taplo.tamasfe.dev) and the extension *Even Better TOML* read a [JSON Schema](thresholds.schema.json) of
the file. They then complete keys, show their meaning and mark errors. Write the schema beside the file, and name it in
the first line:

```sh
abalo schema thresholds > thresholds.schema.json
```

```toml
#:schema ./thresholds.schema.json

[[ner.baseline]]
min_f1 = 0.8
```

`abalo schema thresholds` includes the tasks and perturbations that a `conftest.py` in the working directory registers.
A schema cannot check everything: `abalo list cases --thresholds FILE` reads the file as a run does.

## Top level

"""

CASES = """\
## Entries

`[[TASK.NAME]]` is one case. TASK is one of {tasks}. NAME is a perturbation, attack, invariance or list of rewordings
([all names by task](tasks.md#names-by-task)), or `baseline`, `pipeline`, `slice` or `capability`. Write the table
several times for several cases of one name. An empty list, `TASK.NAME = []`, removes the cases of the file that this
one extends.

### Settings of every entry

Slices refuse `view` and `seeds`. Capabilities refuse `view`, `seeds` and `limit`. Rewordings refuse `view` and `seeds`.

"""

BOUNDS = """\
### Bounds

`max_METRIC` and `min_METRIC` bound a [metric](metrics.md) of the task. A bound is a number in the range of the metric,
or a table with a number for each group: `min_f1 = {overall = 0.8, PER = 0.9}`. Groups are entity types, labels, parts
of speech or variants of questions. A case without bounds is measured and not judged. A bound fails only if the whole
corrected interval is beyond it ([statistics](../explanation/statistics.md)).

### Losses against an accepted run

These keys count in runs with `--abalo-against` or `[gate] against`.

"""

WAIVERS = """
The next three accept a larger loss until a date. Give all three or none.

"""


CLEAN = """\
### Clean corpus

`[[TASK.baseline]]` has two more keys. `[[choice.baseline]]` also has `seed` and `exclude_flagged` of
[rewordings](#rewordings).

"""

PERTURBATIONS = """\
### Perturbations

`[[TASK.NAME]]` with the name of a [perturbation](perturbations.md), which lists its own parameters. These are common:

"""

ATTACKS = """\
### Attacks

`[[TASK.NAME]]` with the name of an [attack](attacks.md). Each attack has some of these keys:

"""

INVARIANCES = """\
### Invariances

`[[TASK.NAME]]` with the name of an [invariance](perturbations.md#invariances). Each has some of these keys:

"""

SLICES = """\
### Slices

`[[TASK.slice]]` compares a [slice](perturbations.md#slices) with the rest. Each slice has some of these keys:

"""

CAPABILITIES = """\
### Capabilities

`[[TASK.capability]]` fills templates ([capabilities](../how-to/capabilities.md)). They can also be in
`capabilities.toml` beside this file. Its key `suites` adds files with capabilities: `suites = ["bundled:ner-en"]`.

"""

VARIES = object()
"""The default of a key that is not the same everywhere."""


def made() -> str:
    """The whole page."""
    ner = tasks()["ner"]
    probes = {probe.name: probe for task in tasks().values() for probe in probes_of(task)}
    common = case_schema(ner, probes["perturbation"], "accents")
    bounds = {name for name in common if name.startswith(("max_", "min_"))}
    named = {name: common[name] for name in common if name not in {*bounds, *WAIVER_SETTINGS}}
    loss = {"max_METRIC_loss": loss_settings(["f1"])["max_f1_loss"].described()}
    loss["max_newly_wrong"] = common["max_newly_wrong"]
    waiver = {name: wanted.described() for name, wanted in WAIVER_SETTINGS.items()}
    clean = {name: wanted.described() for name, wanted in CLEAN_SETTINGS.items()}
    parts = [
        INTRODUCTION + rows({"extends": EXTENDS}),
        "## [gate]\n\nHow the run is judged.\n\n" + rows(gate_schema()["properties"]),
        "## [run]\n\nOptions of the run. Options of the command line win. Paths are relative to the file.\n\n"
        + rows(run_schema()["properties"]),
        "## [[scores.NAME]]\n\nHow `abalo gate` judges the scores of a metric ([guide](../how-to/scores.md)).\n\n"
        + rows({name: wanted.described() for name, wanted in SCORE_SETTINGS.items()}),
        CASES.format(tasks=", ".join(f"`{name}`" for name in tasks())) + rows(named),
        f"{BOUNDS}{rows(loss)}{WAIVERS}{rows(waiver)}",
        f"{CLEAN}{rows(clean)}",
        f"{PERTURBATIONS}{rows(_perturbation())}",
        f"### Pipelines\n\n`[[TASK.pipeline]]` applies perturbations in turn.\n\n{rows(_of('pairs', 'pipeline'))}",
        f"{ATTACKS}{rows(_of_all('attack'))}",
        f"{INVARIANCES}{rows(_of_all('invariance'))}",
        f"{SLICES}{rows(_of_all('slice'))}",
        f"{CAPABILITIES}{rows(_of('ner', 'capability'))}",
        f"### Rewordings\n\n`[[choice.NAME]]` puts questions in other ways.\n\n{rows(_of_all('rewording'))}",
    ]
    return "\n".join(parts)


def rows(properties: Mapping[str, Mapping[str, Any]]) -> str:
    """A table of keys."""
    found = [
        [
            f"`{name}`" if name else "*slot*",
            in_words(schema),
            _written(schema["default"]) if "default" in schema else "–",
            str(schema.get("description", "")),
        ]
        for name, schema in properties.items()
    ]
    return table(("Key", "Type", "Default", "Meaning"), found)


def _written(value: Any) -> str:
    """A default as TOML has it."""
    return "differs" if value is VARIES else f"`{json.dumps(value, ensure_ascii=False)}`"


def _perturbation() -> dict[str, Any]:
    """The keys that perturbations have in common."""
    names = ("rate", "at_least", "inside_entities", "span_source", "field", "require")
    found: dict[str, Any] = {}
    for task in ("pairs", "ner"):
        probe = next(each for each in probes_of(tasks()[task]) if each.name == "perturbation")
        for each in probe.entries.tables(tasks()[task]):
            found |= parameters_schema(tasks()[task], probe, each)[0]
    return {name: found[name] | ({"default": VARIES} if name == "rate" else {}) for name in names}


def _of(task: str, probe: str) -> dict[str, Any]:
    """The keys of the one table of a probe, keys of its own included."""
    kind = next(each for each in probes_of(tasks()[task]) if each.name == probe)
    known, free = parameters_schema(tasks()[task], kind, kind.entries.tables(tasks()[task])[0])
    return known if free is None else {**known, "": free}


def _of_all(probe: str) -> dict[str, Any]:
    """The keys of all tables of a probe, with what each of them can be anywhere."""
    found: dict[str, dict[str, Any]] = {}
    for task in tasks().values():
        for kind in probes_of(task):
            if kind.name != probe:
                continue
            for each in kind.entries.tables(task):
                for name, schema in parameters_schema(task, kind, each)[0].items():
                    known = found.setdefault(name, dict(schema))
                    if known.get("default") != schema.get("default"):
                        known["default"] = VARIES
                    if in_words(known) != in_words(schema):
                        found[name] = _either(known, schema)
    return found


def _either(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """A schema for what either allows."""
    ways = [*one.get("anyOf", [one]), *other.get("anyOf", [other])]
    plain = [{key: each[key] for key in each if key not in ("default", "description")} for each in ways]
    kept = {key: one[key] for key in ("default", "description") if key in one}
    return {"anyOf": [each for place, each in enumerate(plain) if each not in plain[:place]], **kept}
