"""The cases of a report that are taught, and why others are not."""

from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.hardening.failures import failures, families
from tests.reporting.documents import result as some_result
from tests.scripted import read_case
from tests.texts import TextWith

NOISE = read_case("character_noise", rate=0.1)
TYPOS = read_case("typos")
INSERTION = read_case("word_insertion", rate=0.1)
ORACLE = read_case("char_typo", span_source="oracle")
PREDICTED = read_case("char_typo", span_source="predicted")
ATTACK = read_case("entity_attack")
SLICE = read_case("slice", of="rare_types")
CASES = {case.id: case for case in (NOISE, TYPOS, INSERTION, ORACLE, PREDICTED, ATTACK, SLICE)}


def result(case, verdict, value, low, high):
    """An entry of the results of a document, as far as it is read here."""
    headline = {"attack": "success_rate", "slice": "f1_gap"}.get(case.probe.name, "f1_drop_changed")
    return {
        **some_result("accents", {}, 0.8, []),
        "id": case.id,
        "task": "ner",
        "probe": case.probe.name,
        "name": case.name,
        "view": case.view,
        "span_source": None,
        "bound": None,
        "verdict": verdict,
        "headline": headline,
        "metrics": {headline: {"value": value, "low": low, "high": high, "n": 110}},
    }


def taken(*results, most=8, held_out=()):
    found = failures(typed.read(Document, {"results": list(results)}), "ner", CASES, most, held_out)
    return [case.id for case in found.taken], list(found.left_out)


def test_failed_cases_come_first_then_significant_costs_by_their_low_end():
    results = (
        result(TYPOS, "pass", 0.19, 0.17, 0.21),
        result(INSERTION, "pass", 0.01, -0.01, 0.03),
        result(NOISE, "fail", 0.33, 0.31, 0.35),
        result(ORACLE, "fail", 0.40, 0.20, 0.60),
    )
    assert taken(*results) == ([NOISE.id, ORACLE.id, TYPOS.id], [])


def test_an_attack_counts_only_where_it_failed():
    assert taken(result(ATTACK, "inconclusive", 0.3, 0.2, 0.4)) == ([], [])
    assert taken(result(ATTACK, "fail", 0.3, 0.2, 0.4)) == ([ATTACK.id], [])


def test_a_slice_teaches_nothing():
    assert taken(result(SLICE, "fail", 0.3, 0.2, 0.4)) == ([], [TextWith(f"{SLICE.id}: nothing")])


def test_the_same_changes_on_gold_and_predicted_spans_are_taught_once():
    chosen, left_out = taken(result(ORACLE, "fail", 0.2, 0.2, 0.3), result(PREDICTED, "fail", 0.2, 0.1, 0.3))
    assert (chosen, left_out) == ([ORACLE.id], [TextWith(f"{PREDICTED.id}: ", "same changes", ORACLE.id)])


def test_what_is_held_out_and_what_is_too_much_is_named():
    results = result(NOISE, "fail", 0.3, 0.3, 0.4), result(TYPOS, "fail", 0.2, 0.2, 0.3)
    assert taken(*results, held_out=["character"]) == ([TYPOS.id], [f"{NOISE.id}: character is held out"])
    chosen, left_out = taken(*results, most=1)
    assert chosen == [NOISE.id]
    assert left_out == [TextWith(f"{TYPOS.id}: ", "first 1", " F1 drop 0.200 [0.200, 0.300]")]


def test_families_are_the_packages_of_perturbations_else_the_kind_of_case():
    pipeline = read_case("pipeline", steps=["typos", "word_insertion"])
    assert [families(case) for case in (NOISE, pipeline, ATTACK)] == [{"character"}, {"spelling", "word"}, {"attack"}]
