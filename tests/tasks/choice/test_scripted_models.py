"""From Inspect's evaluation to the measures: scripted models, whose measures are worked out by hand."""

import pytest

from abalo.tasks.choice import (
    accuracy,
    consistency_at_k,
    delta_accuracy,
    fragility_score,
    load_all_results,
    mcnemar_orig_vs_variants,
)
from tests.tasks.choice.scripted import (
    FORMATTED,
    ORIGINAL,
    REORDERED,
    Question,
    always_a,
    never_in_the_format,
    perfect,
    run,
    samples,
)

QUESTIONS = (
    Question("q1", "Which of these is a metal?", ("iron", "oxygen", "water"), 0),
    Question("q2", "Which of these is a planet?", ("Venus", "the Moon", "Sirius", "Halley"), 0),
    Question("q3", "Which of these is even?", ("1", "3", "5", "8"), 3),
    Question("a|b", "Which of these is a colour?", ("seven", "red", "slow"), 1),
)
FIVE = (ORIGINAL, *FORMATTED, *REORDERED)


@pytest.fixture
def answers(inspecting):
    def given(script, variants=FIVE, **more):
        log = run(inspecting, script, samples(QUESTIONS, variants), **more)
        assert log.status == "success"
        return load_all_results(inspecting)

    return given


@pytest.mark.parametrize("log_format", ["eval", "json"])
def test_a_model_that_always_answers_a_flips_where_the_options_are_reordered(answers, log_format):
    rows = answers(always_a, log_format=log_format)
    assert len(rows) == 4 * 6
    # A names option 0; swapped or reversed, the last one: 2 of 5 variants of every question flip.
    found = fragility_score(rows, "perturbation_stability")
    assert (found.value, found.n) == (pytest.approx(2 / 5), 4)
    assert consistency_at_k(rows).value == 0
    # q1 and q2 are right but reordered (1 − 3/5), q3 is right only reordered (0 − 2/5), the last one never.
    assert delta_accuracy(rows).value == pytest.approx((2 / 5 + 2 / 5 - 2 / 5 + 0) / 4)
    assert accuracy(rows).value == pytest.approx((4 / 6 + 4 / 6 + 2 / 6 + 0) / 4)
    test = mcnemar_orig_vs_variants(rows)
    assert (test.lost, test.gained, test.n, test.p) == (0, 0, 4, 1.0)  # 3 of 5 say the same as the original


def test_of_reordered_options_alone_it_flips_always(answers):
    rows = answers(always_a, (ORIGINAL, *REORDERED))
    assert fragility_score(rows).value == 1
    test = mcnemar_orig_vs_variants(rows)
    assert (test.lost, test.gained, test.n) == (2, 1, 4)
    assert test.p == 1.0  # 2 × (1 + 3) / 8


def test_a_perfect_model_is_not_fragile(answers):
    rows = answers(perfect(QUESTIONS))
    assert (fragility_score(rows).value, fragility_score(rows).events) == (0, 0)
    assert consistency_at_k(rows).value == 1
    assert delta_accuracy(rows).value == 0
    assert accuracy(rows).value == 1
    assert mcnemar_orig_vs_variants(rows).p == 1
    places = {row.variant: (row.pred_index, row.target_index, row.pred_option) for row in rows if row.id == "q3"}
    assert places["orig"] == (3, 3, 3)
    assert places["pert:order_rev"] == (0, 0, 3)


def test_a_model_that_never_answers_in_the_format_has_only_missing_predictions(answers):
    rows = answers(never_in_the_format)
    assert {(row.pred_index, row.pred_option, row.correct) for row in rows} == {(None, None, False)}
    assert {row.target_index for row in rows if row.id == "q3"} == {3, 0}
    assert consistency_at_k(rows).value == 1
    assert fragility_score(rows).value == 0
    assert accuracy(rows).value == 0


def test_a_model_that_a_preamble_silences_flips_there(answers):
    right = perfect(QUESTIONS)
    rows = answers(lambda prompt: "Of course!" if "Please answer." in prompt else right(prompt))
    assert fragility_score(rows).value == pytest.approx(1 / 5)
    assert consistency_at_k(rows).value == 0
    assert delta_accuracy(rows).value == pytest.approx(1 / 5)
    assert sum(row.missing for row in rows) == 4


def test_rows_tell_what_was_asked_and_nothing_that_was_said(answers):
    rows = answers(always_a, name="abalo/perturbation_stability")
    (row,) = (row for row in rows if row.id == "a|b" and row.variant == "pert:order_swap")
    assert row.to_json() == {
        "id": "a|b",
        "task": "perturbation_stability",
        "model": "mockllm/model",
        "pred_index": 0,
        "target_index": 1,
        "correct": False,
        "confidence": None,
        "seed": None,
        "variant": "pert:order_swap",
        "paraphrase_id": None,
        "perturbation_kind": "order:swap",
        "pred_option": 2,
        "epoch": 1,
    }


def test_two_tasks_of_one_folder_are_told_apart(inspecting):
    reworded = [ORIGINAL, *(variant for variant in FORMATTED if variant.kind == "preamble")]
    run(inspecting, always_a, samples(QUESTIONS, FIVE))
    run(inspecting, always_a, samples(QUESTIONS, reworded, paraphrases=True), name="paraphrase_consistency")
    rows = load_all_results(inspecting)
    assert consistency_at_k(rows, "paraphrase_consistency").value == 1
    assert consistency_at_k(rows, "perturbation_stability").value == 0
    assert {row.paraphrase_id for row in rows if row.task == "paraphrase_consistency"} == {"orig", "pert:preamble"}
