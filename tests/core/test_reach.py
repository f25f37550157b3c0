"""A bound on all examples that a case can hardly move: too few changed for any model to break it."""

import pytest

from abalo.core.running.judging import Judged
from abalo.core.statistics.verdicts import Bound
from tests.core.test_judging import GATE
from tests.scripted import Gazetteer, corpus_of, read_case, session_of
from tests.texts import TextWith

TEN = [f"[José{i} PESSOA]" for i in range(10)]
"""The names with an accent, which their case changes."""

CORPUS = corpus_of(*(f"{name} saiu" for name in TEN), *(f"[Ana{i} PESSOA] saiu" for i in range(90)))

LOSES = Gazetteer(*TEN, *(f"[Ana{i} PESSOA]" for i in range(90)))
"""Finds every name, and none of the ten once their accents are gone: F1 is 180 / 190 = 0.947, the drop 0.053."""


def judged(*bounds: Bound, model=LOSES, **entry) -> Judged:
    return session_of(CORPUS, model, gate=GATE).judge(read_case("accents", *bounds, **entry), 1)[1]


@pytest.mark.parametrize(
    ("bound", "said"),
    [
        (
            Bound("f1_drop", "max", 0.06),
            TextWith("at most 0.053", "10 of 100 distinct", "max_f1_drop_changed = 0.06"),
        ),
        (
            Bound("f1", "min", 0.94),
            TextWith("at least 0.947", "10 of 100 distinct", "min_f1_changed = 0.94"),
        ),
        (
            Bound("f1_drop", "max", 0.06, "PESSOA"),
            TextWith("at most 0.053", "10 of 100 distinct"),
        ),
        (Bound("recall", "min", 0.9), TextWith("at least 0.900", "10 of 100 distinct")),
    ],
)
def test_what_no_model_could_break_decides_nothing(bound, said):
    (found,) = judged(bound).judgements
    assert (found.verdict, found.p, found.reason) == ("inconclusive", None, said)


def test_what_some_model_could_break_is_judged_as_ever():
    """All ten are lost, so the number is the worst possible; 0.0526 is the first limit that holds it."""
    assert [each.p is None for each in judged(Bound("f1_drop", "max", 0.0526)).judgements] == [False]
    assert [each.p is None for each in judged(Bound("f1_drop", "max", 0.0527)).judgements] == [True]
    keeps = Gazetteer(*TEN, *(name.replace("é", "e") for name in TEN), *(f"[Ana{i} PESSOA]" for i in range(90)))
    assert judged(Bound("f1_drop", "max", 0.05), model=keeps).verdict == "pass"


def test_a_bound_on_few_changed_ones_fails_by_the_exact_law_alone():
    """Ten of ten are lost. If half of such names were found, that had a chance of 0.5 ** 10; if a fifth, of 0.107."""
    (found,) = judged(Bound("f1_changed", "min", 0.5)).judgements
    assert (found.verdict, found.p) == ("fail", pytest.approx(0.5**10))
    (found,) = judged(Bound("f1_changed", "min", 0.2)).judgements
    assert (found.verdict, found.reason) == ("inconclusive", "too few changed (10)")


def test_few_changed_ones_pass_nothing():
    keeps = Gazetteer(*TEN, *(name.replace("é", "e") for name in TEN))
    assert judged(Bound("f1_drop_changed", "max", 0.9), model=keeps).verdict == "inconclusive"
