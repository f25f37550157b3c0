"""Every metric of every task has above 20,000 clusters the interval that a bootstrap of all of them gives."""

from dataclasses import replace

import numpy as np
import pytest

import abalo
from abalo.core.records.gate import Gate
from abalo.core.statistics import linearised
from abalo.core.statistics.estimates import SHARED, Bootstrap, measure_metrics
from abalo.core.statistics.evidence import ALIKE, Evidence, name_of
from abalo.tasks.labels.metrics.labels import METRICS

CLUSTERS = 25_000
SHARES = (0.9, 0.097, 0.003)
GATE = Gate(resamples=4_000)

CASES = {
    "ner": (
        ("baseline", {}),
        ("boundary", {"span_source": "oracle"}),
        ("slice", {"of": "length"}),
        ("context_attack", {"sample": 15}),
        ("doubled_space", {}),
    ),
    "classification": (
        ("baseline", {}),
        ("typos", {}),
        ("negation", {}),
        ("slice", {"of": "length"}),
        ("deepwordbug", {"sample": 20}),
        ("one_typo", {}),
    ),
    "aspects": (
        ("baseline", {}),
        ("typos", {}),
        ("negation", {}),
        ("slice", {"of": "length"}),
        ("word_attack", {"sample": 20}),
        ("one_typo", {}),
    ),
    "pairs": (
        ("baseline", {}),
        ("typos", {}),
        ("slice", {"of": "length"}),
        ("word_attack", {"sample": 20}),
        ("one_typo", {}),
    ),
    "pos": (
        ("baseline", {}),
        ("typos", {}),
        ("slice", {"of": "length"}),
        ("deepwordbug", {"sample": 20}),
        ("one_typo", {}),
    ),
    "choice": (("baseline", {}), ("paraphrase_consistency", {"k": 2})),
}


def enlarged(evidence, seed):
    """25,000 clusters drawn from those of the evidence: of three labels the rarest stands in 0.3 % of them."""
    names, places = np.unique(evidence.clusters, return_inverse=True)
    groups = np.zeros(len(names), dtype=int)
    order = np.argsort(-evidence.held.sum(axis=0), kind="stable")
    rank = np.array([{int(group): min(k, 2) for k, group in enumerate(order)}[k] for k in range(len(order))] or [0])
    for place, held in zip(places, evidence.held, strict=True):
        groups[place] = max([groups[place], *rank[np.flatnonzero(held)]])
    sizes = np.bincount(groups, minlength=3)
    odds = np.array(SHARES)[groups] / sizes[groups]
    draws = np.random.Generator(np.random.PCG64(seed))
    chosen = draws.choice(len(names), size=CLUSTERS, p=odds / odds.sum())
    rows_of = [np.flatnonzero(places == k)[:4] for k in range(len(names))]
    rows = np.concatenate([rows_of[k] for k in chosen])
    numbers = np.repeat(np.arange(CLUSTERS), [len(rows_of[k]) for k in chosen]).astype(np.str_)
    return replace(evidence.only(rows), clusters=numbers, ids=numbers)


@pytest.fixture(scope="module", autouse=True)
def _weights_of_many_clusters_are_drawn_once():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Bootstrap, "CELLS_SHARED", Bootstrap.CELLS_KEPT)
        yield
    SHARED.clear()


def ratio_of_widths(own, other):
    """1 where both intervals have no width, but for rounding."""
    widths = own.high - own.low, other.high - other.low
    return widths[0] / widths[1] if max(widths) > 1e-9 else 1.0


