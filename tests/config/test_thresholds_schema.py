"""The JSON Schema of thresholds.toml takes the files that ship, and refuses what reading a file refuses."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from abalo.bundled import CASES, OWN_GATE, bundled_path
from abalo.config.thresholds import load
from abalo.config.thresholds_schema import gate_schema, parameters_schema, run_schema, thresholds_schema
from abalo.core.protocols.probe import probes_of
from abalo.core.protocols.task import tasks
from abalo.errors import AbaloError
from tests.rows import every

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def validator():
    schema = json.loads(json.dumps(thresholds_schema()))
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def as_json(text: str) -> dict:
    """A file as an editor hands it to a validator: dates are strings."""
    return json.loads(json.dumps(tomllib.loads(text), default=str))


@pytest.mark.parametrize("path", [OWN_GATE, bundled_path(CASES)], ids=["gate", "cases"])
def test_the_files_that_ship_are_valid(path, validator):
    assert [error.message for error in validator.iter_errors(as_json(path.read_text("utf-8")))] == []


VALID = """
extends = "default"

[gate]
seeds = [1, 2]
against = "references/1.0"

[run]
model = "./checkpoint"
label_map = {PERSON = "PER"}

[[ner.baseline]]
min_f1 = {overall = 0.8, PER = 0.9}
least = 0.5
guesses = true

[[ner.character_noise]]
rate = 0.1
inside_entities = "only"
require = {similarity = 0.8}
view = "structural"
max_f1_loss = 0.02
accepted_loss = 0.03
until = 2027-03-01
why = "a smaller model"

[[ner.char_typo]]
span_source = "predicted"

[[ner.pipeline]]
steps = ["accents", {name = "character_noise", rate = 0.05}]

[[ner.slice]]
of = "length"
end = "shortest"

[[ner.capability]]
name = "names"
templates = ["{who} PER"]
who = ["Ana", "Rui"]
min_pass_rate = 0.9

[[pairs.typos]]
field = "both"

[[choice.perturbation_stability]]
k = 5
max_fragility_score = 0.2
"""


def test_a_file_with_every_kind_of_case_is_valid(validator):
    assert [error.message for error in validator.iter_errors(as_json(VALID))] == []


@every(
    "wrong",
    [
        "extend = 'default'",
        "extends = 1",
        "[gate]\nconfidence = 1",
        "[gate]\nconfidense = 0.9",
        "[gate]\nseeds = []",
        "[gate]\nseeds = [1, 1]",
        "[gate]\ninconclusive = 'maybe'",
        "[gate]\nlanguage = 'Portuguese'",
        "[run]\ndevice = 'cpu'",
        "[run]\nlimit = 'all'",
        "[run]\ndtype = 'fp8'",
        "[[nerr.accents]]",
        "[[ner.acents]]",
        "[ner]\naccents = {rate = 0.1}",
        "[[choice.accents]]",
        "[[ner.accents]]\nrate = 2",
        "[[ner.accents]]\nrat = 0.1",
        "[[ner.accents]]\nmax_f1_dorp = 0.1",
        "[[ner.accents]]\nmax_f1_drop = 'much'",
        "[[ner.accents]]\nmax_f1_drop = {}",
        "[[ner.accents]]\nmax_f1_drop = {overall = 7}",
        "[[ner.accents]]\nmax_f1_drop_loss = 0.1",
        "[[ner.accents]]\nspan_source = 'oracle'",
        "[[ner.accents]]\nview = 'upright'",
        "[[ner.accents]]\nblocking = 'no'",
        "[[ner.accents]]\nlimit = 0",
        "[[ner.accents]]\nleast = 0.5",
        "[[ner.accents]]\nfield = 'both'",
        "[[ner.accents]]\nmax_success_rate = 0.1",
        "[[ner.char_typo]]\nspan_source = 'both'",
        "[[ner.slice]]\nof = 'overlap'",
        "[[ner.slice]]\nof = 'length'\nseeds = [1]",
        "[[ner.slice]]\nof = 'length'\nshare = 2",
        "[[ner.pipeline]]\nsampled = 2\nof = 4",
        "[[ner.context_attack]]\nbudget = 0",
        "[[ner.doubled_space]]\nmargin = 2",
        "[[ner.capability]]\nname = 'a'\ntemplates = ['a']\nmin_f1 = 0.5",
        "[[ner.capability]]\nname = ''\ntemplates = ['a']",
        "[[choice.paraphrase_consistency]]\nk = 0",
    ],
)
def test_what_reading_refuses_is_not_valid(wrong, validator, tmp_path):
    path = tmp_path / "thresholds.toml"
    path.write_text(wrong, "utf-8")
    with pytest.raises(AbaloError):
        load(path)
    assert not validator.is_valid(as_json(wrong))


def test_every_key_has_its_meaning():
    bare = [
        name
        for table in (gate_schema(), run_schema())
        for name, each in table["properties"].items()
        if not each.get("description")
    ]
    assert bare == []
    for task in tasks().values():
        for probe in probes_of(task):
            if probe.name == "perturbation":
                continue  # the list of perturbations has their parameters
            for table in probe.entries.tables(task):
                own, _ = parameters_schema(task, probe, table)
                assert [name for name, each in own.items() if not each.get("description")] == [], table


@pytest.mark.slow
def test_the_command_prints_it_with_what_a_conftest_registers(tmp_path):
    tmp_path.joinpath("conftest.py").write_text(
        "from perturbations import word_level\n\n"
        "@word_level(rate=0.2, example=('Ana saiu', 'ANA SAIU'))\n"
        "def shouting(word: str, *, times: int = 1) -> tuple[str, ...]:\n"
        "    '''The word in upper case.'''\n"
        "    return (word.upper(),)\n",
        "utf-8",
    )
    command = [sys.executable, "-m", "abalo", "schema", "thresholds"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, env=None)
    validator = jsonschema.Draft7Validator(json.loads(done.stdout))
    assert validator.is_valid({"ner": {"shouting": [{"rate": 0.5, "times": 2}]}})
    assert not validator.is_valid({"ner": {"shouting": [{"times": "twice"}]}})


def test_the_line_for_an_editor_stands_in_the_page():
    page = ROOT.joinpath("docs/reference/thresholds.md").read_text("utf-8")
    assert "\n#:schema ./thresholds.schema.json\n" in page
    assert "\nabalo schema thresholds > thresholds.schema.json\n" in page
