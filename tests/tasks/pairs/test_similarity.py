"""Spearman's coefficient from moments of ranks."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.core.protocols.task import tasks
from abalo.core.records.example import Variant
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.reach import worst
from abalo.corpora.running_text import running_text
from abalo.models.labelling.classified import Classified
from abalo.tasks.pairs.metrics.similarity import (
    SCORE,
    kept_rank_counts,
    predicted_score,
    rank_counts,
    ranks,
    spearman,
    spearman_drop,
)
from abalo.tasks.pairs.pair import example_of
from abalo.tasks.pairs.relations import Relations
from tests.scripted import evidence_of


def outcome(k, gold, clean, now, *, new_gold="same", seed=1):
    example = example_of(running_text(f"a{k}"), running_text("b"), (), Relations((), gold))
    said = [Classified((), np.array([each], dtype=np.float32), names=(SCORE,)) for each in (clean, now)]
    new = example_of(running_text("c"), running_text("b"), (), Relations((), gold if new_gold == "same" else new_gold))
    return Outcome(example, seed, said[0], Variant(new, {}), said[1])


def test_ranks_lie_from_minus_a_half_to_a_half_and_equal_values_share_theirs():
    assert ranks(np.array([3.0, 1.0, 2.0])).tolist() == [0.5, -0.5, 0.0]
    assert ranks(np.array([1.0, 5.0, 5.0, 9.0])).tolist() == pytest.approx([-0.5, 0, 0, 0.5])
    assert ranks(np.array([7.0])).tolist() == [0.0]


@given(st.lists(st.tuples(*[st.integers(0, 6)] * 3), min_size=2, max_size=30))
def test_it_is_spearman_of_scipy_ties_included(rows):
    stats = pytest.importorskip("scipy.stats")
    sums = rank_counts([outcome(k, *map(float, row)) for k, row in enumerate(rows)], "", ())[:, 0].sum(axis=0)
    gold, clean, now = zip(*rows, strict=True)

    def expected(found):
        return 0.0 if len({*gold}) == 1 or len({*found}) == 1 else stats.spearmanr(gold, found).statistic

    assert float(spearman(sums)) == pytest.approx(expected(now), abs=1e-6)
    assert float(spearman_drop(sums)) == pytest.approx(expected(clean) - expected(now), abs=1e-6)


def test_ranks_are_those_under_one_seed():
    outcomes = [outcome(k, k, k, k * scale, seed=seed) for seed, scale in ((1, 1), (2, 100)) for k in range(5)]
    assert float(spearman(rank_counts(outcomes, "", ())[:, 0].sum(axis=0))) == pytest.approx(1.0)


def test_the_reach_turns_the_order_of_the_changed_pairs_around():
    outcomes = [outcome(k, k, k, k) for k in range(5)]
    outcomes = [replace(one, variant=None) if k in (1, 2, 3) else one for k, one in enumerate(outcomes)]
    metrics = tasks()["pairs"].metrics()
    evidence = evidence_of(outcomes, "pairs")
    # Of the ranks -2, -1, 0, 1, 2 the outer two change places: (-4 + 1 + 0 + 1 - 4) / 10.
    assert float(worst(metrics["spearman"], evidence, "")[0]) == pytest.approx(-0.6)
    assert float(worst(metrics["spearman_drop"], evidence, "")[0]) == pytest.approx(1.6)


def test_where_no_similarity_is_known_there_is_no_number():
    lost = [outcome(k, float(k), k, k, new_gold=None) for k in range(4)]
    assert math.isnan(spearman(rank_counts(lost, "", ()).sum(axis=(0, 1))))
    mixed = [*lost, outcome(9, 1.0, 1, 2), outcome(8, 2.0, 2, 1)]
    assert not math.isnan(spearman(rank_counts(mixed, "", ()).sum(axis=(0, 1))))
    assert not kept_rank_counts(mixed, "", ()).any(), "a drop over what is left says little of the case"


def test_the_score_of_a_model_with_labels_is_the_probability_that_sentences_go_together():
    relations = Relations(("CONTRADICTION", "ENTAILMENT", "NEUTRAL"))
    example = example_of(running_text("a"), running_text("b"), ("NEUTRAL",), relations)
    likely = np.array([0.2, 0.7, 0.1], dtype=np.float32)
    assert predicted_score(example, Classified(("ENTAILMENT",), likely, names=relations.labels)) == pytest.approx(0.7)
    assert predicted_score(example, Classified(("ENTAILMENT",))) is None


def test_an_interval_of_fixed_ranks_is_about_as_wide_as_that_of_ranks_made_anew():
    """The published coefficient ranks each resample; ours keeps the ranks, so that moments add up."""
    draws = np.random.Generator(np.random.PCG64(3))
    gold = draws.normal(size=300)
    found = gold + draws.normal(size=300)
    rows = rank_counts([outcome(k, *values) for k, values in enumerate(zip(gold, found, found, strict=True))], "", ())
    picks = draws.integers(300, size=(400, 300))
    fixed = [float(spearman(rows[pick, 0].sum(axis=0))) for pick in picks]
    anew = [np.corrcoef(ranks(gold[pick]), ranks(found[pick]))[0, 1] for pick in picks]
    assert np.std(fixed) == pytest.approx(np.std(anew), rel=0.2)
    assert np.mean(fixed) == pytest.approx(np.mean(anew), abs=0.01)
