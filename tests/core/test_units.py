"""Units of a case: examples as their task groups them, or fillings of templates."""

from dataclasses import replace

import pytest

from abalo.core.protocols.probe import probes
from abalo.core.protocols.task import tasks
from abalo.core.protocols.units import units
from abalo.core.records.outcome import Check
from perturbations import Sentence
from tests.scripted import outcome

ANA = Sentence(("Ana", "saiu"), ("B-PER", "O"))


def filling(template, predicted, fault=""):
    return replace(outcome(ANA, predicted), check=Check(template, fault, {}))


RIGHT, WRONG = ("B-PER", "O"), ("O", "O")
FILLINGS = [filling("b", RIGHT), filling("a", WRONG, "Ana is missing"), filling("b", WRONG)]


def test_fillings_are_counted_by_template():
    found = units(probes()["capability"], tasks()["ner"])
    assert found.groups(FILLINGS) == ["b", "a"]
    assert found.held(FILLINGS, ["b", "a"]).tolist() == [[1, 0], [0, 1], [1, 0]]
    assert found.group_noun == "template"
    assert found.result_facts(FILLINGS, with_text=True) == {}


def test_of_fillings_the_broken_ones_are_recorded():
    found = units(probes()["capability"], tasks()["ner"])
    assert len([*found.records(FILLINGS)]) == 1
    assert [*found.records([FILLINGS[0], FILLINGS[2]])] == []


@pytest.mark.parametrize("probe", sorted({*probes()} - {"capability"}))
def test_examples_are_counted_as_their_task_does(probe):
    found = units(probes()[probe], tasks()["ner"])
    assert found.groups([outcome(ANA)]) == ["PER"]
    assert found.held([outcome(ANA)], ["PER"]).tolist() == [[1]]
    assert found.group_noun == tasks()["ner"].group_noun
