import dataclasses
import re
from pathlib import Path

import pytest

from abalo.config.dealing import deal
from abalo.config.options import make_options
from abalo.config.thresholds import Thresholds
from abalo.core.documents.document import Document
from abalo.core.protocols.budget import Budget
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.core.records.gate import Gate
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.panel import Panel
from abalo.models.prompts.calls import Calls
from abalo.questions.summary import Summary
from abalo.reporting.documents.document import SHARD
from abalo.reporting.documents.schemas import EXAMPLES, ROBUSTNESS, schema_of
from abalo.reporting.documents.stored import SEAL, as_stored
from abalo.reporting.formats.files import DIGEST, write_json
from abalo.reporting.runs.design import Design
from abalo.reporting.runs.shards import shard_facts
from docs.making.report import OF_EXAMPLES, SECTIONS
from tests.reporting.documents import CAPABILITY, INVARIANCE, REGRESSION, SLICE, questioned, result_of, sample, searched
from tests.reporting.test_comparing import losses
from tests.rows import every

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "report.md").read_text(encoding="utf-8")


OF_TRAININGS = {"model": {"trainings": []}, "result": {"training": 0}}
"""The fields that are there only where several trainings of a model were judged."""


IN_LOWER_PRECISION = {"model": {"full_precision": {}}}
"""The field that is there only where a model in lower precision is compared with itself."""


WITHOUT_ANSWERS = {"model": {"unanswered": 0.05, "asked": 40}}
"""The field that is there only where a model gave no valid answer to some examples."""

WHERE_CASES_STOP = {"options": {"stop_early": True}, "result": {"taken": None}}
"""The fields that are there only where cases may stop early."""

OF_A_RANDOM_MODEL = {"noise": {}}
"""The field of a case whose model was asked twice."""

OF_SHARDS = {"part": {}}
"""The field of a case of which a shard ran a share."""


def fields_of(name: str) -> set[str]:
    """The fields that a definition of the schema has; of the empty name those at the top."""
    schema = schema_of(ROBUSTNESS)
    return set((schema["$defs"][name] if name else schema)["properties"])


def rows_under(heading: str) -> set[str]:
    """The fields in the table under a heading of the page."""
    table = PAGE.partition(f"\n{heading}\n")[2].partition("\n#")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def a_shard() -> dict:
    """The field about a shard."""
    options = make_options(thresholds=Path("thresholds.toml"), shard="1/2")
    return shard_facts(options, deal((), 2), Thresholds(options.thresholds, Gate(), ()), None, 0)[SHARD]


def a_design() -> dict:
    """The field about a panel."""
    panel = Panel((("ner/accents",),), 1, 64, 1, 1)
    return Design(tasks()["ner"], panel, 70, 128, Budget.read("128f"), (), 64).facts


CALLS = Calls().facts
OF_PROMPTS = {"model": {"repeats": 3, "calls": CALLS, "ungrounded": 1, "ambiguous": 1}}
"""The fields of a language model that is asked by a prompt."""


@every(
    ("name", "fields"),
    [
        ("", sample() | questioned() | {DIGEST: "", SHARD: "", "next": [], "run": "", SEAL: ""}),
        ("shard", a_shard()),
        ("answers", questioned()["results"][0]["questions"]),
        (
            "model",
            sample()["model"]
            | OF_TRAININGS["model"]
            | IN_LOWER_PRECISION["model"]
            | WITHOUT_ANSWERS["model"]
            | {"code": [], **OF_PROMPTS["model"]},
        ),
        ("gate", sample()["gate"]),
        ("design", a_design()),
        (
            "options",
            sample()["options"]
            | WHERE_CASES_STOP["options"]
            | {
                "repeats": 5,
                "budget": "5m",
                "markers": "[E1],[/E1]",
                "selection": [],
            },
        ),
        (
            "result",
            as_stored(sample())["results"][0]
            | OF_TRAININGS["result"]
            | WHERE_CASES_STOP["result"]
            | OF_A_RANDOM_MODEL
            | OF_SHARDS
            | {"calls": CALLS, "prompts": {}}
            | dict.fromkeys(("attack", "invariance", "slice", "capability", "rewording", "questions")),
        ),
        ("attack", result_of(searched(), "entity_attack", "structural")["attack"]),
        ("invariance", INVARIANCE | {"draws": True}),
        ("slice", SLICE),
        ("capability", CAPABILITY),
        ("regression", REGRESSION),
        ("comparison", losses()),
        ("compared_task", losses()["tasks"]["ner"]),
        ("loss", losses()["tasks"]["ner"]["baseline"]),
        ("unit_difference", losses()["tasks"]["ner"]["newly_worse"][0]),
        ("judgement", result_of(sample(), "accents")["judgements"][0] | {"noise": 0.1}),
    ],
)
def test_the_schema_has_every_field_and_no_other(name: str, fields: dict):
    assert fields_of(name) == set(fields)


@every("name", SECTIONS)
def test_every_field_of_a_table_has_its_meaning(name: str):
    schema = schema_of(ROBUSTNESS)
    part = schema["$defs"][name] if name else schema
    assert {field for field, each in part["properties"].items() if not each.get("description")} == set()
    assert rows_under(SECTIONS[name][0]) >= fields_of(name)


@pytest.mark.parametrize("name", OF_EXAMPLES)
def test_every_field_of_an_example_has_its_meaning(name: str):
    fields = schema_of(EXAMPLES)["$defs"][name]["properties"]
    assert {field for field, each in fields.items() if not each.get("description")} == set()


def test_the_page_names_the_counts_and_the_summary():
    stored = {each.name for each in dataclasses.fields(Evidence)} - {"groups", "tables", "notes"}
    assert rows_under("### The rows of a case") == stored
    assert rows_under("### summary.json") == {each.name for each in dataclasses.fields(Summary)}


def test_the_lines_of_python_read_a_report(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_json(typed.read(Document, sample()), tmp_path / "reports")
    exec(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1], {})
    printed = capsys.readouterr().out
    assert printed.startswith("fail {'ner/accents': 0.042844,")
