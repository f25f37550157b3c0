"""The ends of a scale: models that are right everywhere, robust, wrong everywhere, or off by one example."""

from dataclasses import fields, replace
from datetime import date
from functools import cache

import numpy as np
import pytest

from abalo.comparison.test.comparison import compare_task
from abalo.comparison.test.family import Runs
from abalo.config.thresholds import case_of
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.running.clean_score import clean_score
from abalo.core.running.judging import judge_case
from abalo.core.statistics.ends import few_at_ends
from abalo.core.statistics.evidence import ALIKE, Evidence, name_of
from abalo.core.statistics.metrics import Floats, Metric, Share
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import Bound
from abalo.models.translators.scoring import CHRF
from abalo.tasks.translation.metrics.scores import METRICS as OF_TRANSLATION
from tests.conformance.subjects import NAMES, cases, session, shown_again
from tests.scripted import evidence_of

GATE = Gate(resamples=500)
SIZES = (12, 50, 200)
TODAY = date(2026, 1, 1)

VERDICTS = {
    "perfect": ("undecided", "above", "above"),
    "all wrong": ("below", "below", "below"),
    "all wrong, where twelve may hide a good one": ("undecided", "below", "below"),
    "robust": ("inconclusive", "pass", "pass"),
    "perfect, against a perfect one": ("identical", "identical", "identical"),
    "one off, against a perfect one": ("can't tell", "can't tell", "can't tell"),
    "all wrong, against a perfect one": ("regressed", "regressed", "regressed"),
}
"""Of every task, at each of `SIZES`: the clean score, a bound on the drop, and the loss of the clean score."""

UNEQUAL = {"aspects", "coreference", "ner", "reading", "relations", "translation"}
"""Tasks in which 12 examples cannot rule out the least clean score: they are unequal, or it is small."""

of_every_task = pytest.mark.parametrize("task", [tasks()[name] for name in NAMES], ids=NAMES)


@cache
def right(name: str) -> Evidence:
    """The evidence of a model that gets every example of a small corpus right."""
    return session(tasks()[name]).run(cases(name)[BASELINE]).evidence


@cache
def robust(name: str) -> Evidence:
    """The same, with a change of each example after which it answers the same."""
    return evidence_of(shown_again(tasks()[name]), name)


def sized(evidence: Evidence, size: int) -> Evidence:
    """As many clusters, each with the units of one of the few that there are."""
    known = [np.flatnonzero(evidence.clusters == cluster) for cluster in dict.fromkeys(evidence.clusters.tolist())]
    units = [known[k % len(known)] for k in range(size)]
    rows = np.concatenate(units)
    ids = np.array([f"{k:05}" for k, own in enumerate(units) for _ in own])
    arrays = {each.name: getattr(evidence, each.name) for each in fields(Evidence)}
    taken = {name: array[rows] for name, array in arrays.items() if isinstance(array, np.ndarray)}
    tables = {view: {name: table[rows] for name, table in own.items()} for view, own in evidence.tables.items()}
    answers = np.array([f"a{row}" for row in range(len(rows))])
    return Evidence(**{**arrays, **taken, "ids": ids, "clusters": ids, "tables": tables, "answers": answers})


def worst_counts(metric: Metric, table: Floats) -> Floats:
    """The counts of wrong answers."""
    if metric.extremes is not None:
        return metric.extremes(table)[1]
    for column in range(table.shape[-1]):
        wrong = table.copy()
        wrong[..., column] = 0
        if isinstance(metric.value, Share) and metric.value(wrong.sum(axis=0))[0] == 0:
            return wrong
    raise LookupError(f"{metric.name}: no column holds its hits")


def wrong_in(name: str, evidence: Evidence, rows: slice) -> Evidence:
    """The same model, wrong in these rows."""
    metric = tasks()[name].metrics()[tasks()[name].floor]
    counted, answers = name_of(metric.count), evidence.answers.copy()
    table = evidence.tables[ALIKE][counted].copy()
    table[rows] = worst_counts(metric, table[rows])
    answers[rows] = "wrong"
    return replace(evidence, tables={ALIKE: {**evidence.tables[ALIKE], counted: table}}, answers=answers)


