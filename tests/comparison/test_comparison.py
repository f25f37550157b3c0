"""Losses against an accepted run, judged together."""

from dataclasses import replace
from datetime import date
from math import nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abalo.comparison.test.comparison import Compared, compare_early, compare_task, of_each_training
from abalo.comparison.test.family import Runs
from abalo.comparison.test.mean import pool_weights
from abalo.config.thresholds import case_of
from abalo.core.documents.losses_found import LabelCount
from abalo.core.protocols.probe import baseline_of
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.statistics.estimates import Estimate
from abalo.core.statistics.evidence import ALIKE, Evidence, join_trainings, put_together
from abalo.core.statistics.few_events import few_between
from abalo.core.statistics.losses import Hypothesis, Loss, Moved, judge_losses, state_of
from abalo.core.statistics.metrics import Share, column
from abalo.core.statistics.pairing import NotComparable, differing, pair_runs
from abalo.core.statistics.plan import Waiver
from abalo.core.statistics.sequential import increment, look_notes, looks_of
from abalo.models.labelling.classified import Classified
from abalo.tasks.pairs.metrics.similarity import SCORE
from tests.compared import GOOD, WORSE, N, found_of, run_of
from tests.scripted import read_case, session_of
from tests.tasks.labels.scripted import Script, degrees_of, pairs_of
from tests.texts import TextWith

NER = tasks()["ner"]
F1 = NER.metrics()["f1"]
GATE = Gate(resamples=2_000, max_loss=0.01)
TODAY = date(2026, 11, 22)
ACCENTS = case_of(NER, "accents", {}, GATE)
KEYBOARD = case_of(NER, "keyboard", {}, GATE)


