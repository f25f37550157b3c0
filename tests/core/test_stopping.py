"""Cases that go through the corpus in parts: what they see, when they stop, and what their verdicts are worth."""

from __future__ import annotations

import numpy as np
import pytest

from abalo.core.protocols.task import tasks
from abalo.core.running.judging import UNBREAKABLE, judge_case, judge_early
from abalo.core.running.stopping import holders, misses_a_group, until_decided, waiting
from abalo.core.statistics.estimates import Estimate
from abalo.core.statistics.sequential import level_at, look_notes, looks_of, order
from abalo.core.statistics.verdicts import Bound, judge, judge_undecided
from tests.scripted import Gazetteer, ScriptedModel, corpus_of, read_case, session_of

TEXTS = [f"[José{k} PESSOA] negou o recurso" for k in range(300)]
NAMES = ScriptedModel(lambda word: "B-PESSOA" if word.startswith("Jos") else "O")


def run(name, decided, *bounds, seeds=(1, 2), texts=TEXTS, model=None, **entry):
    """The case, as far as it went, and the sentences that the model was asked about beside the clean ones."""
    session = session_of(corpus_of(*texts), model or ScriptedModel(NAMES.tag), seeds=seeds)
    session.predictor.clean()
    before = len(session.model.asked)
    (found,) = until_decided(read_case(name, *bounds, **entry), [session], 0.025, decided)
    return found, session.model.asked[before:]


def never(_evidence):
    return False


def always(_evidence):
    return True


def test_a_case_stops_at_the_first_look_that_decides():
    found, asked = run("accents", always)
    assert found.facts["taken"] == {
        "look": 1,
        "looks": 4,
        "sentences": 134,
        "of": 300,
        "of_distinct": 300,
        "seeds": 1,
        "of_seeds": 2,
    }
    assert len(asked) == found.facts["inputs"] == 134
    assert found.facts["seeds"] == [1]
    assert len(found.evidence) == 134


def test_where_nothing_is_to_be_decided_the_first_part_is_enough_and_spends_nothing():
    found, _ = run("accents", None)
    assert (found.facts["taken"]["look"], found.facts["sentences"]) == (0, 50)
    assert level_at(found.evidence.notes, 0.025) == 0.025


def test_a_case_that_nothing_decides_sees_what_a_whole_run_sees():
    found, asked = run("character_noise", never, rate=0.3)
    whole = session_of(corpus_of(*TEXTS), NAMES).run(read_case("character_noise", rate=0.3))
    assert found.facts["taken"]["look"] == found.facts["taken"]["looks"]
    for name in ("ids", "seeds", "digests", "clusters", "changed"):
        assert np.array_equal(getattr(found.evidence, name), getattr(whole.evidence, name)), name
    for view, tables in whole.evidence.tables.items():
        assert all(np.array_equal(found.evidence.tables[view][name], table) for name, table in tables.items())
    same = ("sentences", "distinct", "changed", "variants", "not_hit", "nothing_fits", "filtered", "params", "seeds")
    assert {name: found.facts[name] for name in same} == {name: whole.facts[name] for name in same}
    assert len(asked) == whole.facts["inputs"]


def test_an_input_is_asked_about_once_whatever_the_part():
    found, asked = run("accents", never)  # the same variant under either seed
    assert len(asked) == len(set(map(str, asked))) == found.facts["inputs"] == 300


def test_the_order_of_the_corpus_does_not_matter():
    first, _ = run("accents", always)
    second, _ = run("accents", always, texts=TEXTS[::-1])
    assert sorted(first.evidence.ids) == sorted(second.evidence.ids)
    assert list(first.evidence.clusters) != order(first.evidence.clusters, 1), (
        "outcomes stay in the order of the corpus"
    )


def test_copies_of_a_sentence_are_taken_together():
    found, _ = run("accents", always, texts=[*TEXTS, *TEXTS])
    assert (found.facts["sentences"], found.facts["distinct"]) == (268, 134)


def test_kinds_that_are_run_whole_are_left_to_that():
    session = session_of(corpus_of(*TEXTS), NAMES)
    assert until_decided(session.baseline(), [session], 0.025, always) is None


