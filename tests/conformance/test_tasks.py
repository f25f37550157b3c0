"""What every task guarantees."""

import json

import numpy as np
import pytest

from abalo.core.protocols.probe import probes, probes_of
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.records.json_records import declared_fields
from abalo.core.running.judging import judge_case
from abalo.core.statistics.estimates import FEWEST_OF_A_GROUP, measure
from abalo.core.statistics.evidence import collect, to_bytes
from perturbations import Sentence, unchanged
from tests.conformance.subjects import (
    GATE,
    LIMIT,
    NAMES,
    by_heart,
    cases,
    corpus,
    corpus_named,
    of_every_task,
    options,
    session,
    shown_again,
)


@pytest.fixture(scope="module")
def run_all():
    """All cases of a task, run once in one session, each with its evidence; by name of the probe."""
    done = {}

    def found(task):
        if task.name not in done:
            opened = session(task)
            done[task.name] = {probe: opened.run(case) for probe, case in cases(task.name).items()}
        return done[task.name]

    return found


# Words ----------------------------------------------------------------------------------------------------------------


@of_every_task
def test_it_has_a_name_in_ascii_and_words_for_what_it_is_about(task):
    assert task.name.isascii()
    assert task.name.isidentifier()
    assert tasks()[task.name] is task
    assert all((task.title, task.noun, task.group_noun, task.held_noun))


@of_every_task
def test_its_views_are_distinct_and_the_usual_ones_are_among_them(task):
    assert len({*task.views}) == len(task.views)
    assert {task.usual_view, task.resized_view} <= {*task.views}


@of_every_task
def test_its_probes_are_there_and_have_tables(task):
    assert {*task.probes} <= {*probes()}
    for name in task.probes:
        assert probes()[name].entries.tables(task), name


@of_every_task
def test_the_metrics_that_it_names_are_metrics_of_its_own(task):
    metrics = task.metrics()
    assert metrics[task.floor].of_clean
    assert not metrics[task.headline].probes
    assert "slice" not in task.probes or metrics[f"{task.floor}_gap"].probes == ("slice",)
    for name, metric in metrics.items():
        assert metric.name == name
        assert metric.low < metric.high
        assert {*metric.views} <= {*task.views}
        assert {*metric.probes} <= {probe.name for probe in probes_of(task)}


# Corpus and examples --------------------------------------------------------------------------------------------------


@of_every_task
def test_it_reads_the_corpus_that_ships_with_it(task):
    found = corpus(task.name)
    assert found.name == corpus_named(task)
    assert len(found.sha256) == 64
    assert len(found.examples) == LIMIT
    for example in found.examples:
        assert example.id
        assert example.cluster
        assert example.fields
        assert all(isinstance(sentence, Sentence) and len(sentence) for sentence in example.fields.values())
        assert {*task.fields.chosen(example, "")} <= {*example.fields}


@of_every_task
def test_the_first_examples_of_a_corpus_are_a_corpus(task):
    found = corpus(task.name)
    ids = [example.id for example in found.examples]
    assert [example.id for example in found.first(3).examples] == ids[:3]
    assert [example.id for example in found.first(None).examples] == ids
    assert found.first(3).sha256 != found.sha256


@of_every_task
def test_reading_twice_gives_the_same(task):
    again = task.read(corpus_named(task), options(task.name))
    assert again.sha256 == corpus(task.name).sha256
    assert [(each.id, each.cluster) for each in again.examples] == [
        (each.id, each.cluster) for each in corpus(task.name).examples
    ]


@of_every_task
def test_it_recognises_its_own_corpus_and_no_other(task):
    assert {name for name in NAMES if task.recognises(corpus_named(tasks()[name]))} == {task.name}
    assert not task.recognises("no such file")


# Variants -------------------------------------------------------------------------------------------------------------


@of_every_task
def test_carried_along_no_edits_an_example_is_itself(task):
    for example in corpus(task.name).examples:
        for edits in ({}, {name: unchanged(example.fields[name]) for name in task.fields.chosen(example, "")}):
            carried = task.carry(example, edits)
            assert (carried.id, carried.cluster, carried.gold) == (example.id, example.cluster, example.gold)
            assert dict(carried.fields) == dict(example.fields)


@of_every_task
def test_an_unedited_example_is_the_same_input(task):
    predictor = task.predictor(by_heart(task), corpus(task.name))
    for example in corpus(task.name).examples:
        carried = task.carry(
            example, {name: unchanged(example.fields[name]) for name in task.fields.chosen(example, "")}
        )
        assert predictor.key(task.input(carried)) == predictor.key(task.input(example))


# Counting -------------------------------------------------------------------------------------------------------------


@of_every_task
def test_groups_and_gold_labels_agree_in_shape(task):
    outcomes = shown_again(task)
    groups = task.groups(outcomes)
    held = task.held(outcomes, groups)
    assert len({*groups}) == len(groups) > 0
    assert held.shape == (len(outcomes), len(groups))
    assert held.dtype.kind == "i"
    assert held.min() >= 0
    assert held.sum() > 0
    assert task.held([], groups).shape == (0, len(groups))
    assert list(task.groups([])) == []


@of_every_task
def test_counts_have_a_row_for_each_outcome_and_group_and_add_up(task):
    outcomes = shown_again(task)
    groups = task.groups(outcomes)
    for name, metric in task.metrics().items():
        for view in filter(metric.meant_in, task.views):
            table = metric.count(outcomes, view, groups)
            assert table.ndim == 3, name
            assert table.shape[0] == len(outcomes), name
            assert table.shape[1] in (len(groups), 1 + len(groups)), name
            assert np.isfinite(table).all(), name
            assert metric.value(table.sum(axis=(0, 1))).shape == (), name