HALVES = ["PER"] * (N // 2) + ["LOC"] * (N // 2)
"""The types of entities of which half are persons."""


def against(new, reference, cases=(ACCENTS,), gate=GATE, *, same_model=False, today=TODAY) -> Compared:
    """The comparison of runs, each given as the sentences found clean and those found in every case."""

    def evidence(run):
        clean, changed = run
        return {"ner/baseline": run_of(clean), **{case.id: run_of(changed) for case in cases}}

    return compare_task(NER, cases, Runs(evidence(new), evidence(reference), same_model), gate, today)


def answered(clean, changed):
    """A run whose evidence holds answers."""
    return {
        name: replace(run_of(found), answers=np.array([*map(str, found)]))
        for name, found in (("ner/baseline", clean), (ACCENTS.id, changed))
    }


def test_a_model_that_lost_a_fifth_has_regressed_everywhere():
    result = against((WORSE, WORSE), (GOOD, GOOD))
    assert {loss.state for loss in result.all} == {"regressed"}
    assert result.state == "regressed"
    assert result.baseline.reference == pytest.approx(2 * 0.9 / 1.9)
    assert result.baseline.loss.value == pytest.approx(result.baseline.reference - result.baseline.new)
    assert result.baseline.loss.low > GATE.max_loss


def test_the_other_way_round_it_has_improved_by_as_much():
    there, back = against((WORSE, WORSE), (GOOD, GOOD)), against((GOOD, GOOD), (WORSE, WORSE))
    assert back.state == "improved"
    assert back.baseline.loss.value == pytest.approx(-there.baseline.loss.value)


def test_one_model_twice_is_identical_and_has_no_interval():
    result = against((GOOD, WORSE), (GOOD, WORSE), same_model=True)
    assert {loss.state for loss in result.all} == {"identical"}
    assert result.baseline.p is None


def test_another_model_with_the_same_counts_has_the_same_results():
    found = against((GOOD, GOOD), (GOOD, GOOD))
    assert {loss.state for loss in found.all} == {"same results"}
    assert (found.identical, found.decided) == (True, True)


@pytest.mark.parametrize("n", [5, 500])
def test_the_same_answers_are_identical_however_few(n):
    runs = [answered(np.resize(GOOD, n), np.resize(GOOD, n)) for _ in range(2)]
    found = compare_task(NER, (ACCENTS,), Runs(*runs), GATE, TODAY)
    assert {loss.state for loss in found.all} == {"identical"}
    assert (found.identical, found.decided) == (True, True)


@pytest.mark.parametrize("n", [5, 500])
def test_another_answer_is_not_identical_though_all_counts_are_equal(n):
    found = np.resize(GOOD, n)
    other = replace(run_of(found), answers=np.array(["x", *map(str, found[1:])]))
    runs = Runs({"ner/baseline": other}, {"ner/baseline": answered(found, found)["ner/baseline"]})
    result = compare_task(NER, (), runs, GATE, TODAY)
    assert not result.identical
    assert result.baseline.state == ("not comparable" if n < 50 else "no worse")


def test_few_of_many_sentences_in_common_are_not_identical():
    runs = Runs(answered(GOOD[:5], GOOD[:5]), answered(GOOD, GOOD))
    assert not compare_task(NER, (ACCENTS,), runs, GATE, TODAY).identical


def test_a_loss_in_one_case_is_named_and_the_clean_corpus_is_not():
    result = against((GOOD, WORSE), (GOOD, GOOD), same_model=False)
    (loss,) = [loss for loss in result.losses if loss.case == ACCENTS.id and loss.group is None]
    assert (loss.state, result.state) == ("regressed", "regressed")
    assert result.baseline.state != "regressed"


def test_a_type_that_is_lost_is_named():
    without = np.array([kind == "PER" for kind in HALVES]) & GOOD
    runs = Runs({"ner/baseline": run_of(without, kinds=HALVES)}, {"ner/baseline": run_of(GOOD, kinds=HALVES)})
    result = compare_task(NER, (), runs, GATE, TODAY)
    assert {loss.group: loss.state for loss in result.losses} == {"LOC": "regressed", "PER": "same results"}


def test_a_case_that_only_one_run_has_is_a_gap():
    clean = {"ner/baseline": run_of(GOOD)}
    runs = Runs(clean | {ACCENTS.id: run_of(GOOD)}, clean | {KEYBOARD.id: run_of(GOOD), "ner/gone": run_of(GOOD)})
    result = compare_task(NER, (ACCENTS, KEYBOARD), runs, GATE, TODAY)
    assert (result.only_new, result.only_reference) == ((ACCENTS.id,), ("ner/gone",))


def test_a_case_that_was_not_selected_leaves_less_of_the_level():
    good, worse = (run_of(found, kinds=HALVES) for found in (GOOD, WORSE))
    clean = {"ner/baseline": good}
    both = clean | {ACCENTS.id: good, KEYBOARD.id: good}
    alone = compare_task(NER, (ACCENTS, KEYBOARD), Runs(clean | {ACCENTS.id: worse}, both), GATE, TODAY)
    whole = compare_task(NER, (ACCENTS, KEYBOARD), Runs(both | {ACCENTS.id: worse}, both), GATE, TODAY)
    assert (alone.present, whole.present) == (5, 6)  # two labels of the clean corpus and of all cases, then each case
    assert alone.hypotheses == whole.hypotheses == 6
    reach = [next(loss for loss in each.losses if loss.case == ACCENTS.id) for each in (alone, whole)]
    assert reach[0].loss.low <= reach[1].loss.low


def test_a_waiver_allows_a_loss_until_its_day_and_no_longer():
    waived = replace(ACCENTS, waiver=Waiver(0.5, TODAY, "a known trade-off"))
    for today, state in ((TODAY, "accepted"), (date(2026, 11, 23), "regressed")):
        result = against((GOOD, WORSE), (GOOD, GOOD), (waived,), today=today)
        assert next(loss.state for loss in result.losses if loss.case == waived.id) == state


@pytest.mark.parametrize(
    ("beyond", "high", "state"),
    [
        (True, 0.05, "regressed"),
        (False, 0.031, "can't tell"),
        (False, 0.03, "accepted"),
        (False, 0.011, "accepted"),
        (False, 0.01, "no worse"),  # the usual limit would have held as well
        (False, -0.001, "improved"),
    ],
)
def test_with_a_waiver_of_3_points_no_worse_is_still_within_the_usual_point(beyond, high, state):
    assert state_of(beyond, high, 0.03, 0.01) == state


def test_a_waiver_that_a_loss_does_not_need_changes_no_state():
    waived = replace(ACCENTS, waiver=Waiver(0.5, TODAY, "known"))
    other = GOOD.copy()
    other[[0, 1]] = ~other[[0, 1]]
    whole = [
        against((GOOD, other), (GOOD, GOOD), (case,), gate=replace(GATE, max_loss=0.1)) for case in (ACCENTS, waived)
    ]
    assert [{loss.state for loss in result.losses if loss.case == ACCENTS.id} for result in whole] == [{"no worse"}] * 2


@pytest.mark.parametrize(("accepted", "decided"), [(0.5, True), (0.2, False)])
def test_what_a_waiver_leaves_out_of_the_mean_has_to_be_within_its_limit(accepted, decided):
    """About 0.2 is lost in the case; a waiver of 0.2 is undecided, and nothing else of the case is judged."""
    clean = case_of(NER, "baseline", {}, replace(GATE, max_loss=0.1))
    waived = replace(ACCENTS, waiver=Waiver(accepted, TODAY, "known"))
    new, reference = ({clean.id: run_of(GOOD), ACCENTS.id: run_of(each, kinds=HALVES)} for each in (WORSE, GOOD))
    result = compare_task(NER, (clean, waived), Runs(new, reference), replace(GATE, max_loss=0.1), TODAY)
    state = "accepted" if decided else "can't tell"
    assert next(loss.state for loss in result.losses if loss.case == ACCENTS.id and loss.group is None) == state
    assert (result.mean, result.decided) == (None, decided)


def test_a_run_of_perturbed_cases_without_a_mean_is_not_decided():
    beside = replace(ACCENTS, blocking=False)
    clean = {"ner/baseline": run_of(GOOD)}
    gate = replace(GATE, max_loss=0.1)
    alone = compare_task(NER, (beside,), Runs(clean, clean), gate, TODAY)
    both = [clean | {beside.id: run_of(each)} for each in (WORSE, GOOD)]
    assert (alone.decided, compare_task(NER, (beside,), Runs(*both), gate, TODAY).decided) == (True, False)


def test_an_accepted_loss_of_the_clean_corpus_leaves_a_comparison_decided():
    clean = replace(case_of(NER, "baseline", {}, GATE), waiver=Waiver(0.9, TODAY, "known"))
    result = compare_task(NER, (clean,), Runs({clean.id: run_of(WORSE)}, {clean.id: run_of(GOOD)}), GATE, TODAY)
    assert (result.baseline.state, result.mean, result.state, result.decided) == ("accepted", None, "accepted", True)


def test_a_loss_that_does_not_block_is_told_and_stops_nothing():
    loose = replace(ACCENTS, blocking=False)
    result = against((GOOD, WORSE), (GOOD, GOOD), (loose,), same_model=True)
    assert next(loss.state for loss in result.losses if loss.case == loose.id) == "regressed"
    assert result.state == "identical"


def test_more_may_be_lost_where_the_gate_or_the_case_says_so():
    assert against((WORSE, WORSE), (GOOD, GOOD), gate=replace(GATE, max_loss=0.5)).state == "no worse"
    strict = against((WORSE, WORSE), (GOOD, GOOD), gate=replace(GATE, max_loss=0.5, max_mean_loss=0.05))
    assert (strict.baseline.state, strict.mean.limit, strict.mean.state) == ("no worse", 0.05, "regressed")
    own = replace(ACCENTS, max_losses={"f1": 0.5})
    losses = {loss.case: loss for loss in against((GOOD, WORSE), (GOOD, GOOD), (own,)).losses}
    assert (losses[own.id].limit, losses[own.id].state) == (0.5, "no worse")


def test_of_a_metric_where_less_is_better_the_loss_is_the_rise():
    own = replace(ACCENTS, max_losses={"f1_drop": 0.0})
    result = against((GOOD, GOOD), (GOOD, WORSE), (own,))
    (loss,) = [loss for loss in result.losses if loss.metric == "f1_drop" and loss.group is None]
    assert loss.loss.value == pytest.approx(loss.new - loss.reference)


def test_no_interval_reaches_beyond_the_largest_loss_that_there_can_be():
    nearly_none = np.where(np.arange(N) % 100 == 0, 1, 0)
    nearly_all = np.where(np.arange(N) % 100 == 50, 0, 1)
    there, back = against((nearly_none,) * 2, (nearly_all,) * 2), against((nearly_all,) * 2, (nearly_none,) * 2)
    assert [there.baseline.loss.high, back.baseline.loss.low] == [1.0, -1.0]
    assert there.baseline.state == "regressed"


def test_the_detectable_loss_is_the_limit_and_what_the_interval_and_the_power_need():
    loss = against((WORSE, WORSE), (GOOD, GOOD)).baseline
    reach = (loss.loss.high - loss.loss.value) / loss.loss.se
    assert loss.detectable_loss == pytest.approx(loss.limit + (reach + 0.8416) * loss.loss.se, rel=1e-3)


@given(st.integers(0, 2**20))
@settings(max_examples=15)
def test_p_and_interval_never_disagree(seed):
    generator = np.random.Generator(np.random.PCG64(seed))
    new = GOOD ^ (generator.random(N) < generator.uniform(0.06, 0.2))
    for loss in against((new, new), (GOOD, GOOD), (ACCENTS, KEYBOARD)).all:
        if loss.p is not None:
            assert (loss.state == "regressed") == (loss.loss.low > loss.limit)
            assert loss.loss.low <= loss.loss.value <= loss.loss.high


def test_runs_of_other_sentences_are_not_compared():
    runs = Runs({"ner/baseline": run_of(GOOD, gold="other")}, {"ner/baseline": run_of(GOOD)})
    result = compare_task(NER, (), runs, GATE, TODAY)
    assert (result.state, result.baseline.reason) == (
        "not comparable",
        TextWith("only 0 distinct", "50 are needed"),
    )


def test_sentences_that_both_runs_have_are_compared_and_the_share_is_told():
    pair = pair_runs(run_of(GOOD), run_of(GOOD[:150]), F1, "projected", from_model=False)
    assert (len(pair.clusters), pair.share) == (150, 0.75)


def test_other_variants_are_compared_only_where_they_come_from_the_model():
    new, reference = run_of(GOOD), run_of(GOOD, variants="other")
    with pytest.raises(NotComparable, match="other variants"):
        pair_runs(new, reference, F1, "projected", from_model=False)
    assert pair_runs(new, reference, F1, "projected", from_model=True).by == "example"


def test_seeds_that_one_run_has_alone_are_left_out():
    with pytest.raises(NotComparable, match="no seed in common"):
        pair_runs(run_of(GOOD, seeds=np.full(N, 2), variants="drawn"), run_of(GOOD), F1, "projected", from_model=False)


def test_a_case_that_draws_nothing_is_compared_whatever_its_seed():
    assert pair_runs(run_of(GOOD, seeds=np.full(N, 2)), run_of(GOOD), F1, "projected", from_model=False).by == "variant"


def test_a_loss_that_was_accepted_does_not_loosen_the_mean():
    waived = replace(ACCENTS, waiver=Waiver(0.9, date(2027, 1, 1), "known"))
    result = against((WORSE, WORSE), (GOOD, GOOD), cases=(waived, KEYBOARD))
    assert next(loss.state for loss in result.losses if loss.case == waived.id) == "accepted"
    assert (result.mean.state, result.mean.limit) == ("regressed", GATE.max_loss / 2)


def test_where_nothing_can_stop_a_release_regressions_do_not_either_and_are_not_hidden():
    cases = [replace(each, blocking=False) for each in (ACCENTS, baseline_of(NER))]
    result = against((WORSE, WORSE), (GOOD, GOOD), cases=cases)
    assert {loss.state for loss in result.losses if loss.case == ACCENTS.id} == {"regressed"}
    assert result.state == "can't tell"


def test_sentences_outside_of_a_slice_are_left_out():
    outside = np.arange(N) >= 100
    pair = pair_runs(run_of(GOOD, outside=outside), run_of(GOOD, outside=outside), F1, "projected", from_model=False)
    assert len(pair.clusters) == 100


def test_the_units_that_got_worse_or_better_are_named():
    new = GOOD.copy()
    new[[3, 5]] = ~new[[3, 5]]
    found = {each.example: each.worse for each in differing(run_of(new), run_of(GOOD), F1, "projected")}
    assert found == {f"s{row:04}": 1.0 if GOOD[row] else -1.0 for row in (3, 5)}


def test_without_evidence_of_the_clean_corpus_only_its_loss_is_not_comparable():
    runs = Runs({ACCENTS.id: run_of(WORSE)}, {ACCENTS.id: run_of(GOOD)})
    result = compare_task(NER, (ACCENTS,), runs, GATE, TODAY)
    assert (result.baseline.state, result.baseline.reason) == (
        "not comparable",
        TextWith("no evidence"),
    )
    assert result.state == "regressed"


def test_targets_of_a_search_need_not_be_as_many_in_both_runs():
    new, reference = run_of(GOOD), run_of(GOOD)
    fewer = new.only(np.arange(N) % 2 == 0)
    twice = replace(reference, places=np.array([f"{row}" for row in range(N)]))
    pair = pair_runs(fewer, twice, F1, "projected", from_model=True)
    assert (len(pair.clusters), pair.by) == (100, "example")


def test_the_clean_corpus_has_the_limits_and_the_waiver_of_its_own_case():
    clean = case_of(NER, "baseline", {}, GATE)
    runs = Runs({"ner/baseline": run_of(WORSE)}, {"ner/baseline": run_of(GOOD)})
    for own, state in (
        (clean, "regressed"),
        (replace(clean, max_losses={"f1": 0.9}), "no worse"),
        (replace(clean, waiver=Waiver(0.9, TODAY, "known")), "accepted"),
    ):
        assert compare_task(NER, (own,), runs, GATE, TODAY).baseline.state == state
    strict = replace(clean, max_losses={"f1": 0.0, "recall": 0.0})
    result = compare_task(NER, (strict,), runs, replace(GATE, max_loss=0.9), TODAY)
    assert result.baseline.state == "regressed"
    assert {loss.metric: loss.state for loss in result.losses if loss.group is None} == {"recall": "regressed"}


def test_what_cannot_be_compared_is_never_hidden_by_what_is_identical():
    clean = {"ner/baseline": run_of(GOOD)}
    new, other = clean | {ACCENTS.id: run_of(GOOD)}, clean | {ACCENTS.id: run_of(GOOD, variants="other")}
    assert compare_task(NER, (ACCENTS,), Runs(new, other, same_model=True), GATE, TODAY).state == "not comparable"


def test_it_is_decided_by_the_clean_corpus_and_the_mean_whatever_a_rare_type_leaves_open():
    kinds = ["PER"] * (N - 25) + ["LOC"] * 25
    runs = [{name: run_of(each, kinds=kinds) for name in ("ner/baseline", ACCENTS.id)} for each in (GOOD, WORSE)]
    better = compare_task(NER, (ACCENTS,), Runs(*runs), GATE, TODAY)
    assert "can't tell" in {loss.state for loss in better.losses}
    assert better.decided
    assert not compare_task(NER, (ACCENTS,), Runs(runs[1], runs[0]), GATE, TODAY).decided


def test_a_case_that_stops_nothing_is_judged_though_no_other_is_there():
    loose = replace(ACCENTS, blocking=False)
    runs = Runs({loose.id: run_of(WORSE)}, {loose.id: run_of(GOOD)})
    result = compare_task(NER, (loose,), runs, GATE, TODAY)
    assert next(loss.state for loss in result.losses if loss.case == loose.id) == "regressed"


def test_sentences_whose_gold_has_changed_did_not_get_worse():
    assert differing(run_of(WORSE, gold="other"), run_of(GOOD), F1, "projected") == []
    outside = np.arange(N) < N
    assert differing(run_of(WORSE, outside=outside), run_of(GOOD), F1, "projected") == []


def test_a_share_in_per_thousand_has_no_law_of_shares():
    rows = np.array([[1.0, 10.0]] * 60)
    assert few_between(Share(column(0), column(1)), rows, rows) is not None
    assert few_between(Share(column(0), column(1), scale=1000.0), rows, rows) is None


def early(evidence, look, of=490, seeds=1):
    """The evidence as that of a case that stopped at this look of a corpus of so many sentences."""
    return replace(evidence, notes={**evidence.notes, **look_notes(look, of, seeds)})


def test_if_cases_stop_early_each_loss_has_its_share_and_the_mean_is_of_their_ends():
    cases = ACCENTS, KEYBOARD
    runs = [{"ner/baseline": run_of(GOOD), **{case.id: run_of(found) for case in cases}} for found in (WORSE, GOOD)]
    stopped = {**runs[0], **{case.id: early(runs[0][case.id], 4) for case in cases}}
    whole, part = (compare_task(NER, cases, Runs(new, runs[1]), GATE, TODAY) for new in (runs[0], stopped))
    overall = [
        [each for each in found.losses if each.case and not each.group and "baseline" not in each.case]
        for found in (whole, part)
    ]
    assert len(overall[0]) == len(overall[1]) == 2
    for before, after in zip(*overall, strict=True):
        assert after.loss.value == before.loss.value
        assert after.loss.high - after.loss.low > before.loss.high - before.loss.low
    # both cases lost the same sentences, so the ends of the mean are those of either at its half of a quarter
    assert part.mean.loss.value == pytest.approx(whole.mean.loss.value)
    assert part.mean.loss.low < whole.mean.loss.low
    assert part.mean.state == "regressed"


def test_a_look_that_may_spend_nothing_finds_no_loss():
    runs = [{"ner/baseline": run_of(GOOD), ACCENTS.id: run_of(found)} for found in (WORSE, GOOD)]
    assert increment(looks_of(10_000, 3), 1, 0.0125) == 0.0  # 100 of 10,000 sentences
    stopped = {**runs[0], ACCENTS.id: early(runs[0][ACCENTS.id], 1, of=10_000, seeds=3)}
    found = compare_task(NER, [ACCENTS], Runs(stopped, runs[1]), GATE, TODAY)
    assert {each.state for each in found.losses if each.case == ACCENTS.id} == {"can't tell"}
    open_still = compare_early(ACCENTS, [ACCENTS], NER, Runs(stopped, runs[1]), GATE, TODAY)
    assert "can't tell" in {each.state for each in open_still}


# What is compared -----------------------------------------------------------------------------------------------------


def changing(found, changed):
    """Evidence of a case that changed these sentences alone; in all others every entity is found."""
    run = run_of(np.where(changed, found, True), variants=np.where(changed, "v", ""))
    return replace(run, changed=np.asarray(changed, dtype=bool))


FIRST_60 = np.arange(N) < 60
BASE = {"ner/baseline": run_of(GOOD)}


def by_case(result):
    return {loss.case: loss for loss in result.losses if loss.group is None}


def runs_with(new, reference):
    """Runs with these cases and the same clean corpus."""
    return Runs(BASE | new, BASE | reference)


def test_a_case_that_changed_nothing_is_not_compared_and_counts_nowhere():
    untouched = changing(GOOD, np.zeros(N, dtype=bool))
    worse, good = run_of(WORSE), run_of(GOOD)
    runs = runs_with({ACCENTS.id: untouched, KEYBOARD.id: worse}, {ACCENTS.id: untouched, KEYBOARD.id: good})
    result = compare_task(NER, (ACCENTS, KEYBOARD), runs, GATE, TODAY)
    without = compare_task(NER, (KEYBOARD,), runs_with({KEYBOARD.id: worse}, {KEYBOARD.id: good}), GATE, TODAY)
    assert result == without
    assert [*by_case(result)] == [KEYBOARD.id]


def test_a_loss_is_over_the_examples_that_changed():
    lost = changing(~FIRST_60, FIRST_60)
    kept = changing(GOOD | FIRST_60, FIRST_60)
    result = compare_task(NER, (ACCENTS,), Runs(BASE | {ACCENTS.id: lost}, BASE | {ACCENTS.id: kept}), GATE, TODAY)
    loss = by_case(result)[ACCENTS.id]
    assert (loss.reference, loss.new, loss.loss.n, loss.state) == (1.0, 0.0, 60, "regressed")


def test_a_sentence_that_changed_under_one_seed_is_compared_under_that_alone():
    seeds = ((1, FIRST_60), (2, ~FIRST_60))
    one, two = (replace(changing(GOOD, changed), seeds=np.full(N, seed)) for seed, changed in seeds)
    both = put_together([one, two], range(2 * N))
    pair = pair_runs(both, both, F1, "projected", from_model=False, changed=True)
    assert pair.reference[:, 0, 0, 5].tolist() == [1.0] * N  # an entity of each sentence, not two


@pytest.mark.parametrize(
    ("changed", "lost", "state"),
    [(30, 20, "regressed"), (30, 3, "too few changed"), (8, 8, "regressed"), (7, 7, "too few changed")],
)
def test_fewer_than_fifty_changed_examples_can_only_regress(changed, lost, state):
    few = np.arange(N) < changed
    kept, gone = changing(np.ones(N, dtype=bool), few), changing(np.arange(N) >= lost, few)
    result = compare_task(NER, (ACCENTS,), Runs(BASE | {ACCENTS.id: gone}, BASE | {ACCENTS.id: kept}), GATE, TODAY)
    assert by_case(result)[ACCENTS.id].state == state
    same = compare_task(NER, (ACCENTS,), Runs(BASE | {ACCENTS.id: kept}, BASE | {ACCENTS.id: kept}), GATE, TODAY)
    assert by_case(same)[ACCENTS.id].state == "same results"


def test_a_case_of_which_one_label_alone_is_judged_stands_once():
    kinds = ["PER"] * (N - 10) + ["LOC"] * 10
    runs = [{ACCENTS.id: run_of(found, kinds=kinds)} for found in (WORSE, GOOD)]
    result = compare_task(NER, (ACCENTS,), Runs(*runs), GATE, TODAY)
    assert [(loss.case, loss.group) for loss in result.losses] == [(ACCENTS.id, None)]
    both = [{ACCENTS.id: run_of(found, kinds=HALVES)} for found in (WORSE, GOOD)]
    result = compare_task(NER, (ACCENTS,), Runs(*both), GATE, TODAY)
    shown = [(loss.case, loss.group, loss.state == "not judged") for loss in result.losses]
    types, case = "ner/types", ACCENTS.id
    assert shown[:3] == [(types, "LOC", False), (types, "PER", False), (case, None, False)]
    assert shown[3:] == [(case, "LOC", True), (case, "PER", True)]


def test_a_hypothesis_that_could_not_be_significant_is_not_counted():
    held = [1000] * 3 + [12] * 20 + [4] * 50
    kinds = [f"T{k}" for k, count in enumerate(held) for _ in range(count)]
    rows = np.ones(len(kinds), dtype=bool)
    clean = {"ner/baseline": run_of(rows, kinds=kinds)}
    # A quarter of 2.5 %: 2^-12 would do for 25 hypotheses, 2^-4 for none.
    assert compare_task(NER, (), Runs(clean, clean), GATE, TODAY).hypotheses == 23
    gone = {"ner/baseline": run_of(rows & (np.array(kinds) != "T40"), kinds=kinds)}
    (loss,) = (loss for loss in compare_task(NER, (), Runs(gone, clean), GATE, TODAY).losses if loss.group == "T40")
    assert (loss.state, loss.p, loss.reference, loss.new) == ("not judged", None, 1.0, 0.0)


# The mean -------------------------------------------------------------------------------------------------------------


def test_a_perturbation_weighs_with_the_distinct_examples_that_it_changed():
    names = [("accents", "abcd"), ("noise", "abc"), ("noise", "cde"), ("rare", "a")]
    # 4 of 10 for accents; 5 of 10 for noise, shared by its two cases of 3 each; 1 of 10 for the rare one.
    assert pool_weights(names) == pytest.approx([0.4, 0.25, 0.25, 0.1])


def test_the_mean_is_that_of_pooled_examples():
    few = np.arange(N) < 50
    lost, kept = changing(np.arange(N) >= 25, few), changing(np.ones(N, dtype=bool), few)
    runs = Runs(
        BASE | {ACCENTS.id: lost, KEYBOARD.id: run_of(GOOD)}, BASE | {ACCENTS.id: kept, KEYBOARD.id: run_of(GOOD)}
    )
    mean = compare_task(NER, (ACCENTS, KEYBOARD), runs, GATE, TODAY).mean
    # 50 sentences lose: F1 from 1 to 2·25/(25 + 50) = 2/3; they are 50 of 250.
    assert mean.loss.value == pytest.approx(50 / 250 / 3)
    assert mean.loss.n == N


def test_a_mean_of_few_events_is_decided_by_its_law():
    n = 2_000
    good = run_of(np.resize(GOOD, n))
    found = np.resize(GOOD, n).copy()
    found[np.flatnonzero(found)[0]] = False
    runs = Runs({ACCENTS.id: run_of(found)}, {ACCENTS.id: good})
    mean = compare_task(NER, (ACCENTS,), runs, GATE, TODAY).mean
    assert (mean.state, mean.discordant) == ("no worse", 1)
    assert mean.loss.low <= 0 < mean.loss.value < mean.loss.high < GATE.mean_limit


def test_a_case_whose_examples_hold_nothing_leaves_the_mean_its_law():
    empty = run_of(GOOD)
    (table,) = empty.tables[ALIKE].values()
    nothing = replace(changing(GOOD, FIRST_60), tables={ALIKE: {"entity_counts": np.zeros_like(table)}})
    good, one = run_of(GOOD), GOOD.copy()
    one[np.flatnonzero(GOOD)[0]] = False
    runs = runs_with({ACCENTS.id: run_of(one), KEYBOARD.id: nothing}, {ACCENTS.id: good, KEYBOARD.id: nothing})
    mean = compare_task(NER, (ACCENTS, KEYBOARD), runs, GATE, TODAY).mean
    assert (mean.discordant, mean.p is not None) == (1, True)
    assert mean.loss.low <= mean.loss.value <= mean.loss.high


def test_a_level_of_0_decides_nothing():
    pair = pair_runs(run_of(WORSE), run_of(GOOD), F1, "projected", from_model=False)
    few = few_between(F1.value, pair.reference[:, 0, 0], pair.new[:, 0, 0], always=True)
    loss = Loss("ner/a", None, "f1", 0.01, "can't tell", loss=Estimate(few.law.value, nan, nan, nan, N), discordant=5)
    drawn = np.linspace(-1, 1, 500)
    (found,) = judge_losses([Hypothesis(loss, drawn, few)], 0.0, 0.025, GATE)
    (varying,) = judge_losses([Hypothesis(replace(loss, discordant=50), drawn)], 0.0, 0.025, GATE)
    assert (found.state, varying.state) == ("can't tell", "can't tell")


def test_a_mean_that_regressed_by_one_case_alone_is_told_by_that_case():
    good, worse, worst = map(run_of, (GOOD, WORSE, GOOD & ~found_of(0.6, seed=3)))
    cases, before = (ACCENTS, KEYBOARD), {ACCENTS.id: good, KEYBOARD.id: good}
    broad, alone = (
        compare_task(NER, cases, runs_with(dict(zip(before, after, strict=True)), before), GATE, TODAY)
        for after in ((worse, worse), (worst, good))
    )
    assert (broad.mean.state, alone.mean.state) == ("regressed", "regressed")
    assert broad.mean.because_of == ()
    assert alone.mean.because_of == (ACCENTS.id,)
    assert {loss.case: loss.weight for loss in alone.losses if loss.group is None} == dict.fromkeys(before, 0.5)


# Labels that are gone -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("places", "found", "lost"),
    [(5, 5, True), (10, 5, True), (11, 5, False), (4, 4, False), (1, 1, False)],
)
def test_a_label_that_was_found_often_enough_and_is_found_nowhere_is_lost(places, found, lost):
    kinds = ["PER"] * (N - places) + ["RARE"] * places
    before = np.arange(N) < N - places + found
    after = np.arange(N) < N - places
    runs = [{"ner/baseline": run_of(each, kinds=kinds)} for each in (after, before)]
    result = compare_task(NER, (), Runs(*runs), GATE, TODAY)
    gone = LabelCount("RARE", places, found, found)
    lost_to = [Moved("RARE", "", found, places)]
    assert result.lost == ((replace(gone, moved=lost_to),) if lost else ())
    assert result.small_lost == (() if lost else (replace(gone, case=""),))
    assert (result.state == "regressed") == lost
    assert not result.decided
    assert compare_task(NER, (), Runs(runs[1], runs[1]), GATE, TODAY).lost == ()


