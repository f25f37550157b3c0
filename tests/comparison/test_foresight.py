"""The loss that a comparison against a run would detect, foreseen from that run alone."""

import math
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

import abalo
from abalo.comparison.test.comparison import compare_task
from abalo.comparison.test.family import Runs
from abalo.comparison.test.foresight import CHURN, foreseen, foreseen_labels, standard_error
from abalo.config.thresholds import case_of
from abalo.core.documents.document import ForeseenLoss
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.statistics.evidence import join_trainings
from tests.compared import GOOD, WORSE, found_of, run_of

NER = tasks()["ner"]
GATE = Gate(resamples=2_000, max_loss=0.01, max_mean_loss=0.005)
ACCENTS = case_of(NER, "accents", {}, GATE)
KEYBOARD = case_of(NER, "keyboard", {}, GATE)
CLEAN, MEAN = 2.4977 + 0.8416, 2.2414 + 0.8416
"""The reach of the interval, at a quarter and at half of 2.5 %, and of the power of 80 %, in standard errors."""


def ahead(found, cases=(), gate=GATE, evidence=run_of, foresee=foreseen) -> ForeseenLoss:
    """The foresight of a run that found these entities, clean and in each of the cases."""
    return foresee(NER, {name: evidence(found) for name in ("ner/baseline", *(case.id for case in cases))}, cases, gate)


def of_size(n):
    """Whether each of so many entities is found; nine of ten are."""
    return found_of(0.9, n)


def test_a_loss_of_a_perfect_model_needs_eleven_examples_and_what_the_gate_allows():
    none_allowed = ahead(np.ones(200), gate=replace(GATE, max_loss=0.0))
    assert none_allowed.loss == pytest.approx(CLEAN**2 / (200 + CLEAN**2), rel=1e-4)  # L² = z² L (1 - L) / n
    assert none_allowed.loss * 200 == pytest.approx(10.6, abs=0.05)
    assert ahead(np.ones(200)).loss == pytest.approx(0.0704, abs=1e-4)  # (L - 0.01)² = z² L (1 - L) / n


@pytest.mark.parametrize(
    ("cases", "reach", "limit"), [((), CLEAN, 0.01), ((ACCENTS,), MEAN, 0.005), ((ACCENTS, KEYBOARD), MEAN, 0.005)]
)
def test_the_loss_lies_as_many_standard_errors_above_the_limit_as_level_and_power_need(cases, reach, limit):
    found, se = ahead(GOOD, cases), ahead(GOOD, cases, foresee=standard_error)
    score = 2 * 0.9 / 1.9
    size = score * (1 - score) / se**2
    variance = CHURN * se**2 + found.loss * (1 - found.loss) / size
    assert (found.loss - limit) ** 2 == pytest.approx(reach**2 * variance, rel=1e-4)


def test_the_standard_error_is_that_of_the_score():
    se = ahead(of_size(1_000), foresee=standard_error)
    recall = math.sqrt(0.9 * 0.1 / 1_000)
    assert se == pytest.approx(recall * 2 / 1.9**2, rel=0.05)  # F1 is 2 r / (1 + r)


def test_twice_the_examples_halve_the_variance():
    once, twice = ahead(of_size(400), (ACCENTS,)), ahead(of_size(800), (ACCENTS,))
    score = 2 * 0.9 / 1.9

    def of_size_one(found):
        return (found.loss - 0.005) ** 2 / (CHURN * score * (1 - score) + found.loss * (1 - found.loss))

    assert of_size_one(once) / of_size_one(twice) == pytest.approx(2, rel=0.1)
    assert math.sqrt(2) < (once.loss - 0.005) / (twice.loss - 0.005) < 2


def test_the_number_of_examples_that_is_needed_halves_the_loss():
    found = ahead(of_size(200), (ACCENTS,))
    assert found.n == 200
    assert ahead(of_size(found.needed), (ACCENTS,)).loss == pytest.approx(found.loss / 2, rel=0.05)


def test_a_perfect_model_is_not_told_to_take_more_examples():
    perfect = ahead(np.ones(200))
    assert perfect.loss > 0
    assert perfect.needed is None


def test_no_number_of_examples_halves_a_loss_of_which_half_is_allowed():
    found = ahead(of_size(1_000), gate=replace(GATE, max_loss=0.05))
    assert 0.05 < found.loss < 0.1
    assert found.needed is None


