"""Panels: which sentence is seen in which cases, and what is judged by it."""

from collections import Counter
from dataclasses import replace
from datetime import date
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.comparison.test.comparison import compare_task
from abalo.comparison.test.family import Runs
from abalo.comparison.test.panel_pool import Pooled, pool
from abalo.comparison.test.panels import STOPPED
from abalo.config.thresholds import case_of
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.statistics.evidence import from_bytes, put_together, to_bytes
from abalo.core.statistics.pairing import pair_runs
from abalo.core.statistics.panel import (
    EACH,
    Panel,
    PanelNotes,
    deal_groups,
    group_cases,
    notes_of,
    order_clusters,
    sizes,
)
from tests.compared import found_of, run_of
from tests.texts import TextWith

NER = tasks()["ner"]
GATE = Gate(resamples=1_000)
CASES = [case_of(NER, name, {}, GATE) for name in ("accents", "keyboard", "character_noise", "word_insertion", "typos")]
N = 400
CLUSTERS = [f"s{row:04}" for row in range(N)]

# Drawing --------------------------------------------------------------------------------------------------------------


@given(st.integers(1, 40), st.integers(1, 200), st.integers(1, 5))
def test_each_sentence_has_as_many_groups_as_asked_and_each_group_as_many_sentences(groups, sentences, seed):
    dealt = deal_groups(groups, sentences, EACH, seed)
    assert all(len(set(own)) == min(EACH, groups) for own in dealt)
    counts = Counter(group for own in dealt for group in own)
    assert len(dealt) == sentences
    assert max(counts.values()) - min(counts[group] for group in range(groups)) <= 2


@given(st.integers(1, 20), st.integers(1, 100), st.integers(1, 100), st.integers(1, 6))
def test_a_panel_is_the_beginning_of_a_larger_one(groups, smaller, more, each):
    one = deal_groups(groups, smaller, each, 1)
    assert deal_groups(groups, smaller + more, each, 1)[:smaller] == one
    assert all(set(few) <= set(many) for few, many in zip(one, deal_groups(groups, smaller, each + 1, 1), strict=True))


def test_the_order_depends_on_sentences_and_seed_alone():
    assert order_clusters(reversed(CLUSTERS), 1) == order_clusters(CLUSTERS * 2, 1) != order_clusters(CLUSTERS, 2)


def test_what_a_panel_draws_stays_the_same():
    assert deal_groups(5, 3, 3, 1) == [(3, 4, 2), (4, 0, 1), (0, 2, 3)]
    assert order_clusters(["a", "b", "c", "d"], 1) == ["a", "d", "c", "b"]


def test_more_groups_come_only_after_all_sentences():
    assert sizes(300, 5) == [(64, 3), (128, 3), (256, 3), (300, 3), (300, 4), (300, 5)]
    assert sizes(64, 2) == [(64, 2)]
    assert sizes(40, 5) == [(40, 3), (40, 4), (40, 5)]


def test_cases_with_one_key_go_together():
    cases = [("boundary", "b[predicted]"), ("accents", "a"), ("boundary", "b[oracle]")]
    assert group_cases(cases) == (("a",), ("b[oracle]", "b[predicted]"))
    found = Panel((("a",), ("b[oracle]", "b[predicted]")), 1, 10, 1, 1).clusters_by_case(CLUSTERS)
    assert found["b[oracle]"] == found["b[predicted]"]
    assert len(found["a"]) == len(found["b[oracle]"]) == 5


def test_looks_are_at_fifths():
    assert Panel((("a",),), 1, 128, 1, looks=5).ends == (26, 52, 77, 103, 128)
    assert Panel((("a",),), 1, 128, 1, 1).ends == (128,)


def test_more_groups_are_run_once_all_sentences_have_three():
    groups = tuple((name,) for name in "abcde")
    assert Panel(groups, 3, 64, 1, 1).parts == ((13, 3), (26, 3), (39, 3), (52, 3), (64, 3))
    assert Panel(groups, 5, 64, 1, 1).parts[4:] == ((64, 3), (64, 4), (64, 5))
    assert Panel(groups, 5, 64, 1, looks=5).parts[-1] == (64, 5)
    smaller, larger = (Panel(groups, each, 64, 1, 1).layers_by_case(CLUSTERS) for each in (3, 5))
    assert all(larger[case] | own == larger[case] for case, own in smaller.items())


def test_notes_say_again_what_they_said():
    notes = PanelNotes(5, 52, 128, 5)
    assert notes_of({"filtered": 0, **notes.to_json()}) == notes
    assert notes_of({"filtered": 0}) is None


def test_a_look_may_spend_what_the_earlier_ones_left():
    levels = [PanelNotes(5, seen, 1000, 5).level(0.0125) for seen in (100, 200, 400, 600, 800, 1000)]
    assert levels[0] == 0
    assert levels[1] == pytest.approx(0.0125 * 0.04, rel=0.01)  # the first fifth: a 25th of the level
    assert all(before < after for before, after in pairwise(levels))
    assert levels[-1] < 0.0125
    assert PanelNotes(5, 128, 128, 1).level(0.0125) == 0.0125
    assert PanelNotes(5, 77, 128, 1).level(0.0125) == 0.0125  # out of time, which no result decided


# Judging --------------------------------------------------------------------------------------------------------------


