"""Consistency, fragility, lost accuracy and McNemar's test, on tables worked out by hand."""

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abalo.errors import AbaloError
from abalo.questions.summary import summaries
from abalo.tasks.choice import (
    ChoiceAnswer,
    McNemar,
    accuracy,
    consistency_at_k,
    delta_accuracy,
    fragility_score,
    mcnemar_orig_vs_variants,
)
from tests.questions.tables import answer, asked, table
from tests.rows import every

MEASURES = (consistency_at_k, fragility_score, delta_accuracy, accuracy)

# The original and then its variants; option 0 is right.
FOUR = table(
    (0, 0, 0),  # same everywhere
    (0, 0, 1),  # one of two flips, and is wrong
    (1, 0, 0),  # both flip, and are right
    (2, 2, 2),  # same everywhere, and wrong
)


def test_consistency_is_the_share_of_questions_with_one_answer_in_all_variants():
    assert consistency_at_k(FOUR).value == 2 / 4


def test_fragility_is_the_mean_share_of_variants_that_flip():
    assert fragility_score(FOUR).value == (0 + 1 / 2 + 1 + 0) / 4


def test_lost_accuracy_is_that_of_originals_less_that_of_variants():
    assert delta_accuracy(FOUR).value == ((1 - 1) + (1 - 1 / 2) + (0 - 1) + (0 - 0)) / 4


def test_accuracy_counts_all_answers_of_a_question_alike():
    assert accuracy(FOUR).value == pytest.approx((1 + 2 / 3 + 2 / 3 + 0) / 4)


def test_most_variants_of_a_question_are_set_against_its_original():
    # The second: of two variants one is right, a tie, which is not correct.
    assert mcnemar_orig_vs_variants(FOUR) == McNemar(p=1.0, lost=1, gained=1, n=4, biased=True)


def test_questions_weigh_the_same_however_many_variants_they_have():
    rows = table((0, 1), (0, 0, 0, 0, 0))
    assert fragility_score(rows).value == 1 / 2
    assert delta_accuracy(rows).value == 1 / 2


def test_no_answer_is_a_value_of_its_own():
    rows = table((None, None), (0, None), (None, 0), (0, 0))
    assert consistency_at_k(rows).value == 2 / 4
    assert fragility_score(rows).value == 2 / 4
    assert accuracy(rows).value == (0 + 1 / 2 + 1 / 2 + 1) / 4
    assert summaries(rows)[0].missing == 4