def test_each_training_is_compared_by_itself():
    pair = [{"ner/baseline": join_trainings([run_of(WORSE), run_of(GOOD)])}, {"ner/baseline": run_of(GOOD)}]
    each = of_each_training(NER, (), Runs(*pair), GATE, TODAY)
    assert [found.baseline.state == "regressed" for found in each] == [True, False]
    assert of_each_training(NER, (), Runs(pair[1], pair[1]), GATE, TODAY) == []


# Pairs with degrees of similarity and no labels -----------------------------------------------------------------------


def pairs_judged_by(degree) -> dict[str, Evidence]:
    """The evidence of a model that gives the degree which a function makes of gold, clean and without accents."""
    scored = [(f"José é o número {k}", f"ele é o número {k}", k) for k in range(N)]
    corpus = degrees_of(*scored)

    def says(pair):
        return Classified((), np.array([degree(int(pair[1].split()[-1]))], dtype=np.float32), names=(SCORE,))

    session = session_of(corpus, Script(says), task="pairs", gate=Gate(language="pt"))
    return {case.id: session.run(case).evidence for case in (read_case(name, task="pairs") for name in RANKED)}


RANKED = ("baseline", "accents")


def near(k: int) -> int:
    """The degree of a neighbour."""
    return k ^ 1


