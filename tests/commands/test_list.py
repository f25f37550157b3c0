"""``abalo list``: what there is, by kind."""

import json
import re
from pathlib import Path

import pytest

from abalo.attacks import attacks
from abalo.bundled import CASES, bundled_path
from abalo.cli import main
from abalo.commands.inventory import KINDS
from abalo.config.thresholds import load
from abalo.core.protocols.corpus_spec import readers
from abalo.core.protocols.probe import probes
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.task import tasks
from abalo.extend import ModelScheme, register
from abalo.invariances import invariances
from abalo.slices import slices
from abalo.validators import validators
from perturbations import members
from tests.reporting.test_schema import rows_under
from tests.rows import every
from tests.texts import TextWith


def listed(capsys, *arguments):
    assert main(["list", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def names(entries):
    return [each["name"] for each in entries]


def test_everything_that_is_registered_is_there(capsys):
    Path("thresholds.toml").write_text("[[ner.accents]]\nmax_f1_drop = 0.1\n[[ner.accents]]\nrate = 0.5\n")
    found = listed(capsys)
    assert rows_under("### abalo list --format json") == set(found["tasks"][0])
    assert names(found["tasks"]) == [*tasks()]
    assert names(found["perturbations"]) == [*members()]
    assert names(found["cases"]) == ["ner/accents", "ner/accents[rate-0.5]"]
    kinds = {
        "attacks": attacks,
        "invariances": invariances,
        "slices": slices,
        "validators": validators,
        "probes": probes,
        "readers": readers,
    }
    for kind, registry in kinds.items():
        assert names(found[kind]) == [*registry()]
    assert {(name, each) for each, task in tasks().items() for name in task.metrics()} == {
        (each["name"], task) for each in found["metrics"] for task in each["tasks"]
    }
    assert names(found["rewordings"]) == [*tasks()["choice"].rewordings.lists]


def test_each_perturbation_has_example_languages_and_cost(capsys):
    found = {each["name"]: each for each in listed(capsys, "perturbations")["perturbations"]}
    assert found["accents"]["example"] == "[José PESSOA] não é órgão → [Jose PESSOA] nao e orgao"
    assert found["accents"]["excluded"] == ["zh"]
    assert found["negation"]["languages"] == ["en", "pt"]
    assert (found["accents"]["cost"], "model" in found["back_translation"]["cost"]) == ("text alone", True)
    assert all(each["example"] and each["about"] and each["tasks"] for each in found.values())


def test_cases_say_what_they_cost(capsys):
    Path("thresholds.toml").write_text(
        "[gate]\nseeds = [1, 2]\n[[ner.baseline]]\n[[ner.accents]]\n[[ner.entity_attack]]\nbudget = 7\nsample = 5\n"
        "[[ner.typo_outside]]\ndraws = 300\n[[ner.tense]]\ndeep = true\nseeds = [1]\n"
        "[[choice.perturbation_stability]]\nk = 2\n"
    )
    assert [each["cost"] for each in listed(capsys, "cases")["cases"]] == [
        TextWith("no input"),
        TextWith("at most 2 inputs"),
        TextWith("at most 7 inputs", "5 examples", "2 seeds"),
        TextWith("300 inputs, ", "search"),
        TextWith("at most 1 input ", "; deep"),
        TextWith("at most 3 inputs"),
    ]


def test_a_language_and_a_task_leave_out_what_is_for_others(capsys):
    found = listed(capsys, "perturbations", "--language", "zh", "--task", "pos")["perturbations"]
    assert {"nasal", "antonym", "irrelevant_text"} <= {*names(found)}
    assert not {"accents", "negation", "swap_named_ent"} & {*names(found)}


def test_a_language_that_is_not_there_is_refused(capsys):
    assert main(["list", "--language", "xx"]) == 2
    told = capsys.readouterr()
    assert "--language xx: no such language; there are en, fr, pt and zh; without --language" in told.err
    assert told.out == ""


def test_what_a_conftest_registers_is_listed(capsys):
    Path("conftest.py").write_text(
        "from perturbations import word_level\n\n"
        '@word_level(example=("[Ana PER] saiu", "[ANA PER] SAIU"))\n'
        'def shouted(word):\n    """The word in upper case."""\n    return (word.upper(),)\n'
    )
    assert main(["list", "perturbations"]) == 0
    assert "shouted\n  The word in upper case.\n  [Ana PER] saiu → [ANA PER] SAIU\n" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["", "tasks", "cases", "metrics", "invariances", "attacks"])
@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_every_kind_can_be_printed_in_every_format(capsys, kind, form):
    assert main(["list", *filter(None, [kind]), "--format", form]) == 0
    said = capsys.readouterr().out
    members = {"": "perturbations", "tasks": "pos", "cases": "ner/accents", "metrics": "f1"}
    assert {**members, "invariances": "typo_outside", "attacks": "entity_attack"}[kind] in said.replace("\\_", "_")
    assert "<!doctype html>" in said if form == "html" else "<td>" not in said


@pytest.mark.slow
def test_a_page_in_markdown_has_every_kind_and_counts_what_it_leaves_out(capsys):
    assert main(["list", "--format", "markdown"]) == 0
    said = capsys.readouterr().out
    assert len(said.encode()) <= 60_000
    sections = [section.splitlines() for section in said.split("## ")[1:]]
    assert [lines[0].lower() for lines in sections] == [*KINDS]
    thresholds = load(bundled_path(CASES))
    for name, *lines in sections:
        rows = [line for line in lines if line.startswith("| `")]
        left = re.findall(
            r"^- ([\d,]+) more left out here; abalo list (\w+) --format json has them\.$",
            "\n".join(lines),
            re.MULTILINE,
        )
        everything = len([*KINDS[name.lower()](thresholds)])
        assert [kind for _, kind in left] == ([name.lower()] if len(rows) < everything else [])
        assert len(rows) + sum(int(number.replace(",", "")) for number, _ in left) == everything


def test_where_nothing_fits_that_is_said(capsys):
    assert main(["list", "attacks", "--task", "choice"]) == 0
    assert capsys.readouterr().out == TextWith("no such attacks")


@every(
    ("kind", "named"),
    [
        ("searches", ["Changes one word after the other", 'search = "greedy"']),
        ("rankings", ["The most important word first", 'ranking = "deletion"']),
        ("formats", ["Writes report.html."]),
        ("schemes", ["Loads what shouts.", "pytest --abalo-model shout:NAME"]),
    ],
)
def test_parts_of_extensions_are_listed(kind, named, capsys):
    def load(_name):
        """Loads what shouts."""

    with Registry.restored():
        register(ModelScheme("shout", load))
        assert main(["list", kind]) == 0
    assert capsys.readouterr().out == TextWith(*named)


def test_what_changes_little_real_text_is_called_rare(capsys):
    assert main(["list", "perturbations", "--language", "en"]) == 0
    said = capsys.readouterr().out
    assert said == TextWith("Rare in en, pt: ", "less than 2 %")  # swap_number
    assert "Rare in en: changes" in said  # accents
