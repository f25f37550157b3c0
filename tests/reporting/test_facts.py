"""The facts behind the numbers, and the captions of examples, in words."""

from dataclasses import replace

import pytest

from abalo.core.documents.document import Document
from abalo.core.documents.found import Result, WorstExample
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.reporting.content.facts import facts_of_run, facts_of_task
from abalo.tasks.tokens.marked import Marking, worst
from tests.reporting.documents import result_of, sample
from tests.texts import TextWith


def told(**changed) -> Document:
    document = sample()
    for name, fields in changed.items():
        document[name] |= fields
    return typed.read(Document, document)


@pytest.mark.parametrize(
    ("gate", "said"),
    [
        ({"bounds": 12}, "Bonferroni correction over 12 blocking bounds"),
        ({"bounds": 1, "correction": "none"}, "1 blocking bound, not"),
    ],
)
def test_the_gate_tells_the_correction_and_the_number_of_bounds(gate, said):
    assert said in facts_of_run(told(gate=gate))["Gate"].split(", 95 %")[0]


def test_a_gate_without_blocking_bounds_tells_no_correction():
    said = facts_of_run(told(gate={"bounds": 0}))["Gate"]
    assert "correct" not in said
    assert "bound" not in said


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"interface": "linear", "several_labels": False, "labelling": "classes"},
            ["linear model", "one label per example"],
        ),
        ({"interface": "scores", "several_labels": True}, ["interface scores", "several labels per example"]),
        ({"max_length": 256, "join": True}, ["max length 256", "join"]),
        ({"dtype": "fp32", "join": False}, ["dtype fp32"]),
    ],
)
def test_settings_of_a_model_are_told_in_words(settings, said):
    model = facts_of_task(tasks()["ner"], told(model={"settings": settings}))["Model"]
    assert model.split(", ")[-len(said) :] == said
    assert not any(each in model for each in ("True", "False", "labelling"))


@pytest.mark.parametrize(
    ("example", "said"),
    [
        ({"broken": 3}, "The change adds 3 entity errors (seed 1, id a7)"),
        ({"broken": 1}, "The change adds 1 entity error (seed 1, id a7)"),
        ({"broken": 0}, "The change adds no entity error (seed 1, id a7)"),
        ({"broken": 1, "turned": True}, TextWith("old label rises (seed 1, id a7)")),
    ],
)
def test_an_example_tells_the_harm_that_the_change_did(example, said):
    stored = typed.read(Result, result_of(sample(), "character_noise"))
    harmed = replace(stored, examples=[WorstExample(seed=1, sentence_id="a7", **example)])
    (block,) = worst(harmed, Marking(lambda _: ["a"], lambda _: ["b"], "entity error", "an entity"), ())
    assert [each.caption.text for each in block.examples] == [said]