def muddled(k: int) -> int:
    """The same, but for a quarter of the pairs as far off as can be."""
    return N - k if k % 4 == 0 else near(k)


def test_pairs_without_labels_are_compared_by_their_rank_correlation():
    task = tasks()["pairs"]
    cases = [read_case(name, task="pairs") for name in RANKED]
    good, bad = pairs_judged_by(near), pairs_judged_by(muddled)
    worse = compare_task(task, cases, Runs(bad, good), GATE, TODAY)
    assert {loss.metric for loss in worse.all} == {"spearman"}
    assert (worse.state, worse.baseline.state, worse.mean.state) == ("regressed",) * 3
    # Three quarters agree with gold and a quarter is reversed: 3/4 - 1/4, but for single places.
    assert (worse.baseline.reference, worse.baseline.new) == pytest.approx((1, 0.5), abs=0.01)
    assert compare_task(task, cases, Runs(good, bad), GATE, TODAY).baseline.state == "improved"
    assert compare_task(task, cases, Runs(good, good, same_model=True), GATE, TODAY).decided


def test_pairs_with_labels_are_compared_by_accuracy():
    rows = [(f"José é o número {k}", f"ele é o número {k}", "yes" if k % 2 else "no") for k in range(N)]
    session = session_of(
        pairs_of(*rows), Script(lambda _pair: Classified(("yes",))), task="pairs", gate=Gate(language="pt")
    )
    cases = [read_case(name, task="pairs") for name in RANKED]
    runs = {case.id: session.run(case).evidence for case in cases}
    result = compare_task(tasks()["pairs"], cases, Runs(runs, runs), GATE, TODAY)
    assert {(loss.group is None, loss.metric) for loss in result.all} == {(True, "accuracy"), (False, "f1")}
