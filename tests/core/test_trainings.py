"""Several trainings of one model, counted and judged as one."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from abalo.comparison.test.comparison import compare_task
from abalo.comparison.test.family import Runs
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.running.trainings import facts_together
from abalo.core.statistics.estimates import measure
from abalo.core.statistics.evidence import ALIKE, from_bytes, join_trainings, to_bytes
from abalo.errors import AbaloError
from tests.compared import GOOD, WORSE, N, found_of, run_of

NER = tasks()["ner"]
GATE = Gate(resamples=2_000, max_loss=0.01)
ALL, HALF, NONE = (found_of(share) for share in (1.0, 0.5, 0.0))


def f1_of(*trainings):
    """F1 with its interval, of trainings that are given as the sentences they find."""
    evidence = join_trainings([run_of(each) for each in trainings])
    return measure(evidence, ("projected",), [NER.metrics()["f1"]], GATE)["projected"].estimate("f1")


def test_the_number_is_the_mean_over_trainings_with_their_standard_deviation():
    found = f1_of(ALL, HALF, NONE)
    assert found.by_training == pytest.approx((1.0, 2 * 0.5 / 1.5, 0.0))
    assert found.value == pytest.approx((1 + 2 / 3 + 0) / 3)
    assert found.sd == pytest.approx(np.std([1, 2 / 3, 0], ddof=1))


def test_copies_of_one_training_tell_no_more_than_one():
    once, thrice = f1_of(GOOD), f1_of(GOOD, GOOD, GOOD)
    assert (thrice.value, thrice.low, thrice.high) == pytest.approx((once.value, once.low, once.high))
    assert (thrice.n, thrice.sd, once.by_training) == (N, 0.0, ())


def test_support_counts_gold_once():
    evidence = join_trainings([run_of(GOOD), run_of(WORSE)])
    assert measure(evidence, ("projected",), [NER.metrics()["f1"]], GATE)["projected"].support == {"PER": N}


def test_the_trainings_may_know_other_groups():
    kinds = ["PER"] * (N // 2) + ["LOC"] * (N // 2)
    evidence = join_trainings([run_of(GOOD), run_of(GOOD, kinds=kinds)])
    assert evidence.groups == ("LOC", "PER")
    assert evidence.tables[ALIKE]["entity_counts"][:, 0].sum() == pytest.approx(
        evidence.tables[ALIKE]["entity_counts"][:, 1:].sum()
    )


def test_a_training_that_nothing_changed_the_length_of_joins_others():
    alike, seen = run_of(GOOD), run_of(WORSE)
    tables = {view: dict(seen.tables[ALIKE]) for view in ("projected", "structural")}
    alike = replace(
        alike, tables={ALIKE: {**alike.tables[ALIKE], "moved_counts": alike.tables[ALIKE]["entity_counts"]}}
    )
    tables["structural"]["moved_counts"] = tables["structural"]["entity_counts"]  # means nothing when projected
    for order in ((alike, replace(seen, tables=tables)), (replace(seen, tables=tables), alike)):
        found = join_trainings(order)
        assert {view: set(part) for view, part in found.tables.items()} == {
            "projected": {"entity_counts"},
            "structural": {"entity_counts", "moved_counts"},
        }


def test_evidence_of_several_trainings_comes_back_from_its_file():
    evidence = join_trainings([run_of(GOOD), run_of(WORSE)])
    again = from_bytes(to_bytes({"ner/baseline": evidence}))["ner/baseline"]
    assert again.trainings.tolist() == [0] * N + [1] * N


def test_a_file_of_one_model_says_nothing_of_trainings():
    assert b"trainings" not in to_bytes({"ner/baseline": run_of(GOOD)})


@pytest.mark.parametrize(
    ("new", "reference", "state"),
    [((WORSE, WORSE), (GOOD, GOOD), "regressed"), ((GOOD, WORSE), (WORSE, GOOD), "can't tell")],
)
def test_losses_are_between_means(new, reference, state):
    runs = [{"ner/baseline": join_trainings([run_of(each) for each in side])} for side in (new, reference)]
    found = compare_task(NER, (), Runs(*runs), GATE, date(2026, 11, 22)).baseline
    assert found.state == state


def test_a_single_model_can_be_compared_with_the_mean_of_several():
    reference = {"ner/baseline": join_trainings([run_of(GOOD), run_of(WORSE)])}
    found = compare_task(NER, (), Runs({"ner/baseline": run_of(WORSE)}, reference), GATE, date(2026, 11, 22)).baseline
    lost = [2 * share / (1 + share) for share in (GOOD.mean(), WORSE.mean())]
    assert found.loss.value == pytest.approx((lost[0] - lost[1]) / 2)


def test_two_trainings_that_are_one_model_are_refused():
    facts = [
        {"model": {"name": name, "fingerprint": "abcdef", "predictions": "p"}, "inputs": {"clean": 1}}
        for name in ("a", "b")
    ]
    with pytest.raises(
        AbaloError, match="the models a and b are the same, fingerprint abcdef: give each training once"
    ):
        facts_together(facts)


def test_labels_that_one_training_never_predicts_are_named_for_all():
    def facts(fingerprint, never, outside):
        types = {"corpus": ["a", "b"], "told_by_model": True, "never_predicted": never, "outside": outside}
        model = {"name": fingerprint, "fingerprint": fingerprint, "predictions": "", "differing": None}
        return {"model": model, "inputs": {"clean": 1}, "types": types}

    found = facts_together([facts("1", {}, {"c": 2}), facts("2", {"b": 4}, {"c": 7, "d": 1})])
    assert found["types"]["never_predicted"] == {"b": 4}
    assert found["types"]["outside"] == {"c": 7, "d": 1}
