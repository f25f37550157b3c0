"""``abalo schema``: JSON Schemas that reports fit, and that broken ones do not."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from abalo.cli import main
from abalo.reporting.documents.schemas import EXAMPLES, ROBUSTNESS, schema_of
from abalo.reporting.documents.stored import as_stored, as_text, sealed
from tests.reporting.documents import able, both, invariant, sample, searched, sliced
from tests.reports import misfits, misfits_of_lines
from tests.rows import every

pytestmark = pytest.mark.slow

SAMPLE = Path(__file__).parents[2] / "reports" / "sample" / "robustness.json"

OPEN = {
    "model_args",  # what a user gives a model of Inspect
    "attack_record",  # a line of a log, as are its best state and its edits
    "best",
    "edits",
    "by_seed",  # metrics by name
    "corpus",  # tasks add fields
    "deal",  # as a shard wrote it
    "model",  # likewise
    "task",  # likewise
    "params",  # a probe's own
    "rerun",  # as accept wrote it
    "rows",  # what an attack kept of its searches
    "settings",  # an adapter's own
}
"""The objects that may have any field."""


def stored(document: dict) -> dict:
    """The document as a run writes it."""
    return json.loads(as_text(sealed(as_stored(document))))


def test_the_sample_report_fits():
    assert misfits(json.loads(SAMPLE.read_text("utf-8"))) == []


@pytest.mark.parametrize("document", [sample, searched, invariant, sliced, able, both])
def test_reports_of_every_kind_of_case_fit(document):
    assert misfits(stored(document())) == []


@pytest.mark.parametrize("kind", [ROBUSTNESS, EXAMPLES])
def test_it_is_a_schema_of_draft_2020_12(kind, capsys):
    assert main(["schema", kind]) == 0
    schema = json.loads(capsys.readouterr().out)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema == schema_of(kind)


def test_without_a_name_it_is_that_of_robustness_json(capsys):
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["properties"]["schema"]["const"] == "abalo-robustness/6"


def objects(schema: object, name: str = "") -> Iterator[tuple[str, dict]]:
    """Each schema of an object in a schema, with the name under which it stands."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield name, schema
        for key, value in schema.items():
            if key == "allOf":  # conditions on objects that are described elsewhere
                continue
            yield from objects(value, key if key not in ("anyOf", "items", "properties") else name)
    elif isinstance(schema, list):
        for each in schema:
            yield from objects(each, name)


@pytest.mark.parametrize("kind", [ROBUSTNESS, EXAMPLES])
def test_every_object_is_closed_but_for_those_that_tasks_and_probes_fill(kind):
    found = {name for name, schema in objects(schema_of(kind)) if schema.get("additionalProperties", {}) == {}}
    assert found <= OPEN


def cases(document: dict) -> dict[str, dict]:
    return {result["id"]: result for result in document["results"]}


def drop(place: str):
    """Removes what stands at a place such as ``results.0.metrics``."""

    def broken(document):
        *path, last = place.split(".")
        del at(document, path)[last]

    return broken


def put(place: str, value: object):
    """Puts a value there."""

    def broken(document):
        *path, last = place.split(".")
        at(document, path)[last] = value

    return broken


def at(document, path):
    for part in path:
        document = document[int(part) if part.isdigit() else part]
    return document


MEASURED = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 9}

