"""Examples that turned from right to wrong between two runs of a task, and the limit on them."""

from dataclasses import replace
from datetime import date
from math import isnan

import numpy as np
import pytest

from abalo.comparison.test.comparison import compare_task
from abalo.comparison.test.family import Runs
from abalo.comparison.test.turned import exact_metric, turned_in
from abalo.config.thresholds import case_of, load
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.statistics.evidence import ALIKE, join_trainings
from abalo.core.statistics.pairing import match_runs
from abalo.errors import AbaloError
from tests.compared import EQUAL, GOOD, WORSE, N, run_of
from tests.rows import every

NER = tasks()["ner"]
F1 = NER.metrics()["f1"]
GATE = Gate(resamples=2_000, max_loss=0.01)
ACCENTS = case_of(NER, "accents", {}, GATE)


def turned(new, reference):
    return turned_in(match_runs(new, reference, from_model=False), F1, "projected", 0.95)


def compared(new, reference, limit=None, gate=GATE):
    def evidence(found):
        return {"ner/baseline": run_of(found), ACCENTS.id: run_of(found)}

    case = replace(ACCENTS, max_newly_wrong=limit)
    return compare_task(NER, [case], Runs(evidence(new), evidence(reference)), gate, date(2026, 12, 1))


def limited(found):
    (loss,) = [loss for loss in found.losses if loss.metric == "newly_wrong"]
    return loss


@every(
    ("task", "metric"),
    [
        *[(name, "accuracy") for name in ("aspects", "choice", "classification", "pairs", "pos", "relations")],
        *[("ner", "f1"), ("segmentation", "f1"), ("parsing", "las"), ("reading", "exact_match")],
        *[("translation", None), ("coreference", None)],
    ],
)
def test_what_makes_an_example_right(task, metric):
    found = exact_metric(tasks()[task])
    assert (None if found is None else found.name) == metric


def test_examples_are_counted_each_way():
    found = turned(run_of(EQUAL), run_of(GOOD))
    assert (found.wrong.count, found.right.count, found.examples) == (1, 1, N)
    lost = int((GOOD & ~WORSE).sum())
    assert turned(run_of(WORSE), run_of(GOOD)).wrong.count == turned(run_of(GOOD), run_of(WORSE)).right.count == lost


def test_a_sentence_without_anything_to_find_is_right_until_something_is_found():
    def run(counts):
        evidence = run_of(GOOD)
        table = evidence.counts(F1, "projected")
        table[0] = counts
        return replace(evidence, tables={ALIKE: {"entity_counts": table}})

    nothing = run([0] * 6)
    assert turned(nothing, nothing).wrong.count == 0
    assert turned(run([0, 1, 0, 0, 1, 0]), nothing).wrong.count == 1


def test_only_examples_of_both_runs_count():
    kept = np.arange(N) < N // 2
    found = turned(run_of(WORSE).only(kept), run_of(GOOD))
    assert (found.examples, found.wrong.count) == (N // 2, int((GOOD & ~WORSE)[: N // 2].sum()))


def test_most_trainings_decide():
    third = join_trainings([run_of(GOOD), run_of(WORSE), run_of(WORSE)])
    two = join_trainings([run_of(GOOD), run_of(GOOD), run_of(WORSE)])
    assert turned(third, run_of(GOOD)).wrong.count == int((GOOD & ~WORSE).sum())
    assert turned(two, run_of(GOOD)).wrong.count == 0


def test_the_limit_is_judged_by_an_exact_interval():
    found = compared(WORSE, GOOD, 0.05)
    loss = limited(found)
    lost = int((GOOD & ~WORSE).sum())
    assert (loss.state, loss.loss.value, found.state) == ("regressed", lost / N, "regressed")
    assert loss.loss.low < lost / N < loss.loss.high
    assert isnan(loss.reference)
    assert limited(compared(WORSE, GOOD, 0.9)).state == "no worse"
    assert limited(compared(EQUAL, GOOD, 0.01)).state == "can't tell"  # 1 of 200
    assert limited(compared(GOOD, GOOD, 0.01)).state in ("no worse", "can't tell")


def test_as_many_gained_as_lost_are_no_loss_but_newly_wrong():
    swapped = np.roll(GOOD, 7)
    found = compared(swapped, GOOD, 0.02)
    assert found.baseline.loss.value == 0
    assert limited(found).state == "regressed"


def test_without_a_limit_they_are_counted_and_nothing_is_judged():
    found = compared(WORSE, GOOD)
    assert {*found.newly} == {"ner/baseline", ACCENTS.id}
    assert not any(loss.metric == "newly_wrong" for loss in found.losses)


def test_a_task_without_right_examples_refuses_the_limit(tmp_path):
    path = tmp_path / "thresholds.toml"
    path.write_text("[[translation.accents]]\nmax_newly_wrong = 0.1\n")
    with pytest.raises(AbaloError, match="max_newly_wrong: no example of it is right or wrong as a whole"):
        load(path)
