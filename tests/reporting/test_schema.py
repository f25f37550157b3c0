import dataclasses
import json
import re
from pathlib import Path

import pytest

from abalo.config.dealing import deal
from abalo.config.options import make_options
from abalo.config.thresholds import Thresholds
from abalo.core.evidence import Evidence
from abalo.core.gate import Gate
from abalo.core.parts import DEVICES, SAMPLED
from abalo.core.task import tasks
from abalo.reporting.document import SHARD
from abalo.reporting.files import DIGEST, write_json
from abalo.reporting.schemas import ROBUSTNESS, schema_of
from abalo.reporting.shards import shard_facts
from abalo.reporting.stored import as_stored
from abalo.tasks.choice.summary import Summary
from tests.reporting.documents import CAPABILITY, PROMISE, REGRESSION, SLICE, questioned, result_of, sample, searched
from tests.reporting.test_comparing import losses

PAGE = (Path(__file__).parents[2] / "docs" / "schema.md").read_text(encoding="utf-8")


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

OF_A_CORPUS_IN_SHARDS = {DEVICES: [], SAMPLED: 20}
"""The fields about a task that are there only of a corpus in shards."""


def fields_under(heading: str) -> set[str]:
    """The fields in the table under a heading of the page."""
    table = PAGE.partition(f"\n{heading}\n")[2].partition("\n#")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def a_shard() -> dict:
    """The field about a shard."""
    options = make_options(thresholds=Path("thresholds.toml"), shard="1/2")
    return shard_facts(options, deal((), 2), Thresholds(options.thresholds, Gate(), ()), None, 0)[SHARD]


@pytest.mark.parametrize(
    ("heading", "fields"),
    [
        ("## The run", sample() | questioned() | {DIGEST: "", SHARD: "", "next": []}),
        ("### `shard`", a_shard()),
        ("### `tasks`", sample()["tasks"]["ner"] | OF_A_CORPUS_IN_SHARDS),
        ("### A case about questions", questioned()["results"][0]["questions"]),
        (
            "### `model`",
            sample()["model"]
            | OF_TRAININGS["model"]
            | IN_LOWER_PRECISION["model"]
            | WITHOUT_ANSWERS["model"]
            | {"code": []},
        ),
        *((f"### `{name}`", sample()[name]) for name in ("corpus", "gate", "baseline")),
        ("### `options`", sample()["options"] | WHERE_CASES_STOP["options"] | {"check_twice": True, "selection": []}),
        (
            "## A result",
            as_stored(sample())["results"][0]
            | OF_TRAININGS["result"]
            | WHERE_CASES_STOP["result"]
            | OF_A_RANDOM_MODEL
            | OF_SHARDS,
        ),
        ("### An attack that searches", result_of(searched(), "entity_attack", "structural")["attack"]),
        ("### A promise", PROMISE),
        ("### A slice", SLICE),
        ("### A capability", CAPABILITY),
        ("### A regression", REGRESSION),
        ("## Losses against a reference", losses()),
        ("### A task that was compared", losses()["tasks"]["ner"]),
        ("### A loss", losses()["tasks"]["ner"]["baseline"]),
        ("### A sentence that got worse or better", losses()["tasks"]["ner"]["newly_worse"][0]),
        ("## The summary of answers", {each.name for each in dataclasses.fields(Summary)}),
        ("### A judgement", result_of(sample(), "accents")["judgements"][0] | {"noise": 0.1}),
        ("### An example", result_of(sample(), "word_insertion")["examples"][0]),
        (
            "### The rows of a case",
            {each.name for each in dataclasses.fields(Evidence)} - {"groups", "tables", "notes"},
        ),
    ],
)
def test_the_page_names_every_field_and_no_other(heading: str, fields: dict):
    assert fields_under(heading) == set(fields)


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("## A result", "result"),
        ("### A judgement", "judgement"),
        ("### An attack that searches", "attack"),
        ("### A promise", "promise"),
        ("### A slice", "slice"),
        ("### A capability", "capability"),
        ("### A case about questions", "answers"),
        ("### A regression", "regression"),
        ("### `shard`", "shard"),
        ("### `options`", "options"),
        ("### `gate`", "gate"),
        ("### `model`", "model"),
        ("### `types`", "types"),
        ("## Losses against a reference", "comparison"),
        ("### A task that was compared", "compared_task"),
        ("### A loss", "loss"),
        ("### A sentence that got worse or better", "unit"),
    ],
)
def test_the_json_schema_has_the_fields_of_the_page(heading: str, name: str):
    assert set(schema_of(ROBUSTNESS)["$defs"][name]["properties"]) == fields_under(heading)


def test_the_json_schema_has_the_fields_of_the_page_at_the_top():
    assert set(schema_of(ROBUSTNESS)["properties"]) == fields_under("## The run")


def test_the_page_explains_every_metric_and_no_other():
    assert fields_under("### The metrics") == set(tasks()["ner"].metrics())


def test_the_page_explains_every_measure_of_answers():
    section = PAGE.partition("\n### A case about questions\n")[2].partition("\n|")[0]
    assert set(re.findall(r"`(\w+)`", section)) == set(tasks()["choice"].metrics())


def test_the_example_is_json():
    assert json.loads(re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)[1])["schema"] == sample()["schema"]


def test_the_lines_of_python_read_a_report(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_json(sample(), tmp_path / "reports")
    exec(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1], {})
    printed = capsys.readouterr().out
    assert printed.startswith("fail {'ner/accents': 0.042844,")