def panel_of(evidence, panel, *, seen=None):
    """The evidence of a whole run, cut to a panel."""
    drawn = panel.clusters_by_case(CLUSTERS)
    ordered = order_clusters(CLUSTERS, panel.seed)
    notes = PanelNotes(len(panel.cases), seen or panel.sentences, panel.sentences, panel.looks).to_json()
    kept = set(ordered[: seen or panel.sentences])
    found = {}
    for case, own in evidence.items():
        if case not in panel.cases:
            found[case] = own.only(np.isin(own.clusters, ordered[: panel.sentences]))
            continue
        part = own.only(np.isin(own.clusters, [each for each in drawn[case] if each in kept]))
        found[case] = replace(part, notes={**part.notes, **notes})
    return found


def whole(share, lost=0.0, kinds=None):
    """The evidence of a whole run that finds this share of the entities, but for those that are lost."""
    clean = found_of(share, N)

    def case(number):
        return run_of(found_of(share, N, number) & ~found_of(lost, N, 100 + number), kinds=kinds)

    return {"ner/baseline": run_of(clean, kinds=kinds)} | {each.id: case(k) for k, each in enumerate(CASES)}


def compared(new, reference, gate=GATE):
    return compare_task(NER, CASES, Runs(new, reference), gate, date(2026, 11, 27))


DESIGN = Panel(group_cases((case.id, case.id) for case in CASES), EACH, 128, 1, 1)


def test_a_mean_is_over_all_cases_of_a_panel_however_few_sentences_each_has():
    design = replace(DESIGN, sentences=64)
    result = compared(panel_of(whole(0.9, 0.3), design), whole(0.9))
    assert (result.mean.state, result.mean.cases, result.mean.of_cases) == ("regressed", 5, 5)
    singles = [loss for loss in result.losses if loss.case in design.cases]
    assert len(singles) == 5
    assert {loss.state for loss in singles} == {"too few changed"}
    assert all(loss.loss.value > 0 for loss in singles)  # shown


def test_single_cases_with_fifty_sentences_are_judged():
    result = compared(panel_of(whole(0.9, 0.5), DESIGN), whole(0.9))
    singles = {loss.state for loss in result.losses if loss.case in DESIGN.cases}
    assert singles == {"regressed"}


def test_types_are_judged_over_the_whole_panel():
    kinds = ["PER", "LOC"] * (N // 2)
    without = {
        case: each if case == "ner/baseline" else run_of(found_of(0.9, N) & (np.arange(N) % 2 == 0), kinds=kinds)
        for case, each in whole(0.9, kinds=kinds).items()
    }
    result = compared(panel_of(without, DESIGN), whole(0.9, kinds=kinds))
    types = {loss.group: loss.state for loss in result.losses if loss.case == "ner/types"}
    assert types["LOC"] == "regressed"
    assert types["PER"] != "regressed"
    assert not any(loss.group for loss in result.losses if loss.case in DESIGN.cases)


def test_a_mean_without_one_of_the_cases_is_not_given():
    new = panel_of(whole(0.9, 0.3), DESIGN)
    del new[CASES[0].id]
    mean = compared(new, whole(0.9)).mean
    assert (mean.state, mean.reason) == ("can't tell", TextWith("1 of the 5 cases", "no result"))
    assert np.isnan(mean.loss.value)


def test_a_case_that_the_reference_lacks_leaves_no_mean():
    reference = whole(0.9)
    del reference[CASES[0].id]
    assert compared(panel_of(whole(0.9), DESIGN), reference).mean.reason.endswith(CASES[0].id)


def test_the_same_model_is_identical_on_a_panel():
    same = whole(0.9)
    result = compare_task(NER, CASES, Runs(panel_of(same, DESIGN), same, same_model=True), GATE, date(2026, 11, 27))
    assert result.state == "identical"


def test_a_whole_run_can_be_judged_against_a_panel():
    result = compared(whole(0.9, 0.3), panel_of(whole(0.9), DESIGN))
    assert (result.mean.state, result.mean.cases) == ("regressed", 5)


def test_a_stop_for_the_mean_decides_nothing_else():
    design = replace(DESIGN, sentences=N, looks=5)
    result = compared(panel_of(whole(0.9, 0.5), design, seen=240), whole(0.9))
    assert result.mean.state == "regressed"
    reasons = {loss.reason for loss in result.losses if loss.case != "ner/baseline"}
    assert reasons == {STOPPED}


def test_parts_of_a_panel_are_put_together_with_their_notes():
    found = panel_of(whole(0.9), DESIGN)[CASES[0].id]
    half = len(found) // 2
    rows = np.arange(len(found))
    joined = put_together([found.only(rows[:half]), found.only(rows[half:])], rows.tolist())
    assert notes_of(joined.notes) == notes_of(found.notes)
    again = from_bytes(to_bytes({"a": found}))["a"]
    assert notes_of(again.notes) == PanelNotes(5, 128, 128, 1)


def test_the_pool_of_cases_with_different_names_is_the_mean_of_its_cases():
    """Two cases of ten sentences: 10 of 10 entities found before, 8 and 6 now."""
    metric = NER.metrics()["f1"]

    def pair(found):
        return pair_runs(run_of(found), run_of([True] * 10), metric, CASES[0].view, from_model=False, fewest=1)

    eight, six = pair([True] * 8 + [False] * 2), pair([True] * 6 + [False] * 4)
    before = run_of([True] * 10)
    apart = pool([Pooled("a", eight, before), Pooled("b", six, before)])
    assert metric.value(apart.new.sum(axis=0))[0, 0] == pytest.approx(2 * 14 / (14 + 20))
    alike = pool([Pooled("a", eight, before), Pooled("a", six, before)])
    assert apart.new[:, 0, 0].sum(axis=0) == pytest.approx(2 * alike.new[:, 0, 0].sum(axis=0))
    assert (apart.clusters, apart.holding) == (eight.clusters, (0, 10))
