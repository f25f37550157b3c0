"""What every probe guarantees, in every task that has it."""

import json
from dataclasses import replace

import numpy as np
import pytest

from abalo.bundled import CASES, bundled_path
from abalo.config.calibration import usual_bound
from abalo.config.thresholds import canonical_id, load
from abalo.core.protocols.probe import metrics_of, probes, probes_of
from abalo.core.protocols.task import tasks
from abalo.core.records.json_records import declared_fields, is_required
from abalo.core.running.judging import judge_case
from abalo.core.statistics.evidence import from_bytes, to_bytes
from abalo.errors import AbaloError
from tests.conformance.subjects import GATE, OF_PROMPTS, cases, every_probe, of_every_probe, session

pytestmark = pytest.mark.slow

DEFAULT = load(bundled_path(CASES)).cases


@pytest.fixture(scope="module")
def ran():
    """Runs the case of a task and probe in a session of its own, once."""
    done = {}

    def found(task, probe):
        if (task.name, probe.name) not in done:
            done[task.name, probe.name] = session(task).run(cases(task.name)[probe.name])
        return done[task.name, probe.name]

    return found


# thresholds.toml ------------------------------------------------------------------------------------------------------


@every_probe
def test_the_default_cases_have_one_of_it(task, probe):
    assert probe.name in cases(task.name), f"give it a case in {CASES}: [[{task.name}.{probe.entries.tables(task)[0]}]]"


@every_probe
def test_the_names_of_its_tables_are_canonical_and_its_own(task, probe):
    others = {table for name in task.probes if name != probe.name for table in probes()[name].entries.tables(task)}
    for table in probe.entries.tables(task):
        assert table.isascii()
        assert table.isidentifier()
        assert canonical_id(f"{task.name}/{table}[a-1]") == f"{task.name}/{table}[a-1]"
        assert table not in others


@every_probe
def test_an_entry_without_a_key_is_a_case_or_its_problems_have_a_place(task, probe, write):
    for table in probe.entries.tables(task):
        place = f"[[{task.name}.{table}]]"
        found, lines = _read(write(f"{place}\n"))
        assert all(line.startswith(f"thresholds.toml {place}") for line in lines)
        assert len(found) == (0 if lines else 1)
        for case in found:
            assert (case.task, case.name, case.probe, case.bounds) == (task.name, table, probe, ())
            assert (case.view, case.slug) == (case.usual_view, "-".join(case.plan.leading))


def _read(path):
    """The cases of a file, and the problems that it has instead."""
    try:
        return load(path).cases, []
    except AbaloError as error:
        return (), str(error).splitlines()


@every_probe
def test_what_it_does_not_know_is_told_with_what_it_knows(task, probe, write):
    table = probe.entries.tables(task)[0]
    with pytest.raises(AbaloError) as caught:
        load(write(f"[[{task.name}.{table}]]\nno_such_thing = 1\n"))
    (line,) = [line for line in str(caught.value).splitlines() if "no_such_thing" in line]
    assert line.startswith(f"thresholds.toml [[{task.name}.{table}]] no_such_thing: no such parameter or bound")
    assert "; settings: " in line
    assert "; bounds: max_ or min_ and one of " in line


@every_probe
def test_ids_are_ascii_and_told_apart(task, probe):
    found = [case for case in DEFAULT if (case.task, case.probe) == (task.name, probe)]
    assert len({case.id for case in found}) == len(found) > 0
    for case in found:
        assert case.slug.isascii()
        assert not set(case.slug) & set(" []/:")


@every_probe
def test_its_usual_bound_says_something_and_every_value_keeps_it(task, probe):
    bound = usual_bound(probe, task)
    metric = task.metrics()[bound.metric]
    assert metric.name in metrics_of(probe, task)
    assert bound.limit == (metric.high if bound.side == "max" else metric.low)
    assert metric.meant_in(cases(task.name)[probe.name].usual_view)
    assert probe.meaningless(metric, task) is None


@every_probe
def test_its_headline_and_the_metrics_that_can_be_bound_are_measured(task, probe):
    measured = metrics_of(probe, task)
    assert probe.headline(task) in measured
    assert {name for name, metric in task.metrics().items() if probe.meaningless(metric, task) is None} <= {*measured}


