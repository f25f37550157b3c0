"""Scores judged against a reference, by hand-worked expectations and properties."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abalo.core.records.gate import Gate
from abalo.core.statistics.few_events import few_in_pairs
from abalo.errors import AbaloError
from abalo.scores.judging import METRICS_PART
from abalo.scores.rules import ScoreRule
from tests.rows import every
from tests.scores.conftest import QUICK, answers, concluded, judged, noisy

LEVEL = 0.025


@every(
    "old, new, state",
    [
        (answers(200), answers(200), "same results"),
        (answers(200), answers(200, wrong=60), "regressed"),
        (answers(200, wrong=60), answers(200), "improved"),
        (answers(2000), [*answers(2000)[:-2], *answers(2000, wrong=2000)[-2:]], "no worse"),
        (answers(200), answers(200, wrong=4), "can't tell"),
        (noisy(400, 0.8, 1), noisy(400, 0.7, 2), "regressed"),
        (answers(60), answers(60, wrong=9), "regressed"),
        (answers(40), answers(40, wrong=20), "regressed"),
        (answers(40), answers(40, wrong=1), "can't tell"),
    ],
)
def test_a_loss_has_the_state_of_its_interval(old, new, state):
    assert judged(old, new)["score"].loss.state == state


def test_few_changes_are_judged_by_the_exact_law():
    found = judged(answers(100), answers(100, wrong=5))["score"].loss
    before, now = (np.array([score for _, score in rows]) for rows in (answers(100), answers(100, wrong=5)))
    law = few_in_pairs(before, np.ones(100), now, np.ones(100)).law
    level = LEVEL * METRICS_PART
    assert (found.loss.low, found.loss.high) == (law.low(level), law.high(level))
    assert found.p == pytest.approx(max(law.at_most(0.01), 2**-5))


def test_a_score_in_a_range_loses_a_share_of_it():
    rule = ScoreRule(range=(1.0, 5.0))
    found = judged([(k, 4) for k in range(80)], [(k, 3 if k % 2 else 4) for k in range(80)], rule)["score"]
    assert found.loss.loss.value == pytest.approx(0.5 / 4)
    assert (found.old, found.new.value) == (4.0, 3.5)


def test_less_can_be_better():
    rule = ScoreRule(range=(0.0, 10.0), better="less")
    found = judged([(k, 2) for k in range(80)], [(k, 3 if k % 2 else 2) for k in range(80)], rule)["score"]
    assert found.loss.loss.value == pytest.approx(0.05)
    assert found.loss.state == "regressed"


def seconds(mean, seed):
    draw = random.Random(seed)
    return [(k, draw.expovariate(1 / mean)) for k in range(300)]


@every("new, state", [(seconds(2, 1), "same results"), (seconds(6, 2), "regressed"), (seconds(1, 3), "improved")])
def test_scores_without_a_range_are_judged_in_their_unit(new, state):
    rule = ScoreRule(range=None, better="less", max_loss=0.5)
    found = concluded(seconds(2, 1), new, rule).metrics["score"].loss
    assert found.state == state
    assert found.limit == 0.5
    assert found.value == pytest.approx(found.new - found.reference)


def test_a_missing_score_is_the_worst():
    found = judged(answers(100), answers(100)[:-30])["score"]
    assert found.paired.filled.sum() == 30
    assert found.loss.loss.value == pytest.approx(0.27)  # 27 of the 30 were right
    assert found.new.value == pytest.approx(0.63)


def twice(second):
    return [{"id": k, "run": r, "score": second if r else 1.0} for k in range(60) for r in range(2)]


def test_a_run_without_a_score_is_the_worst_unless_dropped():
    found = concluded(twice(1.0), twice(None))
    loss, own = found.metrics["score"].loss, found.metrics["score"]
    assert (loss.value, loss.state, found.exit_code) == (0.5, "regressed", 1)
    assert (own.empty_runs, own.new.value, own.fewer_runs) == (60, 0.5, 0)
    kept = concluded(twice(1.0), twice(None), ScoreRule(missing="drop"))
    dropped = kept.metrics["score"]
    assert (dropped.loss.state, dropped.empty_runs, dropped.dropped_runs) == ("same results", 0, 60)
    assert concluded(twice(None), twice(None)).metrics["score"].loss.state == "same results"


def test_runs_without_a_score_have_a_spread():
    scores = [0.25, None, 0.75]  # as 0.25, 0 and 0.75: mean 1/3, variance 7/48
    new = [{"id": k, "run": r, "score": s} for k in range(60) for r, s in enumerate(scores)]
    own = judged(new, new)["score"]
    assert own.new.value == pytest.approx(1 / 3)
    assert own.noise[1] == pytest.approx(math.sqrt(7 / 48 / 60))


def test_runs_without_a_score_need_a_worst_one():
    with pytest.raises(AbaloError, match="a range"):
        judged(twice(1.0), twice(None), ScoreRule(range=None, max_loss=1))


def test_a_run_that_is_absent_is_allowed_and_told():
    found = concluded(twice(1.0), [row for row in twice(1.0) if not row["run"] or row["id"] > 3])
    assert (found.metrics["score"].fewer_runs, found.exit_code) == (4, 0)


def test_without_a_reference_a_missing_score_is_the_worst_too():
    rows = [(k, None if k < 50 else 1) for k in range(100)]
    found = concluded(None, rows, ScoreRule(minimum=0.8)).metrics["score"]
    assert (found.new.value, found.missing, found.bounds[0].verdict) == (0.5, 50, "fail")
    found = concluded([("x", None), *rows[50:]], [("x", None), *rows[50:]]).metrics["score"]
    assert (found.new.value, found.only_new) == (1.0, 0)  # neither file scores x


@every("lost, code", [(2, 0), (3, 10)])
def test_more_than_two_in_a_hundred_dropped_decide_nothing(lost, code):
    rows = [(k, 1) for k in range(100)]
    found = concluded(rows, rows[lost:], ScoreRule(missing="drop"))
    assert (found.metrics["score"].dropped, found.exit_code) == (lost, code)


def test_ids_of_the_new_file_alone_are_told_and_not_compared():
    found = concluded(answers(100), [*answers(100), ("new", 0)]).metrics["score"]
    assert (found.only_new, found.only_new_ids, found.loss.n) == (1, ["new"], 100)


@every("shared, code, state", [(0, 10, "not comparable"), (3, 10, "not comparable"), (12, 1, "regressed")])
def test_ids_of_another_scheme_decide_nothing(shared, code, state):
    old = [(f"q{k}", 1.0) for k in range(100)]
    new = [*((f"q{k}", 0.5) for k in range(shared)), *((f"other{k}", 1.0) for k in range(100))]
    found = concluded(old, new, ScoreRule(minimum=0.5))
    assert (found.exit_code, found.metrics["score"].loss.state) == (code, state)


def test_half_of_the_reference_lost_is_a_regression():
    found = concluded(answers(100), answers(100)[:5])
    assert (found.exit_code, found.metrics["score"].missing) == (1, 95)


@every("heavy, judges", [(1000, False), (1, True)])
def test_one_dominant_weight_decides_nothing(heavy, judges):
    old = [{"id": k, "score": 0.5, "weight": heavy if k == 0 else 1} for k in range(60)]
    new = [{**row, "score": 0.1 if row["id"] == 0 else 0.5 - k % 7 / 100} for k, row in enumerate(old)]
    found = concluded(old, new, ScoreRule(minimum=0.05, max_loss=0.02))
    own = found.metrics["score"]
    assert (own.loss.state != "not comparable", own.bounds[0].verdict == "pass") == (judges, judges)
    assert judges or found.exit_code == 10
    assert judges or "1.1 of equal" in own.loss.reason  # 1059² / (1000² + 59)


def test_weights_as_good_as_ten_equal_ones_are_judged():
    def state(heavy):  # eleven examples, one of them heavier: (10 + w)² / (10 + w²)
        old = [{"id": k, "score": 1, "weight": heavy if k == 0 else 1} for k in range(11)]
        return judged(old, [{**row, "score": 0} for row in old])["score"].loss.state

    assert [state(w) for w in (2.1, 2.3)] == ["regressed", "not comparable"]  # 10.16 and 9.89


def test_a_score_is_rounded_to_the_end_of_its_range():
    found = judged(answers(100), [(k, s + 2e-16 * (s == 1)) for k, s in answers(100)])["score"]
    assert found.new.high <= 1
    assert found.loss.state == "same results"
    with pytest.raises(AbaloError, match="range"):
        judged(answers(100), [*answers(99), ("q0099", 1.000001)])


def test_weights_are_those_of_a_mean():
    old = [{"id": k, "score": 1, "weight": 1 + 3 * (k % 2)} for k in range(100)]
    new = [{**row, "score": float(k % 2)} for k, row in enumerate(old)]
    assert judged(old, new)["score"].loss.loss.value == pytest.approx(50 / 250)


@settings(max_examples=10, deadline=None)
@given(st.floats(0.01, 1000))
def test_a_common_factor_of_all_weights_changes_nothing(factor):
    def rows(wrong, of=1.0):
        return [{"id": k, "score": s, "weight": of * (1 + k % 3)} for k, s in answers(120, wrong=wrong)]

    def rows_of(wrong, of):
        return [
            {**row, "weight": of * (1 + n % 3)}
            for n, row in enumerate(({"id": k, "score": s}) for k, s in answers(120, wrong=wrong))
        ]

    one, other = (judged(rows_of(0, of), rows_of(6, of))["score"].loss.loss for of in (1.0, factor))
    assert (one.low, one.high) == (pytest.approx(other.low), pytest.approx(other.high))


def test_examples_of_a_cluster_are_one_piece_of_evidence():
    def rows(wrong):
        return [{"id": k, "score": s, "cluster": f"d{n // 4}"} for n, (k, s) in enumerate(answers(400, wrong=wrong))]

    alone, together = judged(answers(400), answers(400, wrong=40))["score"], judged(rows(0), rows(40))["score"]
    assert (together.loss.loss.n, alone.loss.loss.n) == (100, 400)
    assert together.loss.loss.value == alone.loss.loss.value
    assert together.loss.loss.high > alone.loss.loss.high


def test_metrics_share_the_level_by_holm():
    def rows(wrong):
        return [
            {"id": k, "metric": m, "score": s}
            for m in ("a", "b", "c")
            for k, s in answers(300, wrong=wrong * (m == "a"))
        ]

    def noise(seed):
        return [{"id": k, "metric": m, "score": s} for m in ("b", "c") for k, s in noisy(300, 0.8, f"{seed}{m}")]

    old, new = rows(0), rows(60)
    alone = judged(answers(300), answers(300, wrong=60))["score"].loss
    first = judged([r for r in old if r["metric"] == "a"] + noise(1), [r for r in new if r["metric"] == "a"] + noise(2))
    assert first["a"].loss.p == pytest.approx(3 * alone.p)
    assert first["a"].loss.loss.low < alone.loss.low  # at a third of the level
    spread = {name: found.loss.loss.high - found.loss.loss.low for name, found in first.items()}
    assert spread["b"] > 0
    assert first["a"].loss.state == "regressed"


def test_a_metric_that_does_not_block_fails_nothing():
    found = concluded(answers(200), answers(200, wrong=60), ScoreRule(blocking=False))
    assert found.metrics["score"].loss.state == "regressed"
    assert (found.verdict, found.headline, found.exit_code) == ("pass", "OK", 0)


def sliced(wrong, of="b"):
    rows = [
        {"id": f"{part}{k}", "score": s, "slice": part}
        for part in "ab"
        for k, s in answers(600, wrong=wrong * (part == of))
    ]
    return [*rows, *({"id": f"c{k}", "score": 1, "slice": "c"} for k in range(5))]


def test_a_slice_can_regress_where_the_whole_does_not():
    found = concluded(sliced(0), sliced(25), ScoreRule(max_loss=0.02))
    own = {each.slice: each.state for each in found.metrics["score"].slices}
    assert found.metrics["score"].loss.state == "can't tell"
    assert own == {"a": "same results", "b": "regressed", "c": "same results"}
    assert found.exit_code == 1


def test_a_slice_of_a_few_examples_is_only_shown():
    new = [{**row, "score": 0} if row["slice"] == "c" else row for row in sliced(0)]
    found = concluded(sliced(0), new).metrics["score"].slices[2]
    assert (found.state, found.value, found.n) == ("not judged", 1.0, 5)


@every(
    "scores, rule, verdict, code",
    [
        (answers(400), ScoreRule(minimum=0.8), "pass", 0),
        (answers(400), ScoreRule(minimum=0.95), "fail", 1),
        (answers(400), ScoreRule(minimum=0.91), "inconclusive", 10),
        (answers(400), ScoreRule(minimum=0.89), "inconclusive", 0),
        ([(k, 3 + k % 2) for k in range(100)], ScoreRule(range=(1, 5), minimum=3.2), "pass", 0),
        ([(k, 3 + k % 2) for k in range(100)], ScoreRule(range=(1, 5), minimum=3.9), "fail", 1),
        (seconds(2, 5), ScoreRule(range=None, better="less", max_loss=1, maximum=5), "pass", 0),
        (seconds(2, 5), ScoreRule(range=None, better="less", max_loss=1, maximum=1), "fail", 1),
        ([(k, 1) for k in range(30)], ScoreRule(minimum=0.5), "inconclusive", 0),
        ([("a", None)], ScoreRule(minimum=0.5), "inconclusive", 10),
    ],
)
def test_a_limit_is_judged_on_the_new_scores_alone(scores, rule, verdict, code):
    found = concluded(None, scores, rule)
    assert ([each.verdict for each in found.metrics["score"].bounds], found.exit_code) == ([verdict], code)


def test_a_limit_holds_for_a_metric_that_only_the_new_file_has():
    old = [{"id": k, "metric": "a", "score": s} for k, s in answers(100)]
    new = [*old, *({"id": k, "metric": "b", "score": 0} for k, _ in answers(100))]
    found = concluded(old, new, ScoreRule(minimum=0.5))
    assert (found.metrics["b"].loss, found.metrics["b"].bounds[0].verdict) == (None, "fail")
    assert "b" not in concluded(old, new).metrics


def test_newly_wrong_and_newly_right_are_counted():
    new = [(k, 1.0 if n == 0 else s) for n, (k, s) in enumerate(answers(100, wrong=3))]
    found = concluded(answers(100), new).metrics["score"]
    assert (found.newly_wrong.count, found.newly_right.count) == (3, 1)
    assert found.newly_wrong.value == 0.03


def test_with_runs_noise_is_shown_and_no_example_is_newly_wrong():
    old = [{"id": k, "run": r, "score": 1} for k in range(50) for r in range(3)]
    new = [{"id": k, "run": r, "score": float(r > k % 4)} for k in range(50) for r in range(3)]
    found = concluded(old, new).metrics["score"]
    assert (found.newly_wrong, found.newly_right) == (None, None)
    assert found.noise[0] == 0.0
    assert found.noise[1] > 0
    for reference in (None, old):
        with pytest.raises(AbaloError, match="max_newly_wrong"):
            judged(reference, new, ScoreRule(max_newly_wrong=0.1))


@every("wrong, verdict, code", [(0, "pass", 0), (40, "fail", 1)])
def test_newly_wrong_can_be_limited(wrong, verdict, code):
    half = [(k, 1.0) for k, s in answers(200, wrong=wrong) if not s][:wrong]
    rows = answers(200, wrong=wrong)
    better = dict(half)  # as many are newly right, so the mean stays
    old = [(f"x{k}", 0.0) for k in range(wrong)] + answers(200)
    new = [(f"x{k}", 1.0) for k in range(wrong)] + rows
    assert len(better) == wrong
    found = concluded(old, new, ScoreRule(max_newly_wrong=0.05))
    assert ([each.verdict for each in found.metrics["score"].bounds], found.exit_code) == ([verdict], code)


def test_newly_wrong_needs_scores_that_are_right_or_wrong():
    with pytest.raises(AbaloError, match="max_newly_wrong"):
        judged(noisy(100, 0.5, 1), noisy(100, 0.5, 2), ScoreRule(max_newly_wrong=0.1))


@every(
    "old, new, code",
    [
        (answers(9), answers(9, wrong=1), 10),  # fewer than ten
        (answers(60), answers(60, wrong=4), 10),  # the loss may be a tenth
        (answers(9), answers(9), 0),
        (answers(2000), answers(2000, wrong=10), 0),
        ([("a", 1)], [("b", 1)], 10),
        ([("a", None)], [("a", 1)], 10),  # no score in the reference
    ],
)
def test_a_blind_comparison_ends_with_10(old, new, code):
    assert concluded(old, new).exit_code == code


def test_a_blind_comparison_without_a_range_is_asked_at_ten_times_the_limit():
    found = [concluded(seconds(2, 1), seconds(2, 9), ScoreRule(range=None, max_loss=m)).exit_code for m in (0.001, 1)]
    assert found == [10, 0]


@every(
    "rule, place",
    [
        (ScoreRule(range=None), "max_loss"),
        (ScoreRule(max_loss=1.0), "max_loss"),
        (ScoreRule(minimum=2), "minimum"),
        (ScoreRule(range=(5, 1)), "range"),
        (ScoreRule(minimum=0.8, maximum=0.2), "minimum"),
        (ScoreRule(range=(0, 0.5)), "range"),
    ],
)
def test_a_rule_that_contradicts_itself_or_the_scores_is_refused(rule, place):
    with pytest.raises(AbaloError, match=place):
        judged(answers(100), answers(100), rule)


@every(
    "change, place",
    [({"weight": 2}, "weight"), ({"cluster": "x"}, "cluster"), ({"slice": "x"}, "slice")],
)
def test_files_that_contradict_each_other_are_refused(change, place):
    old = [{"id": k, "score": 1, "weight": 1, "cluster": f"c{k}", "slice": "s"} for k in range(60)]
    new = [*old[:-1], {**old[-1], **change}]
    with pytest.raises(AbaloError, match=place):
        judged(old, new)


def test_the_order_of_rows_changes_nothing():
    old, new = noisy(300, 0.8, 1), noisy(300, 0.78, 2)
    assert concluded(old, new) == concluded(old[::-1], random.Random(3).sample(new, 300))


def test_many_examples_are_linearised_to_what_the_bootstrap_says():
    few = [(f"{k}", float(k % 7 > 0)) for k in range(20_000)], [(f"{k}", float(k % 6 > 0)) for k in range(20_000)]
    more = [[*side, ("last", 1.0)] for side in few]
    gate = Gate(resamples=4000)
    one, other = (judged(*sides, gate=gate)["score"].loss.loss for sides in (few, more))
    assert (one.low, one.high) == (pytest.approx(other.low, abs=6e-4), pytest.approx(other.high, abs=6e-4))
    assert other.se == pytest.approx(one.se, rel=0.05)


def test_a_regression_of_ten_points_is_found_at_any_size():
    for n in (60, 400, 30_000):
        found = judged(answers(n), answers(n, wrong=n // 4))["score"].loss
        assert found.state == "regressed", n
        assert not math.isnan(found.p)


def test_quick_settings_are_those_of_a_gate():
    assert QUICK.confidence == Gate().confidence
