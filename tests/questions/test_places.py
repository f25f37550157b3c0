"""Position bias: the share of answers at each place, over orders of the options."""

import math
import random

import pytest

from abalo.questions.places import mean_shares
from abalo.tasks.choice import place_shares
from tests.questions.tables import answer


def put(question, *shown, **more):
    """The places of the option chosen and of the right one, for the original, the swap and the reversal."""
    names = ("orig", "pert:order_swap", "pert:order_rev", "pert:punct")
    return [
        answer(id=question, variant=name, pred_index=chosen, pred_option=chosen, target_index=right, **more)
        for name, (chosen, right) in zip(names, shown, strict=False)
    ]


def test_who_always_takes_the_first_is_all_at_the_first_place():
    found = place_shares(put("q1", (0, 1), (0, 1), (0, 2)), resamples=50)
    assert [each.place for each in found] == [0, 1, 2]
    assert [each.answers.value for each in found] == [1, 0, 0]
    assert [each.right.value for each in found] == pytest.approx([0, 2 / 3, 1 / 3])


def test_who_knows_is_where_the_right_option_is():
    found = place_shares(put("q1", (0, 0), (3, 3), (3, 3)), resamples=50)
    assert all(each.answers == each.right for each in found)


def shares_of(rows):
    return {each.place: each.answers.value for each in place_shares(rows, resamples=50)}


def test_questions_count_alike_and_those_never_reordered_not_at_all():
    rows = put("q1", (0, 0), (0, 1), (0, 1)) + put("q2", (1, 1), (1, 0)) + put("q3", (2, 2))
    assert shares_of(rows) == {0: 1 / 2, 1: 1 / 2}


def test_other_wordings_have_no_part():
    assert shares_of(put("q1", (0, 0), (0, 1), (0, 1), (3, 3))) == {0: 1, 1: 0}


def test_no_answer_is_at_no_place():
    found = shares_of(put("q1", (None, 0), (1, 1)))
    assert found == {0: 0, 1: 1 / 2}


def test_repeats_and_models_are_no_further_questions():
    rows = put("q1", (0, 0), (0, 1), epoch=1) + put("q1", (1, 0), (1, 1), epoch=2)
    (first, second) = place_shares(rows, resamples=50)
    assert (first.answers.value, second.answers.value, first.answers.n) == (1 / 2, 1 / 2, 1)


def test_without_reorderings_there_is_nothing_to_tell():
    assert place_shares([]) == ()
    assert place_shares(put("q1", (0, 0))) == ()
    assert place_shares(put("q1", (0, 0), (0, 1)), "another task") == ()


def answers_of(choose, questions):
    """The answers of a model to a question with four options in three orders."""
    draws = random.Random(7)
    for k in range(questions):
        right = [draws.randrange(4) for _ in range(3)]
        yield from put(f"q{k:03}", *((choose(place, draws), place) for place in right))


def test_a_preferred_place_is_significant_and_a_guess_or_a_right_answer_is_none():
    p = {place: p for place, *_, p in mean_shares(answers_of(lambda right, draws: 0, 40), {})}
    assert p[0] < 1e-6
    guesses = [mean_shares(answers_of(lambda right, draws: draws.randrange(4), 40), {})]
    assert all(p > 0.05 for found in guesses for *_, p in found)
    assert {p for *_, p in mean_shares(answers_of(lambda right, draws: right, 40), {})} == {1.0}
    assert all(math.isnan(p) for *_, p in mean_shares(answers_of(lambda right, draws: 0, 19), {}))