def one_off(name: str, perfect: Evidence) -> Evidence:
    """The same, wrong in the first example that matters to the score."""
    metric = tasks()[name].metrics()[tasks()[name].floor]
    for row in range(len(perfect)):
        found = wrong_in(name, perfect, slice(row, row + 1))
        if metric.value(found.tables[ALIKE][name_of(metric.count)].sum(axis=0))[0] < 1:
            return found
    raise LookupError(f"{name}: no example matters")


def clean_state(task, evidence: Evidence) -> str:
    return clean_score(task, replace(cases(task.name)[BASELINE], guesses=True), evidence, GATE, {}).state


def loss_of(task, new: Evidence, reference: Evidence):
    case = cases(task.name)[BASELINE]
    runs = Runs({case.id: new}, {case.id: reference})
    return compare_task(task, (case,), runs, GATE, TODAY).baseline


@of_every_task
def test_a_model_that_is_right_or_wrong_everywhere_has_a_clean_score_that_is_known(task):
    every = [sized(right(task.name), size) for size in SIZES]
    assert tuple(clean_state(task, each) for each in every) == VERDICTS["perfect"]
    wrong = [wrong_in(task.name, each, slice(None)) for each in every]
    assert (
        tuple(clean_state(task, each) for each in wrong)
        == VERDICTS["all wrong, where twelve may hide a good one" if task.name in UNEQUAL else "all wrong"]
    )


@of_every_task
def test_a_model_that_loses_nothing_meets_a_bound_on_its_drop_from_fifty_clusters_on(task):
    metrics, floor = task.metrics(), task.floor
    drop = f"{floor}_drop" if f"{floor}_drop" in metrics else task.headline
    own = cases(task.name)
    case = own["perturbation"] if "perturbation" in own else own["rewording"]
    case = replace(case, bounds=(Bound(drop, "max", 0.3),), limit=None)
    found = []
    for size in SIZES:
        judged = judge_case(case, task, sized(robust(task.name), size), GATE, 1)
        estimate = judged.bound_view.estimate(drop)
        assert estimate.value == 0
        assert estimate.high > 1 - 0.025 ** (1 / size) - 1e-9  # at most so large where clusters are alike
        found.append(judged.verdict)
    assert tuple(found) == VERDICTS["robust"]


@pytest.mark.parametrize("answers", ["right", "wrong"])
@pytest.mark.parametrize("name", ["relations", "coreference", "translation"])
def test_the_gap_of_a_slice_is_known_at_both_ends_of_the_scale(name, answers):
    """Half of the examples are in the slice. Metrics without a law of their own; others have Newcombe's."""
    task = tasks()[name]
    gap, floor = task.metrics()[f"{task.floor}_gap"], task.metrics()[task.floor]
    case = case_of(task, "slice", {"of": "length", f"max_{gap.name}": 0.3}, GATE)
    found, ends = [], []
    for size in (12, 100, 200):
        evidence = sized(right(name), size)
        evidence = evidence if answers == "right" else wrong_in(name, evidence, slice(None))
        outside = np.arange(size) % 2 == 1
        counts = evidence.tables[ALIKE][name_of(floor.count)]
        counts = counts[..., -CHRF.columns :] if name == "translation" else counts
        sides = outside[:, None, None]
        table = np.concatenate([np.where(sides, 0, counts), np.where(sides, counts, 0)], axis=-1)
        gaps = [each for each in task.metrics().values() if "slice" in each.probes]
        tables = {ALIKE: {**evidence.tables[ALIKE], **{name_of(each.count): table for each in gaps}}}
        evidence = replace(evidence, outside=outside, tables=tables)
        judged = judge_case(case, task, evidence, GATE, 1)
        estimate = judged.bound_view.estimate(gap.name)
        assert estimate.low < estimate.value == 0 < estimate.high
        found.append(judged.verdict)
        ends.append(estimate.high)
    assert found == ["inconclusive", "pass", "pass"]
    assert ends[1] > ends[2]


