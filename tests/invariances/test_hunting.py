"""Hypothesis finds the smallest edit that breaks an invariance, and none where there is none."""

import pytest

from abalo.core.protocols.task import tasks
from abalo.core.statistics.invariance import broken_targets
from abalo.invariances import invariances
from tests.invariances.test_trial import CORPUS, KNOWN, Fussy, trial
from tests_behavioral.hunting import EFFORTS, Effort, hunt

MUCH = Effort(80, 20_000, 600)


@pytest.mark.parametrize(
    "name", [name for name, invariance in invariances().items() if invariance.fits(tasks()["ner"])]
)
def test_a_model_that_knows_words_by_heart_breaks_no_invariance(name):
    found = trial(name, KNOWN)
    if found.examples:
        hunted = hunt(found, (), EFFORTS["dev"])
        assert (hunted.smallest, hunted.stopped) == (None, "")
        assert hunted.edits > 0


@pytest.mark.slow
def test_a_planted_fault_shrinks_to_its_letter():
    hunted = hunt(trial("typo_outside", Fussy("z")), (), MUCH)
    (edit,) = hunted.smallest.perturbed.edits
    old, new = hunted.smallest.sentence.tokens[edit.start], edit.tokens[0]
    assert len(old) == len(new)
    ((_, letter),) = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
    assert letter == "z"
    assert len(hunted.smallest.sentence.text) == min(len(sentence.text) for sentence in CORPUS.sentences[:60])


def test_what_was_drawn_counts_too():
    fussy = trial("typo_outside", Fussy("z"), draws=400)
    drawn = fussy.drawn(1)
    hunted = hunt(fussy, drawn, Effort(1, 0, 60))
    assert hunted.smallest in drawn
    assert broken_targets(hunted.smallest)


@pytest.mark.slow
def test_the_same_search_finds_the_same():
    first, second = (hunt(trial("typo_outside", Fussy("zq")), (), MUCH) for _ in range(2))
    assert (first.edits, first.stopped, first.smallest.perturbed) == (
        second.edits,
        second.stopped,
        second.smallest.perturbed,
    )


@pytest.mark.parametrize("effort", [Effort(50, 40, 60), Effort(50, 10**9, 0)], ids=["edits", "seconds"])
def test_a_search_ends_when_its_means_do(effort):
    hunted = hunt(trial("typo_outside", KNOWN), (), effort)
    assert hunted.edits <= effort.edits
    assert hunted.stopped in ("at the most edits", "after 0 seconds")
    assert hunted.smallest is None


def test_a_search_that_runs_out_keeps_what_it_has_found():
    hunted = hunt(trial("typo_outside", Fussy("cdfgkpqtuvwxyz")), (), Effort(50, 200, 60))
    assert broken_targets(hunted.smallest)


@pytest.mark.slow
def test_what_is_found_at_random_is_remembered(tmp_path):
    effort = Effort(100, 20_000, 60, random=True)
    hunt(trial("typo_outside", Fussy("zxqvw")), (), effort, tmp_path)
    assert any(tmp_path.rglob("*"))
    again = hunt(trial("typo_outside", Fussy("zxqvw")), (), Effort(1, 20_000, 60, random=True), tmp_path)
    assert again.smallest is not None


def test_what_was_drawn_in_a_long_sentence_is_tried_in_the_shortest():
    fussy = trial("typo_outside", Fussy("z"), draws=400)
    drawn = [outcome for outcome in fussy.drawn(1) if broken_targets(outcome)][-1:]
    assert fussy.rank(drawn[0])[0] > 0
    hunted = hunt(fussy, drawn, Effort(1, 5_000, 60))
    assert hunted.smallest.example is fussy.examples[0]
    (edit,) = hunted.smallest.perturbed.edits
    assert "z" in edit.tokens[0]


def test_examples_of_one_invariance_are_not_those_of_another():
    keys = {trial(name, model).key for name in ("typo_outside", "final_full_stop") for model in (KNOWN, Other())}
    assert len(keys) == 4


class Other(Fussy):
    """Another model, by its fingerprint."""

    fingerprint = "another"

    def __init__(self) -> None:
        super().__init__("z")