def test_a_run_of_fewer_than_ten_examples_cannot_be_compared():
    few = ahead(of_size(9), (ACCENTS,))
    assert (few.loss, few.n, few.needed) == (None, 9, None)
    assert "10" in few.reason


@pytest.mark.parametrize(("size", "blind"), [(34, True), (36, False)])
def test_a_run_of_few_examples_is_blind_if_a_tenth_may_be_lost_unseen(size, blind):
    """Of 35, all alike, 1 - 0.025^(1/35) = 0.1 may be lost; a perfect model gives no other reason."""
    few = ahead(np.ones(size))
    assert bool(few.reason) == blind
    assert few.loss > 0.1


@pytest.mark.parametrize(("share", "size", "blind"), [(0.5, 60, True), (0.9, 60, False), (0.2, 120, True)])
def test_a_run_is_blind_if_an_equal_model_would_seem_to_lose_much(share, size, blind):
    """Blind above 0.1, and above a third of the score: F1 is 0.33 where a fifth is found."""
    found = ahead(found_of(share, size))
    assert (bool(found.reason), found.loss > 0.1) == (blind, True)


def test_a_label_of_few_examples_has_to_give_more_of_its_answers_away():
    kinds = ["PER"] * 300 + ["LOC"] * 80 + ["RARE"] * 6
    runs = {"ner/baseline": run_of(np.ones(386), kinds=kinds)}
    found = foreseen_labels(NER, runs, (), GATE)
    assert 0.05 < found["PER"] < found["LOC"] < 1
    assert found["RARE"] is None or found["RARE"] > found["LOC"]
    assert foreseen_labels(NER, {"ner/baseline": run_of(np.ones(9))}, (), GATE) == {}


@pytest.mark.slow
@pytest.mark.parametrize(("part", "least", "most"), [(1.0, 0.65, 0.95), (0.4, 0.0, 0.4), (0.0, 0.0, 0.05)])
def test_the_share_foreseen_of_a_label_is_found_in_four_of_five_runs(part, least, most):
    """Other answers besides: as many gained as lost, with 0.6 of the variance of the score (`CHURN`)."""
    kinds, runs = np.array(["PER"] * 150 + ["LOC"] * 150), 60
    regressed = 0
    for seed in range(runs):
        old = found_of(0.9, len(kinds), seed)
        share = foreseen_labels(NER, {"ner/baseline": run_of(old, kinds=kinds)}, (), GATE)["LOC"]
        generator = np.random.Generator(np.random.PCG64(seed + 1_000))
        kept = generator.random(len(kinds)) >= np.where(old, 0.03, 0.27)
        new = np.where(kept, old, ~old) & ~((kinds == "LOC") & (generator.random(len(kinds)) < part * share))
        sides = ({"ner/baseline": run_of(each, kinds=kinds)} for each in (new, old))
        compared = compare_task(NER, (), Runs(*sides), GATE, date(2026, 1, 1))
        regressed += any(each.group == "LOC" and each.state == "regressed" for each in compared.losses)
    assert least <= regressed / runs <= most, regressed


def test_a_loss_of_the_size_foreseen_is_found():
    size, regressed = 300, 0
    for seed in range(10):
        old = found_of(0.9, size, seed)
        loss = ahead(old, (ACCENTS,)).loss
        generator = np.random.Generator(np.random.PCG64(seed))
        changed = np.where(generator.random(size) < 0.03, ~old, old)  # differs besides
        lost = changed & (generator.random(size) < 2 * loss)  # F1 falls half as fast as recall
        runs = [{"ner/baseline": run_of(each), ACCENTS.id: run_of(each)} for each in (lost, old)]
        mean = compare_task(NER, (ACCENTS,), Runs(*runs), GATE, date(2026, 1, 1)).mean
        regressed += mean.state == "regressed"
    assert regressed >= 6