BROKEN = {
    "another schema": (put("schema", "abalo-robustness/2"), "$.schema"),
    "no verdict": (drop("verdict"), "$"),
    "a verdict of another word": (put("verdict", "passed"), "$.verdict"),
    "a count below 0": (put("counts.fail", -1), "$.counts.fail"),
    "a field that nobody wrote": (put("verdicts", "pass"), "$"),
    "a digest that is none": (put("evidence_sha256", "abc"), "$.evidence_sha256"),
    "a missing case that is no id": (put("missing", [3]), "$.missing"),
    "a share above 1": (put("gate.confidence", 1.5), "$.gate.confidence"),
    "a setting of the gate that is gone": (drop("gate.resamples"), "$.gate"),
    "an option that is gone": (drop("options.dtype"), "$.options"),
    "a model without a fingerprint": (drop("tasks.ner.model.fingerprint"), "$.tasks.ner.model"),
    "a label that is a number": (put("tasks.ner.model.labels", [1]), "$.tasks.ner.model.labels[0]"),
    "a corpus without a digest": (drop("tasks.ner.corpus.sha256"), "$.tasks.ner.corpus"),
    "a metric that is a bare number": (put("results.0.metrics.f1", 0.5), "$.results[0].metrics.f1"),
    "a metric without its n": (put("results.0.metrics.f1", {"value": 0.5, "low": 0.4, "high": 0.6}), "metrics.f1"),
    "a value that is text": (put("results.0.metrics.f1", MEASURED | {"value": "0.5"}), "metrics.f1"),
    "half of an n": (put("results.0.metrics.f1", MEASURED | {"n": 9.5}), "metrics.f1"),
    "numbers per type as rows": (put("results.0.per_type", {"types": ["PER"], "PER": {"f1": MEASURED}}), "per_type"),
    "a result without a field": (drop("results.0.inputs"), "$.results[0]"),
    "a result with examples": (put("results.0.examples", []), "$.results[0]"),
    "a level that there is not": (put("results.0.kind", "semantics"), "$.results[0].kind"),
    "facts of an attack of no attack": (put("results.0.attack", {}), "$.results[0].attack"),
    "facts of questions elsewhere": (put("results.0.questions", {}), "$.results[0].questions"),
    "a limit that is text": (put("results.0.judgements.0.limit", "0.1"), "$.results[0].judgements[0].limit"),
    "a p above 1": (put("results.0.judgements.0.p", 1.2), "$.results[0].judgements[0].p"),
    "a view without a name": (drop("results.0.other_views.0.view"), "$.results[0].other_views[0]"),
    "a comparison without a state": (put("comparison", {"reference": {"name": "1.0"}}), "$.comparison"),
    "a regression of another status": (put("regressions", [{"id": "a", "status": "ok"}]), "$.regressions[0]"),
}


@every("name", BROKEN)
def test_a_broken_report_does_not_fit(name):
    broken, place = BROKEN[name]
    document = stored(sample())
    broken(document)
    assert any(place in problem for problem in misfits(document)), misfits(document)


RECORD = {
    "case": "ner/accents",
    "sentence_id": "9f2c41d0a7b3e865",
    "seed": 1,
    "tokens": ["José", "veio"],
    "gold": ["B-PESSOA", "O"],
    "clean": ["B-PESSOA", "O"],
    "edits": [{"start": 0, "stop": 1, "tokens": ["Jose"]}],
    "predicted": ["O", "O"],
}

QUESTION = {
    "case": "choice/baseline",
    "sentence_id": "q1",
    "seed": 0,
    "question": "Which?",
    "options": ["a", "b"],
    "edits": {},
    "gold": 0,
    "clean": None,
    "predicted": None,
}


def lines(*records: dict) -> list[str]:
    return [json.dumps(each) for each in records]


def test_lines_of_examples_fit():
    examples = [each for result in sample()["results"] for each in result["examples"]]
    shown = [{"case": "ner/accents", "rank": rank, "example": each} for rank, each in enumerate(examples, start=1)]
    assert len(shown) == 4
    assert misfits_of_lines(lines(RECORD, RECORD | {"place": "0-1-PESSOA"}, QUESTION, *shown)) == []


@pytest.mark.parametrize(
    "line",
    [
        {name: value for name, value in RECORD.items() if name != "seed"},
        RECORD | {"seed": "1"},
        RECORD | {"gold": 0},
        RECORD | {"edits": [{"start": 0, "tokens": ["Jose"]}]},
        RECORD | {"more": 1},
        QUESTION | {"gold": None},
        {"case": "ner/accents", "rank": 1, "example": {}},
        {"case": "ner/accents", "rank": 0, "example": sample()["results"][6]["examples"][0]},
    ],
)
def test_a_broken_line_of_examples_does_not_fit(line):
    assert len(misfits_of_lines(lines(line))) == 1


CONFTEST = """
from dataclasses import dataclass

from abalo.core.documents.found import ResultFields
from abalo.core.protocols.probe import probes
from abalo.probes.baseline import Baseline


@dataclass(frozen=True, slots=True, kw_only=True)
class LoudFields(ResultFields):
    loudness: float = 0.0


class Loud(Baseline):
    name = "loud"
    result_fields = LoudFields


probes.register(Loud())
"""


def test_it_needs_no_model_library_and_knows_fields_of_kinds_of_cases_of_a_conftest(tmp_path):
    (tmp_path / "conftest.py").write_text(CONFTEST)
    code = "import sys, abalo.cli; abalo.cli.main(['schema']); sys.exit('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    printed = done.stdout
    schema = json.loads(printed)
    assert schema["$defs"]["result"]["properties"]["loudness"] == {"type": "number"}
    schema["$defs"]["result"]["properties"].pop("loudness")
    assert schema == schema_of(ROBUSTNESS)
