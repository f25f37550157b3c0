"""Epochs as repeats: flips between repeats of one wording, beside those between wordings."""

import math
import random

import pytest

from abalo.questions.repeats import noise_of_wording
from abalo.questions.summary import summaries
from abalo.tasks.choice import fragility_beyond_noise, fragility_score, noise
from tests.questions.tables import asked


def repeated(question, *wordings, **more):
    """The options chosen in each epoch, of the original and then of variants."""
    return [
        row
        for epoch, chosen in enumerate(zip(*wordings, strict=True), 1)
        for row in asked(question, *chosen, epoch=epoch, **more)
    ]


def test_noise_is_the_share_of_pairs_of_repeats_that_differ():
    # Of three pairs of the original two differ, of the variant none.
    rows = repeated("q1", (0, 0, 1), (0, 0, 0))
    assert noise(rows).value == pytest.approx((2 / 3 + 0) / 2)
    assert [each.noise.value for each in summaries(rows, resamples=50)[0].variants] == pytest.approx([2 / 3, 0])


def test_the_original_counts_as_much_as_all_variants_together():
    rows = repeated("q1", (0, 1), (0, 0), (2, 2))
    assert noise(rows).value == (1 / 2 + 1 / 2) / 2
    assert noise_of_wording(rows).value == pytest.approx(1 / 3)


def test_what_flips_between_repeats_alone_is_not_beyond_noise():
    # Both wordings are answered 0 and 1, in the same order or not; of one pair of epochs all or none differ.
    same = repeated("q1", (0, 1), (0, 1))
    assert (fragility_score(same).value, noise(same).value) == (0, 1)
    assert fragility_beyond_noise(same).value == 1 - 1
    other = repeated("q1", (0, 1), (1, 0))
    assert fragility_score(other).value == 1
    assert fragility_beyond_noise(other).value == 0 - 1


def test_what_wording_alone_flips_is_all_beyond_noise():
    rows = repeated("q1", (0, 0, 0), (1, 1, 1), (0, 0, 0))
    assert (fragility_score(rows).value, noise(rows).value, fragility_beyond_noise(rows).value) == (0.5, 0, 0.5)


def test_no_answer_is_a_value_of_its_own():
    assert noise(repeated("q1", (None, 0), (None, None))).value == 1 / 2


def test_rates_are_means_of_a_question_first_and_then_over_questions():
    rows = repeated("q1", (0, 1), (0, 1), seed=1) + repeated("q1", (0, 0), (0, 0), seed=2)
    rows += repeated("q2", (0, 0, 0), (0, 0, 0))
    assert noise(rows).value == (1 / 2 + 0) / 2
    assert noise(rows).n == 2


def test_without_repeats_or_without_variants_there_is_no_noise():
    for rows in (asked("q1", 0, 1), repeated("q1", (0, 1)), []):
        assert math.isnan(noise(rows).value)
        assert math.isnan(fragility_beyond_noise(rows).value)
    assert noise_of_wording(repeated("q1", (0, 1))).value == 1
    assert math.isnan(noise(repeated("q1", (0, 1), (0, 1)), "another task").value)


def test_rates_of_repeats_are_means_and_not_sums():
    rows = repeated("q1", (0, 0, 1), (0, 1, 1))
    assert fragility_score(rows).value == pytest.approx(1 / 3)
    (found,) = summaries(rows, resamples=50)
    assert (found.questions, found.answers, found.repeats, found.k, found.mcnemar.n) == (1, 6, 3, 1, 1)


def test_a_model_that_only_draws_is_fragile_and_not_beyond_noise():
    # Of 400 questions each answered by drawing among four: flips in 3/4, whether reworded or not.
    draws = random.Random(7)
    rows = [
        row
        for k in range(400)
        for row in repeated(f"q{k}", *([draws.randrange(4) for _ in range(3)] for _ in range(3)))
    ]
    fragile, noisy, beyond = (
        measure(rows, resamples=500) for measure in (fragility_score, noise, fragility_beyond_noise)
    )
    assert fragile.value == pytest.approx(0.75, abs=0.03)
    assert noisy.value == pytest.approx(0.75, abs=0.03)
    assert beyond.low < 0 < beyond.high
    assert beyond.value == pytest.approx(0, abs=0.03)