def test_a_verdict_at_a_look_needs_what_the_look_may_spend():
    bound, confidence = Bound("f1_drop", "max", 0.1), 0.95
    # 0.1 lies 2.1 standard errors above 0.058: within at 2.5 % (1.96), but not at what the look at two thirds may
    # spend, 0.025 · ((327/490)² - (218/490)²) = 0.00619 (2.50)
    found = Estimate(0.058, 0.058 - 1.96 * 0.02, 0.058 + 1.96 * 0.02, 0.02, 327, 327)
    notes = look_notes(3, 490, 1)
    assert looks_of(490, 1)[2].clusters == 327
    assert level_at(notes, 0.025) == pytest.approx(0.00619, abs=2e-5)
    metric = tasks()["ner"].metrics()["f1_drop"]
    at = found.at_level(level_at(notes, 0.025), confidence, metric)
    assert at.high == pytest.approx(0.058 + 2.50 * 0.02, abs=1e-4)
    assert judge(bound, found, confidence=confidence, blocking_bounds=1).verdict == "pass"
    spend = lambda level: level_at(notes, level)  # noqa: E731
    assert judge(bound, at, confidence=confidence, blocking_bounds=1, spend=spend).verdict == "inconclusive"


def test_a_look_that_may_spend_nothing_decides_nothing():
    found = Estimate(0.5, 0.49, 0.51, 0.005, 500, 500)
    for limit in (0.0, 1.0):
        bound = Bound("f1_drop", "max", limit)
        assert judge(bound, found, confidence=0.95, blocking_bounds=1, spend=lambda _: 0.0).verdict == "inconclusive"


def test_one_judgement_with_all_metrics_or_with_those_of_the_bounds():
    bounds = Bound("f1_drop", "max", 0.2), Bound("min_f1".removeprefix("min_"), "min", 0.9)
    forgets = ScriptedModel(lambda word: "B-PESSOA" if word.startswith("José") else "O")
    found, _ = run("accents", always, *bounds, model=forgets)
    case = read_case("accents", *bounds)
    gate = session_of(corpus_of(*TEXTS), NAMES).gate
    early = judge_early(case, tasks()["ner"], found.evidence, gate, 3)
    assert list(early) == list(judge_case(case, tasks()["ner"], found.evidence, gate, 3).judgements)
    assert {each.verdict for each in early} == {"fail"}


def test_a_bound_is_waited_for_where_the_corpus_could_decide_it():
    estimate = Estimate(0.1, 0.0, 0.2, 0.05, 30, 30)
    open_still = [judge_undecided(Bound("f1_drop", "max", 0.1, "PESSOA"), estimate, "the interval contains the bound")]
    assert waiting(open_still, lambda _: 50)
    assert not waiting(open_still, lambda _: 49)
    assert not waiting([judge_undecided(Bound("f1_drop", "max", 0.1), estimate, UNBREAKABLE)], lambda _: 500)


def test_holders_of_a_group_are_counted_in_gold_once_for_copies():
    texts = ["[Ana PESSOA] saiu", "[Ana PESSOA] saiu", "[Belém LOCAL] caiu", "choveu"]
    session = session_of(corpus_of(*texts), Gazetteer())
    case = read_case("accents")
    assert [holders(case, session)[group] for group in (None, "PESSOA", "LOCAL", "TEMPO")] == [3, 1, 1, 0]


def test_a_mean_over_groups_needs_all_holders_of_a_rare_one_or_enough():
    texts = [*(f"[José{k} PESSOA] saiu" for k in range(130)), "[Belém LOCAL] caiu"]
    session = session_of(corpus_of(*texts), Gazetteer())
    case = read_case("accents")
    whole, holding = session.run(case).evidence, holders(case, session)
    persons = whole.held[:, whole.groups.index("PESSOA")] > 0
    assert not misses_a_group(whole, holding)
    assert misses_a_group(whole.only(persons), holding)
    rest = np.flatnonzero(~persons)
    assert not misses_a_group(whole.only(np.concatenate([np.flatnonzero(persons)[:100], rest])), holding)
    assert misses_a_group(whole.only(np.concatenate([np.flatnonzero(persons)[:20], rest])), holding)