@pytest.mark.slow
@of_every_task
def test_values_lie_where_their_metrics_say(task, run_all):
    known = 0
    for probe, run in run_all(task).items():
        for measurement in judge_case(run.case, task, run.evidence, GATE, 1).measurements.values():
            for row in (measurement.overall, *measurement.per_group.values()):
                for name, found in row.items():
                    metric = task.metrics()[name]
                    if found.n or found.value == found.value:
                        known += 1
                        if np.isnan(found.se):  # too few of a group for an interval on a scale without ends
                            assert found.n < FEWEST_OF_A_GROUP
                            assert not np.isfinite([metric.low, metric.high]).all()
                            continue
                        assert metric.low <= found.low <= found.value <= found.high <= metric.high, (probe, name)
                        assert found.se >= 0
    assert known > 0


@of_every_task
def test_a_perfect_model_has_the_best_value_and_loses_nothing_without_edits(task):
    outcomes = shown_again(task)
    groups = task.groups(outcomes)
    metrics = [task.metrics()[name] for name in (task.floor, task.headline)]
    for alike in {all(map(task.views_agree, outcomes)), False}:
        found = collect(outcomes, groups, task.held(outcomes, groups), metrics, task.views, alike=alike)
        for view, measurement in measure(found, task.views, metrics, GATE).items():
            assert measurement.estimate(task.floor).value == task.metrics()[task.floor].high, view
            assert measurement.estimate(task.headline).value == 0, view


@of_every_task
def test_all_views_see_an_unedited_example_alike(task):
    for outcome in shown_again(task):
        assert task.views_agree(outcome)


@of_every_task
def test_without_a_unit_a_bound_is_undecided_and_says_why(task, run_all):
    run = run_all(task)["baseline"]
    empty = run.evidence.only(np.zeros(len(run.evidence), dtype=bool))
    measurement = measure(empty, task.views, task.metrics().values(), GATE)[task.usual_view]
    for bound in run.case.bounds:
        assert task.undecidable(bound, measurement, empty, "corpus")


# Results --------------------------------------------------------------------------------------------------------------


@of_every_task
def test_its_own_fields_are_in_its_results_alone(task, run_all):
    names = {each: {own.name for own in declared_fields(each.report.result_fields)} for each in tasks().values()}
    for run in run_all(task).values():
        assert names[task] <= set(run.facts)
        assert set().union(*names.values()) & set(run.facts) == names[task]


@of_every_task
def test_facts_examples_and_records_are_json(task, run_all):
    ids = {example.id for example in corpus(task.name).examples}
    for run in run_all(task).values():
        for value in (run.facts, [*run.examples], [*run.records]):
            json.dumps(value, allow_nan=False)
        assert {record["sentence_id"] for record in run.records} <= ids
        assert len(run.examples) <= 10


@of_every_task
def test_facts_about_model_and_corpus_are_json(task):
    opened = session(task)
    _, found = opened.judge(opened.baseline())
    facts = task.report.facts(opened, found.bound_view)
    assert {"model", "corpus", "inputs", "baseline"} <= set(facts)
    assert facts["model"]["fingerprint"] == opened.model.fingerprint
    assert facts["corpus"]["sha256"] == opened.corpus.sha256
    json.dumps(facts, allow_nan=False)


@pytest.mark.slow
@of_every_task
def test_where_text_is_withheld_nothing_of_the_corpus_is_in_a_result(task):
    opened = session(task, with_text=False)
    said = []
    for case in cases(task.name).values():
        run = opened.run(case)
        assert (list(run.examples), list(run.records)) == ([], [])
        said.append(json.dumps(run.facts, ensure_ascii=False))
    texts = [sentence.text for example in opened.examples for sentence in example.fields.values() if len(sentence) > 4]
    assert texts
    assert not [text for text in texts if any(text in each for each in said)]


@pytest.mark.slow
@of_every_task
def test_a_case_gives_the_same_evidence_in_every_session(task, run_all):
    first = {run.case.id: run.evidence for run in run_all(task).values()}
    opened = session(task)
    second = {case.id: opened.run(case).evidence for case in cases(task.name).values()}
    assert to_bytes(first) == to_bytes(second)


@of_every_task
def test_workers_read_the_clean_predictions_that_one_of_them_left(task, tmp_path):
    first, second = by_heart(task), by_heart(task)
    found = [session(task, model=model, store=tmp_path) for model in (first, second)]
    runs = [each.run(each.baseline()).evidence for each in found]
    assert (first.asked > 0, second.asked) == (True, 0)
    assert to_bytes({"baseline": runs[0]}) == to_bytes({"baseline": runs[1]})


@of_every_task
def test_the_limits_of_bounds_that_it_checks_are_those_of_the_bundled_cases(task):
    assert [*task.check(cases(task.name).values(), session(task))] == []


@of_every_task
def test_a_perfect_model_keeps_a_floor_where_there_are_enough_examples(task):
    """With fewer than fifty nothing is judged, however good it is."""
    opened = session(task)
    _, found = opened.judge(cases(task.name)["baseline"])
    assert found.verdict == "inconclusive"
    assert found.deciding.reason.startswith("fewer than 50 distinct ")
    assert judge_case(found.case, task, found.evidence, Gate(resamples=100), 1).verdict == "inconclusive"