@every_probe
def test_a_bound_on_a_metric_of_another_probe_is_refused_with_the_tables_that_have_it(task, probe):
    foreign = [metric for metric in task.metrics().values() if not metric.fits(probe.name)]
    for metric in foreign:
        assert probe.meaningless(metric, task), metric.name


@every_probe
def test_a_case_is_for_a_language_or_says_why_not(task, probe):
    for case in DEFAULT:
        if (case.task, case.probe) == (task.name, probe):
            for language in ("pt", "en", "zh", "xx"):
                reason = probe.entries.skipped(case.plan, language)
                assert reason is None or reason


# Running and judging --------------------------------------------------------------------------------------------------


@of_every_probe
def test_a_case_is_run_and_judged(task, probe, ran):
    run = ran(task, probe)
    found = judge_case(run.case, task, run.evidence, GATE, 1)
    assert len(run.evidence) > 0
    assert found.verdict in ("pass", "fail", "inconclusive")
    assert {*found.measurements} == {*task.views}
    assert len(found.explanation.splitlines()) == len(run.case.bounds) > 0
    assert found.bound_view.overall.keys() == metrics_of(probe, task).keys()


@of_every_probe
def test_judging_needs_nothing_but_the_evidence_as_it_is_filed(task, probe, ran):
    run = ran(task, probe)
    filed = from_bytes(to_bytes({run.case.id: run.evidence}))[run.case.id]
    first, again = (judge_case(run.case, task, evidence, GATE, 3) for evidence in (run.evidence, filed))
    assert again.explanation == first.explanation
    assert repr(again.judgements) == repr(first.judgements)
    assert repr(again.measurements) == repr(first.measurements)
    facts = [probe.refreshed(dict(run.facts), run.case, evidence, task, GATE) for evidence in (run.evidence, filed)]
    assert facts[0] == facts[1]


@of_every_probe
def test_without_a_unit_its_bounds_are_undecided_and_say_why(task, probe, ran):
    run = ran(task, probe)
    empty = replace(run.evidence.only(np.zeros(len(run.evidence), dtype=bool)), notes={})
    for judgement in judge_case(run.case, task, empty, GATE, 1).judgements:
        assert (judgement.verdict, judgement.p) == ("inconclusive", None)
        assert judgement.reason


@of_every_probe
def test_the_evidence_of_a_case_does_not_depend_on_what_ran_before(task, probe, ran):
    busy = session(task)
    for name, case in cases(task.name).items():
        if name != probe.name:
            busy.run(case)
    case = cases(task.name)[probe.name]
    after, alone = busy.run(case), ran(task, probe)
    assert to_bytes({case.id: after.evidence}) == to_bytes({case.id: alone.evidence})
    assert {**after.facts, "seconds": 0} == {**alone.facts, "seconds": 0}


@of_every_probe
def test_units_are_told_apart_by_example_seed_and_place(task, probe, ran):
    evidence = ran(task, probe).evidence
    units = {*zip(evidence.ids.tolist(), evidence.seeds.tolist(), evidence.places.tolist(), strict=True)}
    copies = len(session(task).examples) - len({example.id for example in session(task).examples})
    drawn_anew = probe.name == "invariance"  # any number of edits of a sentence under one seed
    assert drawn_anew or len(evidence) - len(units) <= copies * len({*evidence.seeds.tolist()})


@of_every_probe
def test_where_nothing_is_perturbed_nothing_changes(task, probe, ran):
    evidence = ran(task, probe).evidence
    assert probe.perturbs or not evidence.changed.any()
    assert not probe.perturbs or evidence.changed.any()
    assert ((evidence.digests != "") == evidence.changed).all()


@of_every_probe
def test_its_own_fields_are_in_its_results_and_not_in_those_of_others(task, probe, ran):
    own = {each.name for each in declared_fields(probe.result_fields) if is_required(each)}
    for name in {*task.probes} - {OF_PROMPTS}:
        theirs = {each.name for each in declared_fields(probes()[name].result_fields)}
        assert own & ran(task, probes()[name]).facts.keys() == own & theirs
    assert own <= ran(task, probe).facts.keys()
    assert json.loads(json.dumps(ran(task, probe).facts))


def test_a_probe_that_no_task_names_is_one_of_every_task():
    taken = {name for task in tasks().values() for name in task.probes}
    assert {*probes()} - taken == {"capability"}
    for task in tasks().values():
        assert {probe.name for probe in probes_of(task)} == {*task.probes, "capability"}
