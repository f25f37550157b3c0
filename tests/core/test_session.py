"""A session: one task, one corpus, one model; running cases and judging them."""

import json

import pytest

from abalo.core.protocols.probe import fields_of, probes
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.records.json_records import declared_fields
from abalo.core.running.engine import CaseRun, Engine
from abalo.core.running.judging import judge_case
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import Bound
from abalo.errors import AbaloError
from tests.scripted import Gazetteer, corpus_of, read_case, session_of

CORPUS = corpus_of("[José PESSOA] saiu", "nada aqui", "[José PESSOA] saiu")
GATE = Gate(resamples=100)


def opened(model=None, **more):
    return session_of(CORPUS, model or Gazetteer("[José PESSOA]"), gate=GATE, **more)


def test_a_run_gives_evidence_facts_examples_and_records():
    found = opened().run(read_case("accents"))
    assert isinstance(found, CaseRun)
    assert found.case.id == "ner/accents"
    assert found.evidence.seeds.tolist() == [1, 1, 1, 2, 2, 2]
    assert found.evidence.changed.tolist() == [True, False, True] * 2
    (example,) = found.examples  # both copies under both seeds are one
    assert (example["new_tokens"], example["predicted"]) == (["Jose", "saiu"], ["O", "O"])
    assert [(each["seed"], each["predicted"]) for each in found.records] == [(s, ("O", "O")) for s in (1, 1, 2, 2)]


def test_the_facts_are_all_that_does_not_depend_on_judging():
    facts = opened().run(read_case("accents", max_f1_drop=0.5, blocking=False)).facts
    expected = {
        "id": "ner/accents",
        "task": "ner",
        "probe": "perturbation",
        "name": "accents",
        "headline": "f1_drop_changed",
        "kind": "morphology",
        "span_source": None,
        "require": [],
        "filtered": 0,
        "params": {},
        "blocking": False,
        "seeds": [1, 2],
        "sentences": 3,
        "distinct": 2,
        "changed": 2,
        "variants": 4,
        "inputs": 1,
        "shared_inputs": 0,
    }
    assert {name: facts[name] for name in expected} == expected
    assert facts["seconds"] >= 0
    assert json.loads(json.dumps(facts)) == facts


@pytest.mark.parametrize("name", ["accents", BASELINE, "doubled_space"])
def test_a_result_has_the_fields_of_its_probe_and_task_and_none_of_others(name):
    facts = opened().run(read_case(name)).facts
    own = {each.name for kind in fields_of(facts["probe"], facts["task"]) for each in declared_fields(kind)}
    every = (*probes().values(), *(task.report for task in tasks().values()))
    assert {each.name for owner in every for each in declared_fields(owner.result_fields)} & set(facts) == own


def test_without_text_nothing_that_quotes_the_corpus_is_kept():
    found = opened(with_text=False).run(read_case("accents"))
    assert (list(found.examples), list(found.records)) == ([], [])
    said = json.dumps(found.facts, ensure_ascii=False)
    assert "José" not in said
    assert "Jose" not in said


def test_seeds_are_those_of_the_case_else_of_the_run_else_of_the_gate():
    own = read_case("accents", seeds=[9])
    assert opened(seeds=()).seeds == GATE.seeds == (1, 2, 4)
    assert opened(seeds=(5,)).seeds_of(read_case("accents")) == (5,)
    assert opened(seeds=(5,)).seeds_of(own) == (9,)


def test_judging_a_case_is_running_it_and_judging_its_evidence():
    case = read_case("accents", max_f1_drop=0.5)
    run, found = opened().judge(case, 3)
    again = judge_case(case, tasks()["ner"], opened().run(case).evidence, GATE, 3)
    assert found.explanation == again.explanation
    assert found.evidence is run.evidence
    assert repr(found.measurements) == repr(again.measurements)


def test_the_baseline_is_a_case_without_bounds_on_the_whole_corpus():
    session = opened()
    case = session.baseline()
    assert (case.id, case.bounds) == ("ner/baseline", ())
    run, found = session.judge(case)
    assert (found.verdict, found.bound_view.estimate("f1").value) == (None, 1)
    assert run.evidence.seeds.tolist() == [0, 0, 0]


def test_a_limit_is_the_first_of_the_corpus():
    session = opened()
    assert len(session.run(read_case("accents", limit=1)).evidence) == 2


def test_the_model_is_asked_once_about_the_clean_corpus_for_all_cases():
    model = Gazetteer("[José PESSOA]")
    session = opened(model)
    for name in ("accents", BASELINE, "accents"):
        session.run(read_case(name))
    assert [sentence.text for sentence in model.asked] == ["José saiu", "nada aqui", "Jose saiu"]


def test_workers_share_the_clean_predictions_by_a_folder(tmp_path):
    first, second = Gazetteer("[José PESSOA]"), Gazetteer("[José PESSOA]")
    for model in (first, second):
        opened(model, store=tmp_path).run(read_case(BASELINE))
    assert (len(first.asked), len(second.asked)) == (2, 0)


def test_a_case_runs_without_its_bounds_being_looked_at():
    bound = Bound("f1_drop", "max", 0.0)
    with_bound, without = (opened().run(read_case("accents", *bounds)) for bounds in ([bound], []))
    assert with_bound.evidence.tables.keys() == without.evidence.tables.keys()
    assert with_bound.facts | {"seconds": 0} == without.facts | {"seconds": 0}


def test_a_search_that_keeps_a_log_opens_it_for_its_case(tmp_path):
    asked = []

    def none(case):
        asked.append(case.id)

    opened(open_log=none).run(read_case("entity_attack", budget=5))
    assert asked == ["ner/entity_attack[budget-5]"]


def test_a_task_whose_floor_is_better_when_it_is_smaller_is_refused():
    class Inverted(type(tasks()["ner"])):
        floor = "f1_drop"

    with pytest.raises(AbaloError, match="has more_is_better=False"):
        Engine(Inverted(), None, None)