@pytest.mark.slow
@pytest.mark.parametrize("task", CASES)
def test_every_metric_is_as_wide_as_by_the_bootstrap(monkeypatch, task):
    """Each in the first case that has numbers of it; but for the pass rate, which is a share of fillings drawn."""
    session = abalo.Session(task, limit=60)
    left = {name: each for name, each in session.task.metrics().items() if name != "pass_rate"}
    untried = {*left}
    for name, params in CASES[task]:
        result = session.judge(name, **params)
        evidence = enlarged(result.evidence, 1)
        view = ALIKE if evidence.alike else result.case.view
        fitting = [each for each in left.values() if each.fits(result.case.probe.name)]
        metrics = [each for each in fitting if name_of(each.count) in evidence.tables[view]]
        assert metrics, name
        found = measure_metrics(evidence, view, metrics, GATE)
        with monkeypatch.context() as patch:
            patch.setattr(linearised, "MANY", CLUSTERS)
            wanted = measure_metrics(evidence, view, metrics, GATE)
        for metric in metrics:
            untried.discard(metric.name)
            if found.estimate(metric.name).n:
                del left[metric.name]
            for group in (None, *(evidence.groups if metric.per_group else ())):
                own, other = (each.estimate(metric.name, group) for each in (found, wanted))
                about = f"{metric.name} {group or ''}: {own} {other}"
                assert (own.value, own.n) == pytest.approx((other.value, other.n), nan_ok=True), about
                if own.n:
                    assert ratio_of_widths(own, other) == pytest.approx(1, abs=0.08), about
                    assert abs(own.high - other.high) <= 0.06 * (other.high - other.low) + 1e-9, about
    assert not untried


# Means over labels ----------------------------------------------------------------------------------------------------


def labelled(clusters, shares, right, seed=2):
    """Texts with labels of these shares, each found with its probability, else taken for one of the others."""
    draws = np.random.Generator(np.random.PCG64(seed))
    gold = draws.choice(len(shares), size=clusters, p=shares)
    found = np.where(
        draws.random(clusters) < np.array(right)[gold],
        gold,
        (gold + draws.integers(1, len(shares), clusters)) % len(shares),
    )
    table = np.zeros((clusters, 1 + len(shares), 6))
    for label in range(len(shares)):
        is_gold, given = gold == label, found == label
        table[:, 1 + label, :3] = np.stack([is_gold, 0 * is_gold, 0 * is_gold], axis=1)
        table[:, 1 + label, 3:] = np.stack([is_gold & given, given & ~is_gold, is_gold & ~given], axis=1)
    table[:, 0] = table[:, 1:].sum(axis=1)
    names, held = np.arange(clusters).astype(np.str_), (gold[:, None] == np.arange(len(shares))).astype(np.int64)
    zeros, empty = np.zeros(clusters, np.int64), np.full(clusters, "")
    no = np.zeros(clusters, bool)
    counts = {ALIKE: {"class_counts": table, "kept_class_counts": table}}
    labels = tuple("ABCDEFGH"[: len(shares)])
    return Evidence(labels, names, names, zeros + 1, zeros, empty, names, empty, ~no, no, held, counts)


MACRO = [each for each in METRICS if each.macro and each.name.startswith("macro")]


@pytest.mark.slow
@pytest.mark.parametrize("shares", [SHARES, (0.9, 0.0996, 0.0004), (0.5, 0.3, 0.15, 0.04, 0.0096, 0.0004)])
@pytest.mark.parametrize("metric", MACRO, ids=lambda metric: metric.name)
def test_a_mean_over_labels_varies_with_every_label(monkeypatch, metric, shares):
    """Of the rarest labels 75, 10 and 10 texts are there: they make up nearly all of the width."""
    right = np.linspace(0.95, 0.4, len(shares))
    evidence, gate = labelled(CLUSTERS, shares, right), GATE
    found = measure_metrics(evidence, ALIKE, [metric], gate).estimate(metric.name)
    monkeypatch.setattr(linearised, "MANY", CLUSTERS)
    wanted = measure_metrics(evidence, ALIKE, [metric], gate).estimate(metric.name)
    assert found.value == wanted.value
    assert found.se == pytest.approx(wanted.se, rel=0.05)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=0.06 * (wanted.high - wanted.low))


def test_only_clusters_of_rare_labels_are_resampled(monkeypatch):
    monkeypatch.setattr(Bootstrap, "_drawn", lambda self: pytest.fail("all were resampled"))
    evidence = labelled(CLUSTERS, (0.9, 0.0996, 0.0004), (0.9999, 0.9999, 0.5))
    asked = []
    resampled = linearised.partly_resampled
    monkeypatch.setattr(
        linearised, "partly_resampled", lambda *given: asked.append(int(given[2].sum())) or resampled(*given)
    )
    monkeypatch.setattr(linearised, "ENOUGH", 0)
    measure_metrics(evidence, ALIKE, [replace(MACRO[0], per_group=True)], GATE)
    assert asked == [int(evidence.tables[ALIKE]["class_counts"][:, 3].any(axis=1).sum())]