@of_every_task
def test_a_model_is_compared_with_a_perfect_one(task):
    found = {name: [] for name in VERDICTS if "against" in name}
    ends = []
    for size in SIZES:
        perfect = sized(right(task.name), size)
        found["perfect, against a perfect one"].append(loss_of(task, perfect, perfect).state)
        one = loss_of(task, one_off(task.name, perfect), perfect)
        found["one off, against a perfect one"].append(one.state)
        ends.append(one.loss.high)
        worst = loss_of(task, wrong_in(task.name, perfect, slice(None)), perfect)
        found["all wrong, against a perfect one"].append(worst.state)
    assert {name: tuple(states) for name, states in found.items()} == {name: VERDICTS[name] for name in found}
    assert ends == sorted(ends, reverse=True)  # more examples tell more
    assert 0 < ends[-1] < 0.2


# By hand --------------------------------------------------------------------------------------------------------------

KNOWN = {metric.name: metric for metric in OF_TRANSLATION}


def edits(*rows: tuple[int, int]) -> Floats:
    """Counts of TER: edits and words of each text, clean and now alike."""
    return np.array([[*row, *row] for row in rows], dtype=float)


def ends_of(metric: Metric, rows: Floats, alpha: float = 0.025) -> tuple[float, float]:
    kinds = {"drop": metric.is_drop, "more_is_better": metric.more_is_better}
    found = few_at_ends(metric.value, rows, metric.extremes, **kinds)
    return found.law.low(alpha), found.law.high(alpha)


def test_the_far_end_of_a_perfect_ter_is_that_after_the_longest_texts_got_no_translation():
    """60 (1 - 0.025^(1/60)) is 3.58: the four texts of 10 words, of 40 + 56 words."""
    rows = edits(*[(0, 10)] * 4, *[(0, 1)] * 56)
    assert ends_of(KNOWN["ter"], rows) == (0, pytest.approx(40 / 96))


def test_each_text_that_is_off_makes_further_ones_possible():
    """Of 60 with one off, 5.37 may be: five more texts of one word, beside that one."""
    rows = edits((1, 1), *[(0, 1)] * 59)
    assert ends_of(KNOWN["ter"], rows)[1] == pytest.approx(6 / 60)
    assert few_at_ends(KNOWN["ter"].value, edits(*[(1, 2)] * 10, *[(0, 2)] * 50), KNOWN["ter"].extremes, drop=False,
                       more_is_better=False) is None  # fmt: skip


def test_p_and_the_ends_of_an_interval_agree():
    rows = edits(*[(0, 10)] * 4, *[(0, 3)] * 20, *[(0, 1)] * 56)
    law = few_at_ends(KNOWN["ter"].value, rows, KNOWN["ter"].extremes, drop=False, more_is_better=False).law
    for alpha in (0.3, 0.05, 0.025, 0.001):
        high = law.high(alpha)
        assert law.at_least(high) > alpha >= law.at_least(high + 1e-6)
    assert law.at_least(0) == 1
    assert law.at_most(0.1) == 1


def test_a_bound_on_ter_can_fail_and_never_passes():
    task, case = tasks()["translation"], cases("translation")[BASELINE]
    perfect = sized(right("translation"), 200)
    table = perfect.tables[ALIKE][name_of(KNOWN["ter"].count)].copy()
    table[..., 2] = table[..., 3]  # as many edits as words
    wrong = replace(perfect, tables={ALIKE: {**perfect.tables[ALIKE], name_of(KNOWN["ter"].count): table}})
    bound = replace(case, bounds=(Bound("ter", "max", 0.5),))
    verdicts = [judge_case(bound, task, each, GATE, 1).verdict for each in (perfect, wrong)]
    assert verdicts == ["inconclusive", "fail"]
