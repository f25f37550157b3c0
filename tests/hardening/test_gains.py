"""The gain in a case: the cost before and after, on the same examples."""

import pytest

from abalo.core.case import BASELINE
from abalo.core.gate import Gate
from abalo.core.task import tasks
from abalo.hardening.gains import gains
from perturbations import apply, parse
from perturbations.text import Edit
from tests.scripted import evidence_of, outcome, read_case

COUNT = 60
GATE = Gate(resamples=1000)
TYPOS, CASING, NOISE = read_case("typos"), read_case("letter_case"), read_case("character_noise", rate=0.1)
CLEAN = read_case(BASELINE)


def perturbed(missed):
    """Sixty sentences with an entity each, of which as many are missed after a change."""
    sentences = [parse(f"[Ana PESSOA] saiu {k}") for k in range(COUNT)]
    return evidence_of(
        [
            outcome(
                sentence,
                perturbed=apply(sentence, [Edit(1, 2, ("Saiu",))]),
                predicted=("O", "O", "O") if k < missed else sentence.tags,
            )
            for k, sentence in enumerate(sentences)
        ]
    )


def clean(missed):
    sentences = [parse(f"[Ana PESSOA] saiu {k}") for k in range(COUNT)]
    return evidence_of(
        [outcome(each, ("O", "O", "O") if k < missed else each.tags) for k, each in enumerate(sentences)]
    )


def found(before, after, cases=(CLEAN, TYPOS, CASING, NOISE), taught=(TYPOS,)):
    return {each.case: each for each in gains(tasks()["ner"], cases, taught, before, after, GATE)}


def test_the_cut_is_the_share_of_the_cost_that_is_gone():
    (gain,) = found({TYPOS.id: perturbed(30)}, {TYPOS.id: perturbed(10)}, [TYPOS]).values()
    assert (gain.role, gain.metric) == ("taught", "f1_drop")
    assert gain.before == pytest.approx(1 - 2 * 30 / 90)  # recall 30 of 60, no false positive
    assert gain.after == pytest.approx(1 - 2 * 50 / 110)
    assert gain.change.value == pytest.approx(gain.after - gain.before)
    assert gain.cut.value == pytest.approx(1 - gain.after / gain.before)
    assert 0 < gain.cut.low < gain.cut.value < gain.cut.high < 1


def test_a_cost_that_grew_is_cut_by_less_than_nothing():
    (gain,) = found({TYPOS.id: perturbed(10)}, {TYPOS.id: perturbed(30)}, [TYPOS]).values()
    assert gain.cut.value < 0
    assert gain.change.low > 0


def test_what_cost_nothing_has_no_cut():
    (gain,) = found({TYPOS.id: perturbed(0)}, {TYPOS.id: perturbed(10)}, [TYPOS]).values()
    assert gain.cut.value != gain.cut.value


def test_the_clean_corpus_is_compared_by_its_score():
    (gain,) = found({CLEAN.id: clean(6)}, {CLEAN.id: clean(0)}, [CLEAN]).values()
    assert (gain.role, gain.metric, gain.after) == ("clean", "f1", 1.0)
    assert gain.change.value == pytest.approx(1 - 2 * 54 / 114)
    assert gain.cut.value != gain.cut.value


def test_cases_are_told_by_what_was_taught_and_by_family():
    evidence = {CLEAN.id: clean(0), **{case.id: perturbed(10) for case in (TYPOS, CASING, NOISE)}}
    keyboard = read_case("keyboard")
    evidence[keyboard.id] = perturbed(10)
    known = found(evidence, evidence, (NOISE, CASING, keyboard, TYPOS, CLEAN), (NOISE,))
    assert {case: each.role for case, each in known.items()} == {
        CLEAN.id: "clean",
        NOISE.id: "taught",
        keyboard.id: "same family",
        CASING.id: "other family",
        TYPOS.id: "other family",
    }
    assert list(known) == [CLEAN.id, NOISE.id, keyboard.id, CASING.id, TYPOS.id]


def test_what_cannot_be_compared_says_why():
    (gain,) = found({}, {TYPOS.id: perturbed(10)}, [TYPOS]).values()
    assert gain.reason == "did not run before"