@pytest.mark.parametrize("nothing", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_none_count_as_no_answer(nothing):
    assert fragility_score(table((nothing, nothing), (0, nothing))).value == 1 / 2
    rows = [replace(row, confidence=nothing, correct=nothing) for row in FOUR]
    assert fragility_score(rows) == fragility_score(FOUR)
    assert accuracy(rows).value == 0


@pytest.mark.parametrize("measure", MEASURES)
def test_nothing_is_measured_without_rows_or_in_a_task_that_is_not_there(measure):
    for found in (measure([]), measure(FOUR, "paraphrase_consistency")):
        assert math.isnan(found.value)
        assert math.isnan(found.low)
        assert found.n == 0


def test_mcnemar_of_nothing_has_no_p():
    found = mcnemar_orig_vs_variants([])
    assert found.p is None
    assert (found.lost, found.gained, found.n) == (0, 0, 0)


def test_a_question_asked_once_says_nothing_of_consistency():
    rows = asked("q1", 0)
    assert accuracy(rows).value == 1
    assert math.isnan(consistency_at_k(rows).value)
    assert math.isnan(fragility_score(rows).value)
    assert math.isnan(delta_accuracy(rows).value)
    assert mcnemar_orig_vs_variants(rows).n == 0
    (found,) = summaries(rows)
    assert (found.questions, found.varied, found.k) == (1, 0, 0)


def test_variants_without_their_original_are_compared_with_each_other_alone():
    rows = [row for row in table((0, 0, 1), (0, 0, 1)) if (row.id, row.variant) != ("q1", "orig")]
    assert consistency_at_k(rows).value == 0
    assert fragility_score(rows).value == 1 / 2  # that of q2
    assert fragility_score(rows).n == 1
    assert delta_accuracy(rows).value == 1 / 2
    assert mcnemar_orig_vs_variants(rows).n == 1


def test_options_are_compared_as_those_of_the_original():
    shown = [answer(pred_index=0, pred_option=0), answer(variant="pert:order_rev", pred_index=2, pred_option=0)]
    assert fragility_score(shown).value == 0
    always_a = [answer(pred_index=0, pred_option=0), answer(variant="pert:order_rev", pred_index=0, pred_option=2)]
    assert fragility_score(always_a).value == 1


def test_a_task_is_measured_alone_on_demand():
    rows = table((0, 1), task="one") + table((0, 0), task="other")
    assert fragility_score(rows, "one").value == 1
    assert fragility_score(rows, "other").value == 0
    assert fragility_score(rows).value == 1 / 2


def test_models_are_groups_of_their_own_and_questions_what_is_resampled():
    rows = table((0, 1), (0, 0), model="one") + table((0, 1), (0, 1), model="other")
    found = fragility_score(rows)
    assert found.value == (1 + 0 + 1 + 1) / 4
    assert found.n == 2
    assert 0 < found.low < 0.5 < found.high == pytest.approx(1, abs=0.02)  # of two questions next to nothing is known


def test_seeds_are_compared_each_with_its_own_original_and_are_no_further_questions():
    rows = asked("q1", 0, 0, seed=1) + asked("q1", 1, 1, seed=2) + asked("q1", 2, 3, seed=3)
    assert consistency_at_k(rows).value == pytest.approx(2 / 3)
    assert fragility_score(rows).value == pytest.approx(1 / 3)
    assert fragility_score(rows).n == 1
    assert mcnemar_orig_vs_variants(rows).n == 1


@every("measure", [*MEASURES, mcnemar_orig_vs_variants])
def test_an_answer_that_is_there_twice_is_refused(measure):
    with pytest.raises(
        AbaloError, match=r"orig of question 'q1' is there twice for task .*, seed 123, epoch 1; keep one"
    ):
        measure([*FOUR, answer()])


def test_the_interval_is_that_of_resampled_questions():
    # Of 200 questions 40 flip: the standard error is sqrt(0.2 × 0.8 / 200) = 0.0283.
    found = fragility_score(table(*[(0, 1)] * 40, *[(0, 0)] * 160))
    assert found.value == pytest.approx(0.2)
    assert found.se == pytest.approx(0.0283, abs=0.002)
    assert (found.low, found.high) == (pytest.approx(0.145, abs=0.006), pytest.approx(0.255, abs=0.006))
    assert found.n == 200


def test_of_few_flips_the_interval_is_that_of_clopper_and_pearson():
    """0 of 64: up to 1 - 0.025^(1/64), where one would be seen 39 times in 40."""
    found = fragility_score(table(*[(0, 0)] * 64))
    assert (found.value, found.low, found.high) == (0, 0, pytest.approx(0.0560, abs=5e-5))


def test_an_interval_narrows_with_the_confidence_asked_for():
    rows = table(*[(0, 1)] * 20, *[(0, 0)] * 80)
    wide, narrow = fragility_score(rows), fragility_score(rows, confidence=0.5)
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high


@every(
    ("lost", "gained", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),  # 2 × 1/2
        (5, 0, 0.0625),  # 2 × 1/32
        (0, 6, 0.03125),  # 2 × 1/64
        (7, 1, 0.0703125),  # 2 × (1 + 8) / 256
        (3, 3, 1.0),
    ],
)
def test_mcnemar_is_that_of_fair_coins(lost, gained, p):
    rows = table(*[(0, 1)] * lost, *[(1, 0)] * gained, (0, 0), (1, 1))
    assert mcnemar_orig_vs_variants(rows) == McNemar(p, lost, gained, lost + gained + 2)


@pytest.mark.filterwarnings("ignore")
def test_mcnemar_agrees_with_statsmodels():
    contingency = pytest.importorskip("statsmodels.stats.contingency_tables")
    draws = random.Random(7)
    for _ in range(40):
        both, lost, gained, neither = (draws.randrange(30) for _ in range(4))
        rows = table(*[(0, 0)] * both, *[(0, 1)] * lost, *[(1, 0)] * gained, *[(1, 1)] * neither)
        expected = contingency.mcnemar([[both, lost], [gained, neither]], exact=True).pvalue
        found = mcnemar_orig_vs_variants(rows)
        if found.n:
            assert found.p == pytest.approx(expected, rel=1e-12)


def test_mcnemar_of_many_questions_stays_a_number():
    rows = table(*[(0, 1)] * 3000, *[(1, 0)] * 2000)
    assert 0 < mcnemar_orig_vs_variants(rows).p < 1e-40