def test_the_limit_of_the_mean_is_that_of_the_gate_whatever_single_cases_may_lose():
    loose = replace(KEYBOARD, max_losses={"f1": 0.05})
    assert ahead(GOOD, (ACCENTS, loose)).loss == ahead(GOOD, (ACCENTS, KEYBOARD)).loss
    assert ahead(GOOD, (ACCENTS, KEYBOARD), replace(GATE, max_loss=0.05)).loss == ahead(GOOD, (ACCENTS, KEYBOARD)).loss
    half = ahead(GOOD, (ACCENTS,), replace(GATE, max_mean_loss=None, max_loss=0.04)).loss
    assert half == ahead(GOOD, (ACCENTS,), replace(GATE, max_mean_loss=0.02)).loss > ahead(GOOD, (ACCENTS,)).loss


def test_only_examples_that_a_case_changed_count():
    evidence = run_of(of_size(300))
    changed = replace(evidence, changed=np.arange(300) < 200)
    runs = {"ner/baseline": evidence, ACCENTS.id: changed}
    alone = {"ner/baseline": evidence, ACCENTS.id: evidence.only(np.arange(300) < 200)}
    found = foreseen(NER, runs, (ACCENTS,), GATE)
    assert found == foreseen(NER, alone, (ACCENTS,), GATE)
    assert found.n == 200


def test_a_case_weighs_with_the_examples_that_it_changed():
    evidence = run_of(of_size(300))
    rare = replace(evidence, changed=np.arange(300) < 3)
    runs = {"ner/baseline": evidence, ACCENTS.id: evidence, KEYBOARD.id: rare}
    both, alone = (foreseen(NER, runs, cases, GATE) for cases in ((ACCENTS, KEYBOARD), (ACCENTS,)))
    assert both.loss == pytest.approx(alone.loss, rel=0.1)


def test_a_case_that_changes_nothing_leaves_the_clean_corpus():
    nothing = replace(run_of(GOOD), changed=np.zeros(len(GOOD), dtype=bool))
    runs = {"ner/baseline": run_of(GOOD), ACCENTS.id: nothing}
    assert foreseen(NER, runs, (ACCENTS,), GATE) == ahead(GOOD)


def test_cases_that_stop_nothing_or_have_no_evidence_say_nothing():
    evidence = {"ner/baseline": run_of(GOOD), ACCENTS.id: run_of(WORSE)}
    clean = foreseen(NER, {"ner/baseline": run_of(GOOD)}, (), GATE)
    assert foreseen(NER, evidence, (replace(ACCENTS, blocking=False), KEYBOARD), GATE) == clean
    assert foreseen(NER, evidence, (ACCENTS, KEYBOARD), GATE) != clean


def test_no_case_is_nothing_to_compare():
    found = foreseen(NER, {}, (ACCENTS,), GATE)
    assert (found.loss, found.n) == (None, 0)


def test_the_standard_error_of_macro_f1_is_that_of_the_mean_over_relations():
    session = abalo.Session("relations", limit=150)
    clean = session.baseline.evidence
    se = standard_error(session.task, {session.baseline.case.id: clean}, (), session.gate)
    metric = session.task.metrics()["macro_f1"]
    table = clean.counts(metric, session.baseline.case.view)
    generator = np.random.Generator(np.random.PCG64(1))
    drawn = [metric.value(table[generator.integers(150, size=150)].sum(axis=0))[0] for _ in range(2_000)]
    assert se == pytest.approx(np.std(drawn), rel=0.1)


def test_trainings_that_agree_are_as_one():
    def twice(found):
        return join_trainings([run_of(found), run_of(found)])

    assert ahead(GOOD, (ACCENTS,), evidence=twice) == ahead(GOOD, (ACCENTS,))


def test_the_order_of_the_examples_changes_nothing():
    def shuffled(found):
        return run_of(found).only(np.random.Generator(np.random.PCG64(3)).permutation(len(found)))

    assert ahead(GOOD, (ACCENTS,), evidence=shuffled) == ahead(GOOD, (ACCENTS,))


def test_without_correction_less_is_detected():
    assert ahead(GOOD, gate=replace(GATE, correction="none")).loss < ahead(GOOD).loss


@pytest.mark.parametrize("task", ["aspects", "choice", "classification", "pairs", "pos", "reading", "relations"])
def test_every_task_foresees_a_loss(task):
    session = abalo.Session(task, limit=120)
    clean = session.baseline.evidence
    found = foreseen(session.task, {session.baseline.case.id: clean}, (), session.gate)
    assert found.n == clean.distinct
    assert session.gate.max_loss < found.loss < 0.5
    assert found.needed > found.n
