"""What a run may cost, and the panel that it can afford."""

import math
import time
from types import SimpleNamespace

import pytest

from abalo.core.protocols.budget import Budget, Deadline, OutOfTimeError, affordable, choose
from abalo.core.records.example import Example
from abalo.errors import AbaloError
from abalo.reporting.runs.design import chance_to_find
from perturbations import Sentence

GROUPS = (("a",), ("b[oracle]", "b[predicted]"), ("c",), ("d",))


def corpus(count, copies=1):
    """So many distinct sentences, each as often as there are copies."""
    sentence = {"text": Sentence(("a",))}
    return [Example(f"id{k}", sentence, f"cluster{k}") for k in range(count) for _ in range(copies)]


@pytest.mark.parametrize(
    ("text", "seconds", "inputs"),
    [("5m", 300, None), ("90s", 90, None), ("1.5h", 5400, None), ("20000f", None, 20_000), ("2000c", None, 2_000)],
)
def test_a_budget_is_a_time_or_a_number(text, seconds, inputs):
    assert Budget.read(text) == Budget(text, seconds, inputs)


@pytest.mark.parametrize("text", ["", "5", "m", "0s", "5 m", "-5m", "2.5c", "5d", "1e3f", "nan", "٥m"])
def test_anything_else_is_an_error(text):
    with pytest.raises(AbaloError, match="expected a time, such as 5m"):
        Budget.read(text)


def test_a_panel_costs_its_clean_sentences_and_each_case_that_they_are_drawn_for():
    (first, *_) = affordable(GROUPS, corpus(100), 1, 1)
    assert (first.panel.sentences, first.panel.each) == (64, 3)
    assert first.inputs == 64 + 5 * 48  # each of the four groups has three quarters of the sentences
    assert [each.panel.sentences for each in affordable(GROUPS, corpus(300), 1, 1)] == [64, 128, 256, 300, 300]


def test_copies_of_a_sentence_cost_nothing_and_a_second_question_does():
    (first, *_), (again, *_), (twice, *_) = (
        affordable(GROUPS, corpus(100, copies), 1, 1, tried) for copies, tried in ((2, (0,)), (1, (30,)), (1, (0, 300)))
    )
    assert first.inputs == 304
    assert again.inputs == 304 + 30
    assert twice.inputs == 304 + 304 + 64


def test_the_largest_panel_is_chosen_that_the_inputs_pay_for():
    def chosen(inputs):
        return choose(affordable(GROUPS, corpus(300), 1, 1), inputs, Budget.read("9f")).panel

    assert [chosen(inputs).sentences for inputs in (304, 607, 608, 1215, 1216, 10_000)] == [64, 64, 128, 128, 256, 300]
    assert chosen(10_000).each == 4


def test_too_little_for_the_smallest_panel_is_an_error_with_its_cost():
    with pytest.raises(AbaloError, match=r"pays for 303 inputs; the smallest panel, 64 .* of 5 cases, needs 304 "):
        choose(affordable(GROUPS, corpus(300), 1, 1), 303, Budget.read("303f"))
    with pytest.raises(AbaloError, match="pays for 0 inputs"):
        choose(affordable(GROUPS, corpus(300), 1, 1), -5, Budget.read("1s"))


def test_without_a_case_there_is_nothing_to_draw():
    with pytest.raises(AbaloError, match="no case draws variants"):
        choose(affordable((), corpus(300), 1, 1), 1_000, Budget.read("1000f"))


def test_a_model_stops_after_the_batch_in_which_the_time_ends():
    shown = []
    model = SimpleNamespace(on_progress=lambda done, total: shown.append((done, total)))
    before, deadline = model.on_progress, Deadline(time.monotonic() + 60)
    with deadline.kept_by([model, object()]):
        model.on_progress(1, 3)
        deadline.at = 0.0
        with pytest.raises(OutOfTimeError):
            model.on_progress(2, 3)
    assert (shown, deadline.over, model.on_progress) == ([(1, 3), (2, 3)], True, before)
    Deadline().check()


def test_a_run_gives_up_where_the_loss_can_hardly_be_found():
    """Halfway, in standard errors at the end: 2 found or more to come of 3, with a boundary of 2.4."""
    assert chance_to_find(0.0, 3.0, 0.5, 2.4) == pytest.approx(1 - 0.8986, abs=1e-3)  # 1.5 expected: 0.9 / √½ short
    assert chance_to_find(3.0, 3.0, 0.5, 2.4) == pytest.approx(0.8019, abs=1e-3)
    assert chance_to_find(-3.0, 3.0, 0.5, 2.4) < 0.001
    assert not math.isnan(chance_to_find(0.0, 0.0, 0.2, 2.4))
