"""The files of a run: fields from the JSON Schemas that reports are held to, tables of counts as they are stored."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from abalo.reporting.documents.schemas import EXAMPLES, ROBUSTNESS, schema_of
from docs.made import NOTICE, table
from docs.making.types_in_words import in_words

PAGE = Path(__file__).parents[1] / "reference" / "report.md"

INTRODUCTION = f"""\
# The files of a run

{NOTICE}

Every run writes to `reports/`, also one that was interrupted. `--abalo-reports DIR` chooses another folder.

| File | Content |
| --- | --- |
| `robustness.json` | the results: [below](#the-run) |
| `report.html` | one self-contained page with the verdict, charts and the worst examples |
| `robustness.md` | a summary for a review |
| `report.metrics.json` | numbers by name for trackers; ends of intervals behind `.low` and `.high` |
| `robustness.tex` | all tables, with `--abalo-latex` |
| `evidence.npz` | the counts behind every number, without text: [below](#evidencenpz) |
| `examples.jsonl` | every wrong example: [below](#examplesjsonl) |
| `attacks/*.jsonl` | the log of each attack, one line per target |
| `counterexamples.jsonl` | the smallest edits that break invariances |
| `last-run.json` | the id of the last run that began here |

`examples.jsonl`, the logs and `counterexamples.jsonl` quote the corpus. `--abalo-no-text` does not write them, and
removes older ones.

* Each file appears in one step: a reader sees the old run or the new one.
* One run at a time writes to a folder. Another run is refused with exit code 4.
* A run in which no case runs leaves an earlier report as it is. Its id in `last-run.json` makes that report *stale*:
  `verdict`, `accept`, `comment` and `merge` refuse it. A wrong option or thresholds file leaves both as they are.

## Checks

`abalo schema` prints a JSON Schema (draft 2020-12) of `robustness.json`, and `abalo schema examples` one for a line of
`examples.jsonl`. Tasks and kinds of test may add fields of their own.

Every command that reads a report checks its `seal`, a digest of all other fields, and ends with exit code 2 if the
report was damaged or edited. `verdict`, `accept`, `comment` and `log-mlflow` also check that the evidence beside it has
the digest `evidence_sha256`. `abalo verdict reports/ --recount` judges the run again from `evidence.npz`, and needs no
seal. Digests show damage, not forgery: whoever edits a report can seal it again.

## Read a report

```python
import json

with open("reports/robustness.json", encoding="utf-8") as file:
    document = json.load(file)
tags = [result for result in document["results"] if result["task"] == "ner" and result["bound"]]
print(document["verdict"], {{result["id"]: result["metrics"]["f1_drop"]["value"] for result in tags}})
```

* Numbers have at most six decimals. A number that is not defined is null.
* Scores and rates are from 0 to 1, drops from −1 to 1: clean minus perturbed, positive is worse. Logits have no range.
* A *unit* is an example with one seed, one target of a search in an example, or one variant of an example.
* Fields of one kind of test, such as `attack`, are absent in other results.
* [Metrics](metrics.md) and [statistics](../explanation/statistics.md) explain the numbers.

"""

SECTIONS: Mapping[str, tuple[str, str]] = {
    "": ("## The run", ""),
    "task": ("### Task", "`tasks.NAME`: what was judged, and on what. Tasks share these fields."),
    "design": (
        "### Design",
        "The design of a run with `--abalo-budget` or `--abalo-design` ([how](../how-to/compare.md)).",
    ),
    "model": ("### Model", ""),
    "corpus": (
        "### Corpus",
        "Tasks add fields, such as `labels`. `artefacts` of pairs is the accuracy of baselines that read one side.",
    ),
    "type": ("### Types", "How the entity types of model and corpus fit. Other tasks have some of these fields."),
    "options": ("### Options", "`abalo accept --rerun` repeats the run with these. They never allow foreign code."),
    "gate": ("### Gate", ""),
    "baseline": ("### Baseline", "The clean corpus, with a *measured* number for each metric, such as `f1`."),
    "least": ("### Clean score", "`least` of a baseline."),
    "shard": ("### Shard", "`abalo merge` reads it. `missing` then names cases of this shard only."),
    "estimated": ("### Measured", "A number with its interval. null if the number is not defined."),
    "columns": ("### Columns", "A table of groups, stored by column."),
    "result": (
        "## Result",
        "One test in the view of its bounds. The last fields depend on the kind of test.",
    ),
    "judgement": ("### Judgement", ""),
    "attack": ("### Attack", "[Metrics](metrics.md#how-searches-count) defines search and success."),
    "invariance": ("### Invariance", ""),
    "slice": ("### Slice", ""),
    "capability": ("### Capability", ""),
    "answers": ("### Questions", "Numbers are means over questions. Answers are compared as options of the original."),
    "regression": ("### Regression", "A record that `--abalo-regressions` tried again."),
    "comparison": ("## Comparison", "Losses against an accepted run ([compare releases](../how-to/compare.md))."),
    "compared_task": ("### Compared task", ""),
    "loss": ("### Loss", ""),
    "label_count": ("### Label count", "A label of `lost`, `small_lost` or `found_less`."),
    "unit_difference": ("### Changed example", ""),
}
"""The definitions that have a table of their own, with their heading and a line about it."""

OF_EXAMPLES: Mapping[str, tuple[str, str]] = {
    "labelled_unit": (
        "### Wrong example",
        "One line for each unit with a wrong prediction before or after the change.",
    ),
    "edit": ("### Edit", ""),
    "question_unit": ("### Wrong answer", ""),
    "passage_unit": ("### Wrong answer about a passage", ""),
    "translated_unit": ("### Translation", "One line for each that is no reference, or that a change made worse."),
    "labelled_example": (
        "### Shown example",
        "Then a line for each example that a report shows, at most ten per case: `case`, `rank` from 1 and `example`.",
    ),
}

EVIDENCE = """\
## evidence.npz

The counts behind every number: a NumPy archive in the format `abalo-evidence/1`, readable with `allow_pickle=False`. It
holds no text, only digests. The array `index` is JSON in UTF-8, as bytes, and names all other arrays. This program
computes F1 of one case from its counts:

```python
import json

import numpy as np

with np.load("reports/evidence.npz", allow_pickle=False) as stored:
    index = json.loads(stored["index"].tobytes())
    case = next(each for each in index["cases"] if each["case"] == "ner/accents")
    tables = case["tables"].get("projected") or case["tables"][""]
    counts = stored[tables["entity_counts"]].sum(axis=0)[0]  # all units, all entity types together
print(round(2 * counts[3] / (counts[4] + counts[5]), 3))
```

### The index

| Field | Type | Meaning |
| --- | --- | --- |
| `format` | string | `"abalo-evidence/1"` |
| `cases` | list of objects | one per measured case, in the order of the results, with the fields below |
| `case` | string | id of the case |
| `groups` | list of strings | groups of the tables after the first |
| `rows` | object of strings | name of an array by field of [the rows](#the-rows-of-a-case) |
| `tables` | object of objects | by view and name of the count, the name of an array (units × 1 + groups × columns; units × 1 × columns if only measured overall); the view is `""` if all compare alike |
| `notes` | object of whole numbers | facts that judging needs, such as `filtered` variants and the `queries` of an attack |

### The rows of a case

Arrays with one entry per unit, in the order of the tables.

| Field | Type | Meaning |
| --- | --- | --- |
| `ids` | strings | the example |
| `golds` | strings | digest of the example with its gold; two runs are compared if it is equal |
| `seeds` | whole numbers | seed of the unit |
| `trainings` | whole numbers | number of the training; absent for one |
| `places` | strings | target of an attack, or id of a variant; else empty |
| `clusters` | strings | units of one cluster are one piece of evidence: copies of an example under all seeds |
| `digests` | strings | digest of the text of the variant; empty if nothing changed |
| `changed` | booleans | whether the model saw a variant |
| `outside` | booleans | for slices: whether the example is outside the slice |
| `held` | whole numbers | gold labels of each group in the example (units × groups) |
| `answers` | strings | digest of the answer (labels, tags, spans, text), without scores; of a random model, of all repeats in any order; absent in files of older versions |

### The tables of a case

The first entry of the second axis is for all groups, the others are for `groups` in order. Widen the types before you
add many rows. Metrics are computed from sums over units.

| Table | Columns |
| --- | --- |
| `entity_counts` | clean: found, predicted, gold; perturbed: found, predicted, gold |
| `sided_counts` (slices) | inside: found, predicted, gold; outside: the same. For parts of speech: right, labelled |
| `token_counts` (parts of speech) | clean: right, labelled; perturbed: right, compared; compared and right when clean, of them wrong now; compared with the tag predicted |
| `damage_counts` | gold entity tokens right when clean, of them wrong now; gold entities, not found exactly, with a wrong token |
| `structure_counts` | gold entities; found clean; found clean and after; the same at old positions; found after; the same at old positions; with scores on both sides, sum of their drops in mean gold logit |
| `confidence_counts` | tokens, sum of drops in logit, in probability, for the gold label; the same for the label predicted when clean |
| `search_counts` (attacks) | targets; successes; with a single change; sum of shares of words changed; failures by reason; for entities: missed, other type, boundary; partial successes and any word wrong, then both in the best state |
| `pass_counts` (capabilities) | fillings that passed, and those with an answer; groups are templates |
| `invariance_counts` (invariances) | edits, edits that break it |
| `answer_counts` (questions) | sum and number of five rates: right, missing, consistent, answered otherwise, accuracy lost |

"""  # noqa: E501

FURTHER = """\
## Other files

### Accepted run

`abalo accept reports/ --as references/1.0` writes three files to commit, without examples:

| File | Content |
| --- | --- |
| `robustness.json` | the report |
| `evidence.npz.xz` | the counts, compressed |
| `accepted.json` | `date` and `commit` of the acceptance, the last `rerun`, the chain `since` the first reference, and `sha256`, a digest of both JSON files |

A reference with an edited or damaged file is refused.

### comparison.json

`abalo compare OLD NEW --out DIR` writes it beside `comparison.md` and `comparison.html`.

| Field | Type | Meaning |
| --- | --- | --- |
| `schema` | string | `"abalo-comparison/1"` |
| `verdict` | `"pass"`, `"fail"`, `"inconclusive"` | verdict of the losses alone, with exit code 0, 1 or 10 |
| `thresholds` | string | file with the cases and limits |
| `gate` | object | its settings |
| `reference`, `new` | objects | both runs: `name`, `date`, `commit`, `dirty`, `accepted`, `written`, `abalo`, `thresholds`, and by task, in `tasks`, its `model`, `fingerprint`, `version`, `corpus`, `sha256` and `limit` |
| `text` | boolean | whether the new run has an `examples.jsonl`; without it no sentence is quoted |
| `left_out` | list of objects | tasks and cases that are not compared: `id` and `reason` |
| `comparison` | object | as in `robustness.json`: [comparison](#comparison) |

### history.json

`abalo history FOLDER … --out DIR` writes it. `schema` is `"abalo-history/1"`, `releases` are the runs, oldest first, and
`tasks` holds by task:

| Field | Type | Meaning |
| --- | --- | --- |
| `metric` | string | metric of the clean score |
| `states` | list of strings or nulls | state of each release against the one before; null for the first |
| `since_first` | list of strings or nulls | state against the first release, from the third on |
| `rows` | list of objects | for each case its `id`, `metric` and, by release, `values`, `states` and `paired_by` |

### summary.json

`abalo aggregate` writes it beside `summary.md` and `answers.csv`. `summaries` holds one object per task and model. Rates
are means over questions.

| Field | Type | Meaning |
| --- | --- | --- |
| `task`, `model` | string | whose answers they are |
| `questions`, `varied` | whole number | questions, and those with a variant |
| `k`, `repeats` | whole number | most variants of a question; number of epochs |
| `answers`, `missing` | whole number | answers, and those that name no option |
| `accuracy`, `missing_rate`, `consistency_at_k`, `fragility_score`, `delta_accuracy` | measured | [metrics](metrics.md#multiple-choice-questions) |
| `noise` | measured | share of pairs of repeats of one wording that are answered differently |
| `fragility_beyond_noise` | measured | share of pairs of original and variant from different epochs that are answered differently, less `noise` |
| `mcnemar` | object | originals against the majority of their variants |
| `variants` | list of objects | the same numbers for each variant |
| `places` | list of objects | as in [questions](#questions) |

### abalo list --format json

`schema` is `"abalo-list/1"`, `thresholds` names the file of the listed cases, and each kind is a list of

| Field | Type | Meaning |
| --- | --- | --- |
| `name`, `about` | strings | name and summary |
| `tasks` | list of strings | tasks that it is for |
| `languages`, `excluded` | lists of strings | ISO 639-1 codes; `languages` is empty for any but those excluded |
| `cost` | string | model inputs in words; empty if none |
| `example` | string | before → after; empty without one |
"""  # noqa: E501


def made() -> str:
    """The whole page."""
    robustness, examples = schema_of(ROBUSTNESS), schema_of(EXAMPLES)
    parts = [INTRODUCTION, *(section(name, *said, robustness, SECTIONS) for name, said in SECTIONS.items())]
    parts += [EVIDENCE, "## examples.jsonl\n\nOne JSON object a line.\n\n"]
    parts += [section(name, *said, examples, OF_EXAMPLES) for name, said in OF_EXAMPLES.items()]
    return "".join([*parts, FURTHER])


def section(name: str, title: str, about: str, schema: Mapping[str, Any], known: Mapping[str, tuple[str, str]]) -> str:
    """The table of a definition."""
    part = schema["$defs"][name] if name else schema
    rows = [
        [f"`{field}`", typed(each, schema["$defs"], known), str(each["description"])]
        for field, each in part["properties"].items()
        if "description" in each
    ]
    head = f"{title}\n\n" + (f"{about}\n\n" if about else "")
    return head + table(("Field", "Type", "Meaning"), rows) + "\n"


def typed(schema: Any, definitions: Mapping[str, Any], known: Mapping[str, tuple[str, str]]) -> str:
    """The values of a field in words, with links to the tables of this page."""
    if isinstance(schema, bool):
        return "any"
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        kin = (each for each in known if each and each.partition("_of_")[0] == name.partition("_of_")[0])
        alike = name if name in known else next(kin, "")
        if alike:
            title = known[alike][0].lstrip("# ")
            return f"[{title.lower()}](#{title.lower().replace(' ', '-')})"
        return typed(definitions[name], definitions, known)
    if "allOf" in schema and "$ref" in schema["allOf"][0]:
        return typed(schema["allOf"][0], definitions, known)
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(typed(each, definitions, known) for each in schema["anyOf"]))
    if schema.get("type") == "array" and isinstance(schema.get("items"), Mapping) and schema["items"]:
        items = typed(schema["items"], definitions, known)
        if "](" in items:
            return f"list: {items}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"object: {typed(schema['additionalProperties'], definitions, known)}"
    if isinstance(schema.get("items"), Mapping):
        return in_words({**schema, "items": plain(schema["items"], definitions)})
    return in_words(schema)


def plain(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    """The definition that a reference means, else the schema itself."""
    found: Mapping[str, Any] = schema
    while "$ref" in found:
        found = definitions[str(found["$ref"]).rpartition("/")[2]]
    return found
