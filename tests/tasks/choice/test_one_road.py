"""Answers from a run and from Inspect's logs make the same evidence and are judged alike; the seed's numbers hold."""

import math
import random
from itertools import groupby
from statistics import fmean

import numpy as np
import pytest

from abalo.core.records.json_records import as_json
from abalo.questions.measures import evidence_of, measurement_of
from abalo.questions.metrics import METRICS
from abalo.questions.places import place_shares
from abalo.tasks.choice import (
    ChoiceAnswer,
    accuracy,
    consistency_at_k,
    delta_accuracy,
    fragility_score,
    mcnemar_by_variant,
    mcnemar_orig_vs_variants,
)
from abalo.tasks.choice.facts import facts_of
from abalo.tasks.choice.rewordings import prompts
from tests.tasks.choice.test_task import QUESTIONS, STABILITY, execution

EXACT = {"rel": 0, "abs": 1e-12}


def turning(question, options):
    """An option that hangs on the wording, and now and then none."""
    place = (3 * len(question) + len(options[0])) % 5
    return None if place == 4 else place


@pytest.fixture(scope="module")
def judged():
    return execution(turning).judged(STABILITY)


@pytest.fixture(scope="module")
def logged():
    """The answers to the same prompts as the logs of Inspect have them."""
    put = [each for question in QUESTIONS.choices for each in prompts(question, "perturbation_stability", k=5)]
    rows = []
    for each in put:
        place = turning(each.question, each.options)
        rows.append(
            ChoiceAnswer(
                id=each.item,
                task="perturbation_stability",
                model="mine",
                pred_index=place,
                target_index=each.target,
                correct=place == each.target,
                confidence=None,
                seed=each.seed,
                variant=each.variant,
                paraphrase_id=None,
                perturbation_kind=each.kind,
                pred_option=each.original(place),
            )
        )
    return rows


def test_a_run_and_logs_have_the_same_evidence(judged, logged):
    ran, read = judged.evidence, evidence_of(logged, copies_of(QUESTIONS))
    assert ran.groups == read.groups
    assert len(ran) == len(read) > 200
    for name in (METRICS[0].count.__name__,):
        of_run, of_logs = (by_unit(each, each.tables[""][name]) for each in (ran, read))
        assert of_run.keys() == of_logs.keys()
        assert all(np.array_equal(of_run[unit], of_logs[unit]) for unit in of_run)


def copies_of(corpus):
    return {example.id: example.cluster for example in corpus.examples}


def by_unit(evidence, table):
    return {
        (name, evidence.groups[int(held.argmax())]): row
        for name, held, row in zip(evidence.ids.tolist(), evidence.held, table, strict=True)
    }


def test_a_run_and_logs_are_measured_alike(judged, logged):
    found = measurement_of(logged, resamples=200, copies=copies_of(QUESTIONS))
    for metric in METRICS:
        for group in (None, *judged.evidence.groups) if metric.per_group else (None,):
            ran, read = judged.judged.bound_view.estimate(metric.name, group), found.estimate(metric.name, group)
            assert (read.value, read.low, read.high) == pytest.approx(
                (ran.value, ran.low, ran.high), **EXACT, nan_ok=True
            )


def test_a_run_and_logs_have_the_same_tests_and_places(judged, logged):
    told = as_json(facts_of(judged.results[0]))
    copies = copies_of(QUESTIONS)
    tests = mcnemar_by_variant(logged, copies=copies)
    ran = {each["variant"]: each["mcnemar"] for each in told["variants"] if each["mcnemar"]}
    assert {name: (each.p, each.lost, each.gained, each.n) for name, each in tests.items()} == {
        name: (each["p"], each["lost"], each["gained"], each["n"]) for name, each in ran.items()
    }
    assert told["mcnemar"]["p"] == mcnemar_orig_vs_variants(logged, copies=copies).p
    shares = place_shares(logged, resamples=50)
    assert [each["answers"] for each in told["places"]] == pytest.approx(
        [each.answers.value for each in shares], **EXACT
    )


def seeds_table():
    """Answers of two models to questions in several variants, seeds and epochs, some of them missing."""
    draws = random.Random(11)
    return [
        ChoiceAnswer(f"q{k:02}", "t", model, place, 0, place == 0, None, seed, variant, None, None, place, epoch)
        for model in ("one", "two")
        for k in range(25)
        for seed in (1, 2)
        for epoch in (1, 2)
        for variant in ("orig", "para1", "pert:punct", "pert:space")[: 1 + draws.randrange(4)]
        for place in draws.choices((None, 0, 0, 0, 1, 2))
    ]


def test_the_measures_are_those_of_the_seed_to_twelve_digits():
    """By the words of module 3: means over groups of a question and a model, here over their seeds and epochs too."""
    rows = seeds_table()
    sets = {}
    for row in rows:
        sets.setdefault((row.id, row.model), {}).setdefault((row.seed, row.epoch), {})[row.variant] = row

    def mean(rate):
        known = [[v for v in map(rate, own.values()) if not math.isnan(v)] for own in sets.values()]
        return fmean(fmean(values) for values in known if values)

    def of_variants(own, value):
        others = [value(row, own["orig"]) for name, row in own.items() if name != "orig"]
        return fmean(others) if others else math.nan

    expected = {
        accuracy: mean(lambda own: fmean(row.correct for row in own.values())),
        fragility_score: mean(lambda own: of_variants(own, lambda row, orig: row.pred_option != orig.pred_option)),
        delta_accuracy: mean(lambda own: of_variants(own, lambda row, orig: orig.correct - row.correct)),
        consistency_at_k: mean(
            lambda own: (
                float(len(list(groupby(row.pred_option for row in own.values()))) == 1) if len(own) > 1 else math.nan
            )
        ),
    }
    for measure, value in expected.items():
        assert measure(rows, resamples=50).value == pytest.approx(value, **EXACT)