def test_a_summary_is_made_per_task_and_model():
    found = summaries([*table((0, 1), task="b"), *table((0, 0), (0, 0), task="a"), *table((0, 0), task="a", model="m")])
    assert [(each.task, each.model, each.questions) for each in found] == [
        ("a", "m", 1),
        ("a", "mockllm/model", 2),
        ("b", "mockllm/model", 1),
    ]
    assert summaries([]) == ()


def test_a_summary_tells_of_every_variant():
    (found,) = summaries(table((0, 0, 1), (0, None)))
    assert [(each.variant, each.answers, each.missing) for each in found.variants] == [
        ("orig", 2, 0),
        ("para1", 2, 1),
        ("para2", 1, 0),
    ]
    assert [each.accuracy.value for each in found.variants] == [1, 1 / 2, 0]
    assert math.isnan(found.variants[0].flip_rate.value)
    assert [each.flip_rate.value for each in found.variants[1:]] == [1 / 2, 1]
    assert (found.k, found.varied, found.answers, found.missing) == (2, 2, 5, 1)


options = st.none() | st.integers(0, 3)
questions = st.lists(st.lists(options, min_size=1, max_size=5), max_size=8)
QUICK = settings(max_examples=60)


def quickly(measure, rows):
    return measure(rows, resamples=50)


@QUICK
@given(questions)
def test_measures_and_their_intervals_keep_within_their_bounds(answered):
    rows = table(*answered)
    for measure, low in ((consistency_at_k, 0), (fragility_score, 0), (delta_accuracy, -1), (accuracy, 0)):
        found = quickly(measure, rows)
        if found.n:
            assert low <= found.low <= found.value <= found.high <= 1
        else:
            assert math.isnan(found.value)
    test = mcnemar_orig_vs_variants(rows)
    assert test.lost + test.gained <= test.n <= len(answered)
    assert (test.p is None) if test.n == 0 else (test.p is not None and 0 < test.p <= 1)


@QUICK
@given(questions, st.randoms(use_true_random=False))
def test_the_order_of_rows_is_nothing(answered, random):
    rows = table(*answered)
    shuffled = list(rows)
    random.shuffle(shuffled)
    for measure in MEASURES:
        assert repr(quickly(measure, shuffled)) == repr(quickly(measure, rows))
    assert repr(mcnemar_orig_vs_variants(shuffled)) == repr(mcnemar_orig_vs_variants(rows))


@QUICK
@given(st.lists(st.tuples(options, st.integers(2, 5)), min_size=1, max_size=8))
def test_who_always_answers_the_same_is_consistent_and_not_fragile(answered):
    rows = table(*([option] * times for option, times in answered))
    for measure, value in ((consistency_at_k, 1), (fragility_score, 0), (delta_accuracy, 0)):
        found = quickly(measure, rows)
        assert found.value == value
        assert found.low <= value <= found.high
        assert found.high - found.low > 0.01
    assert mcnemar_orig_vs_variants(rows).p == 1


@QUICK
@given(questions.filter(len), st.data())
def test_one_more_flip_never_makes_a_model_look_better(answered, data):
    rows = table(*answered)
    kept = [
        place
        for place, row in enumerate(rows)
        if row.variant != "orig" and row.pred_option == _original(rows, row).pred_option
    ]
    if not kept:
        return
    place = data.draw(st.sampled_from(kept))
    flipped = list(rows)
    flipped[place] = replace(rows[place], pred_index=9, pred_option=9, correct=False)
    assert quickly(fragility_score, flipped).value > quickly(fragility_score, rows).value
    assert quickly(consistency_at_k, flipped).value <= quickly(consistency_at_k, rows).value
    assert quickly(delta_accuracy, flipped).value >= quickly(delta_accuracy, rows).value


def _original(rows: list[ChoiceAnswer], row: ChoiceAnswer) -> ChoiceAnswer:
    return next(each for each in rows if each.id == row.id and each.variant == "orig")


@QUICK
@given(questions, st.permutations(range(4)))
def test_the_names_of_options_are_nothing(answered, renamed):
    rows = table(*answered)
    others = [
        row if row.pred_option is None else replace(row, pred_option=renamed[row.pred_option], pred_index=0)
        for row in rows
    ]
    for measure in (consistency_at_k, fragility_score):
        assert repr(quickly(measure, others)) == repr(quickly(measure, rows))
