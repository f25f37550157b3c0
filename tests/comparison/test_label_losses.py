"""Losses of labels: by F1, once on the clean corpus and once over all cases; shifts; references without counts."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from abalo.comparison.test.comparison import compare_task
from abalo.comparison.test.family import Runs
from abalo.comparison.test.label_losses import (
    F1,
    NO_COUNTS,
    LabelTable,
    Weighed,
    label_tests,
    measured,
    moved_answers,
    pool_labels,
)
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.statistics.evidence import ALIKE
from abalo.core.statistics.losses import Draws, Loss, Moved
from abalo.corpora import Corpus
from abalo.models.labelling.classified import Classified
from perturbations import Sentence
from tests.scripted import ScriptedModel, read_case, session_of
from tests.tasks.labels.scripted import Script, pairs_of

GATE = Gate(resamples=2_000)
TODAY = date(2026, 11, 22)
SIZE = 300
"""Pairs of each of two labels."""

CASES = tuple(read_case(name, task="pairs") for name in ("baseline", "accents", "letter_case"))
LABELS = ("yes", "no")
ROWS = [(f"José é o número {k}", f"ele é o número {k}", LABELS[k >= SIZE]) for k in range(2 * SIZE)]


def wrong_on(*ranges):
    """The evidence of a model that gives these pairs the other label, clean and in every case."""
    wrong = {k for each in ranges for k in each}

    def says(pair):
        k = int(pair[1].split()[-1])
        return Classified((LABELS[(k >= SIZE) != (k in wrong)],))

    session = session_of(pairs_of(*ROWS), Script(says), task="pairs", gate=Gate(language="pt"))
    return {case.id: session.run(case).evidence for case in CASES}


@pytest.fixture(scope="module")
def reference():
    """Recall 0.9 of yes and 0.8 of no."""
    return wrong_on(range(30), range(SIZE, SIZE + 60))


def against(new, reference, gate=GATE):
    return compare_task(tasks()["pairs"], CASES, Runs(new, reference), gate, TODAY)


def test_a_balance_that_moved_is_a_shift_and_no_loss(reference):
    """Of yes 36 more are wrong, of no 36 fewer: F1 of yes from 0.857 to 0.839, recall from 0.9 to 0.78."""
    found = against(wrong_on(range(66), range(SIZE, SIZE + 24)), reference)
    by_label = {(loss.case, loss.group): loss for loss in found.losses if loss.group and loss.case == "pairs/baseline"}
    assert by_label["pairs/baseline", "yes"].reference == pytest.approx(2 * 270 / (330 + 300))
    assert by_label["pairs/baseline", "yes"].new == pytest.approx(2 * 234 / (258 + 300))
    assert "regressed" not in {loss.state for loss in found.losses if loss.group}
    (shifted,) = found.shifted
    assert (shifted.type, shifted.metric, shifted.reference, shifted.new) == ("yes", "recall", 0.9, 0.78)
    assert shifted.moved == (Moved("yes", "no", 36, 300),)


def test_a_label_that_gives_answers_away_regresses_twice_and_in_no_case(reference):
    """Of yes 90 of 270 right answers go to no; nothing comes back."""
    found = against(wrong_on(range(120), range(SIZE, SIZE + 60)), reference)
    regressed = {(loss.case, loss.group) for loss in found.losses if loss.state == "regressed" and loss.group}
    assert {("pairs/baseline", "yes"), ("pairs/types", "yes")} <= regressed
    assert {case for case, _ in regressed} == {"pairs/baseline", "pairs/types"}
    moved = {(loss.case, loss.group): loss.moved for loss in found.losses if loss.group}
    assert moved["pairs/baseline", "yes"] == (Moved("yes", "no", 90, SIZE),)
    assert moved["pairs/types", "yes"] == (Moved("yes", "no", 360, 4 * SIZE),)  # in two cases, under two seeds
    assert not any(own for (case, _), own in moved.items() if case not in ("pairs/baseline", "pairs/types"))


def test_a_lost_label_says_what_its_places_are_called_now(reference):
    found = against(wrong_on(range(SIZE), range(SIZE, SIZE + 60)), reference)
    (lost,) = found.lost
    assert (lost.type, lost.moved) == ("yes", [Moved("yes", "no", 270, SIZE)])
    in_cases = {
        loss.state for loss in found.losses if loss.group and loss.case not in ("pairs/baseline", "pairs/types")
    }
    assert in_cases == {"not judged"}
    assert "yes" not in {each.type for each in found.shifted}


def test_the_limit_of_labels_is_that_of_the_gate(reference):
    new = wrong_on(range(120), range(SIZE, SIZE + 60))
    for gate, limit in (
        (GATE, 0.05),
        (replace(GATE, max_loss=0.3), 0.3),
        (replace(GATE, max_label_loss=0.4), 0.4),
    ):
        loss = next(loss for loss in against(new, reference, gate).losses if loss.group == "yes")
        assert (loss.limit, loss.state == "regressed") == (limit, limit < 0.1)


def test_a_reference_without_counts_of_predictions_says_so_and_compares_all_else():
    rows = [((f"a{n}", f"b{n}"), ("DET", "NOUN")) for n in range(100)]
    corpus = Corpus("by hand", tuple(Sentence(*row, policy="each") for row in rows))
    right = ScriptedModel(lambda word: "DET" if word.startswith("a") else "NOUN")
    wrong = ScriptedModel(lambda word: "NOUN" if word < "a5" else right.tag(word))
    new, old = (evidence_of(corpus, model) for model in (wrong, right))
    (name, table), *_ = old.tables[ALIKE].items()
    old = replace(old, answers=np.full(len(old), ""), tables={ALIKE: {**old.tables[ALIKE], name: table[..., :6]}})
    found = compare_task(tasks()["pos"], (), Runs({"pos/baseline": new}, {"pos/baseline": old}), GATE, TODAY)
    assert (found.no_labels, found.baseline.state) == (NO_COUNTS, "regressed")
    assert not [loss for loss in found.losses if loss.group]
    whole = compare_task(tasks()["pos"], (), Runs({"pos/baseline": new}, {"pos/baseline": new}), GATE, TODAY)
    assert whole.no_labels == ""


def evidence_of(corpus, model):
    session = session_of(corpus, model, task="pos")
    return session.run(session.baseline()).evidence


# Tables by hand -------------------------------------------------------------------------------------------------------


def table_of(new, reference, labels=("A", "B"), held=None):
    """Right, predicted and gold of each label in each cluster, of one training."""
    sides = [np.array(side, dtype=np.float64)[:, None] for side in (new, reference)]
    clusters = tuple(f"s{k}" for k in range(len(new)))
    held = sides[1][:, 0, :, 2] > 0 if held is None else held
    return LabelTable("task/case", "variant", clusters, labels, sides[0], sides[1], held, 1.0, False)


HIT_A, HIT_B = [[1, 1, 1], [0, 0, 0]], [[0, 0, 0], [1, 1, 1]]
A_AS_B = [[0, 0, 1], [0, 1, 0]]
"""Gold A, answered B."""


def test_answers_move_from_the_label_they_had_to_that_they_have():
    table = table_of([HIT_A, A_AS_B, A_AS_B, HIT_B], [HIT_A, HIT_A, A_AS_B, HIT_B])
    assert moved_answers(table) == {("A", "B"): Moved("A", "B", 1, 3)}


def test_an_answer_that_is_gone_moved_nowhere_unless_its_label_stands_beside_it():
    missed, beside = [[0, 0, 1], [0, 0, 0]], [[0, 1, 1], [0, 0, 0]]
    table = table_of([HIT_A, missed, beside], [HIT_A, HIT_A, HIT_A])
    assert moved_answers(table) == {("A", ""): Moved("A", "", 1, 3)}


def row(label):
    return Loss("task/case", label, "f1", 0.05, "can't tell")


def test_pooled_labels_have_the_weights_of_the_mean():
    """Each case weighs half, whatever its size: F1 of A is 1 in the one, and 0 in the other of twice the size."""
    small = table_of([HIT_A, HIT_B], [HIT_A, HIT_B])
    large = table_of([A_AS_B, HIT_B] * 2, [HIT_A, HIT_B] * 2)
    pooled = pool_labels("task/types", [Weighed(small, 0.5), Weighed(large, 0.5)], 1)
    (of_a, _) = measured(pooled, F1, row)
    assert of_a.reference == 1.0
    # Right, predicted and gold of A: 1, 1, 1 in the small case and 0, 0, 2 in the large, at half the weight each.
    assert of_a.new == pytest.approx(2 * 1 / (1 + 1 + 0 + 1))


def test_a_case_counts_for_a_label_that_enough_of_its_examples_hold():
    few, many = table_of([HIT_A, HIT_B, HIT_B], [HIT_A] + [HIT_B] * 2), table_of([HIT_A] * 3, [HIT_A] * 3)
    pooled = pool_labels("task/types", [Weighed(few, 0.5), Weighed(many, 0.5)], 2)
    assert dict(zip(pooled.labels, pooled.holding, strict=True)) == {"A": 3, "B": 2}
    assert pooled.new[:, 0, 0, 0].tolist() == pytest.approx([1.0] * 3)


def test_a_label_that_a_resample_lacks_keeps_its_value():
    reference = [HIT_A] * 2 + [HIT_B] * 40
    new = [A_AS_B, HIT_A] + [HIT_B] * 40
    table = table_of(new, reference)
    draws = Draws(table.clusters, 500)
    (of_a, _) = label_tests(table, F1, draws, 1, row)
    absent = draws.sums(table.clusters, table.reference)[:, 0, 0].sum(axis=-1) == 0
    assert absent.any()
    assert of_a.draws[absent] == pytest.approx(of_a.loss.loss.value)
    assert not np.isnan(of_a.draws).any()
