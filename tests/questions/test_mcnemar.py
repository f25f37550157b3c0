"""McNemar's tests: of each variant by hand, and how often either cries wolf where wording makes no difference."""

import random
from dataclasses import dataclass

import pytest

from abalo.questions.mcnemar import correct, mcnemar
from abalo.questions.replies import AnswerSet
from abalo.questions.summary import summaries
from abalo.tasks.choice import McNemar, mcnemar_by_variant, mcnemar_orig_vs_variants
from tests.questions.tables import asked, table

# The original and then para1 and para2; option 0 is right.
SEVEN = table(*[(0, 1, 0)] * 6, (1, 0, 1))


def test_each_variant_is_set_against_the_originals_by_itself():
    # Of seven pairs six lose and one gains: 2 × (1 + 7) / 128.
    assert mcnemar_by_variant(SEVEN) == {"para1": McNemar(0.125, 6, 1, 7), "para2": McNemar(1.0, 0, 0, 7)}


def test_the_test_of_one_variant_is_not_biased_and_that_of_most_of_two_is():
    assert not any(test.biased for test in mcnemar_by_variant(SEVEN).values())
    assert mcnemar_orig_vs_variants(SEVEN).biased
    assert not mcnemar_orig_vs_variants([row for row in SEVEN if row.variant != "para2"]).biased


def test_questions_without_a_variant_have_no_part_in_its_test():
    assert {name: test.n for name, test in mcnemar_by_variant(table((0, 0), (0, 1, 1), (1,))).items()} == {
        "para1": 2,
        "para2": 1,
    }
    assert mcnemar_by_variant([]) == {}
    assert mcnemar_by_variant(SEVEN, "another task")["para1"].n == 0


def test_no_answer_is_wrong():
    assert mcnemar_by_variant(table((0, None), (None, None)))["para1"] == McNemar(1.0, 1, 0, 2)


def test_of_repeats_most_must_be_right_on_either_side():
    # The original in two of three; the variant in one. Of two, one is a tie, which is not correct.
    thrice = [row for epoch, pair in enumerate([(0, 1), (0, 1), (1, 0)], 1) for row in asked("q1", *pair, epoch=epoch)]
    assert mcnemar_by_variant(thrice)["para1"] == McNemar(1.0, 1, 0, 1)
    assert mcnemar_by_variant([row for row in thrice if row.epoch > 1])["para1"] == McNemar(1.0, 0, 0, 1)


def test_repeats_in_which_only_one_side_was_answered_have_no_part():
    rows = asked("q1", 0, 1, epoch=1) + asked("q1", 1, epoch=2) + asked("q1", 1, epoch=3)
    assert mcnemar_by_variant(rows)["para1"] == McNemar(1.0, 1, 0, 1)


def test_the_p_of_several_variants_is_corrected_as_holm_does():
    tests = {name: McNemar(p, 0, 0, 9) for name, p in {"a": 0.03, "b": 0.01, "c": 0.02, "none": None}.items()}
    found = correct(tests)
    # 3 × 0.01, then the larger of that and 2 × 0.02, then the larger of that and 0.03.
    assert [found[name] for name in "bca"] == pytest.approx([0.03, 0.04, 0.04])
    assert found["none"] is None
    assert correct({"a": McNemar(0.7, 0, 0, 9), "b": McNemar(0.9, 0, 0, 9)}) == {"a": 1.0, "b": 1.0}


def test_a_summary_leads_with_the_variant_of_the_smallest_p():
    (found,) = summaries(SEVEN, resamples=50)
    assert found.headline is not None
    assert (found.headline.variant, found.headline.corrected) == ("para1", 0.25)
    assert [each.mcnemar is None for each in found.variants] == [True, False, False]
    (alone,) = summaries(asked("q1", 0), resamples=50)
    assert alone.headline is None


@dataclass(frozen=True)
class Guess:
    """An answer that is right or wrong by chance alone."""

    correct: bool
    pred_option: int | None = None
    missing: bool = False


def false_alarms(accuracy: float, variants: int, questions: int, runs: int) -> tuple[float, float, float]:
    """Shares of runs, of a model that wording makes no difference to, in which p is 0.05 or less.

    For the test of the first variant, for the smallest corrected p of all, and for that against their majority.
    """
    draws = random.Random(2026)
    first = smallest = majority = 0
    for _ in range(runs):
        put = [[Guess(draws.random() < accuracy) for _ in range(1 + variants)] for _ in range(questions)]
        tests = {str(k): mcnemar([AnswerSet(original, (rest[k],))] for original, *rest in put) for k in range(variants)}
        first += tests["0"].p <= 0.05
        smallest += min(correct(tests).values()) <= 0.05
        majority += mcnemar([AnswerSet(original, tuple(rest))] for original, *rest in put).p <= 0.05
    return first / runs, smallest / runs, majority / runs


def test_a_guessing_model_fails_the_test_against_the_majority_and_not_those_of_variants():
    # 400 runs: two standard errors of 5 % are 2.2 %, of 84 % 3.7 %. Of four guesses most are right in 5 %, originals in
    # 25 %: of 64 questions 15 are lost and 2 gained.
    first, smallest, majority = false_alarms(accuracy=0.25, variants=4, questions=64, runs=400)
    assert first <= 0.05 + 0.022
    assert smallest <= 0.05 + 0.022
    assert majority == pytest.approx(0.84, abs=0.037)


def test_with_one_variant_both_tests_are_the_same_and_keep_their_error_rate():
    first, smallest, majority = false_alarms(accuracy=0.25, variants=1, questions=64, runs=400)
    assert first == smallest == majority <= 0.05 + 0.022
