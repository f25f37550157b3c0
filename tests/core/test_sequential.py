"""Alpha spending, by numbers worked out by hand and from published tables."""

from __future__ import annotations

from itertools import pairwise

import pytest

from abalo.core.sequential import FINEST, Look, increment, level_at, noted, order, plan, spent


@pytest.mark.parametrize(
    ("share", "both_sides"),
    [
        (0.25, 0.0000885),  # 2 - 2 Φ(1.96 / 0.5) = 2 - 2 Φ(3.92)
        (0.5, 0.00557),  # 2 - 2 Φ(1.96 / √0.5) = 2 - 2 Φ(2.772)
        (0.75, 0.02363),  # 2 - 2 Φ(1.96 / √0.75) = 2 - 2 Φ(2.263)
        (1.0, 0.05),
    ],
)
def test_spending_follows_the_curve_of_obrien_and_fleming(share, both_sides):
    assert 2 * spent(share, 0.025) == pytest.approx(both_sides, rel=2e-3)


def test_looks_of_one_seed_are_parts_of_the_corpus_and_all_of_it():
    # 490: an eighth (62) and three sixteenths (92) are fewer than 100
    assert [(look.clusters, look.seeds, look.share) for look in plan(490, 1)] == [
        (100, 1, 100 / 490),
        (123, 1, 123 / 490),
        (184, 1, 184 / 490),
        (245, 1, 0.5),
        (490, 1, 1.0),
    ]


def test_further_seeds_are_one_look_more():
    *first, last = plan(490, 3)
    assert last == Look(490, 3, 1.0)
    assert [look.seeds for look in first] == [1, 1, 1, 1, 1]
    assert first[-1].share == pytest.approx(2 / 3)  # (1/2 + 1/2) of the variance of a sentence against (1/2 + 1/6)


def test_a_small_corpus_is_looked_at_once():
    assert plan(99, 1) == (Look(99, 1, 1.0),)


@pytest.mark.parametrize(("clusters", "seeds"), [(60, 1), (490, 3), (10_000, 3), (100_000, 5)])
@pytest.mark.parametrize("level", [0.025, 0.025 / 49])
def test_all_looks_together_spend_the_level_and_no_more(clusters, seeds, level):
    looks = plan(clusters, seeds)
    parts = [increment(looks, number, level) for number in range(1, len(looks) + 1)]
    assert level - len(looks) * FINEST <= sum(parts) <= level * (1 + 1e-12)
    assert all(before < after for before, after in pairwise(look.share for look in looks))


def test_a_look_that_is_too_fine_decides_nothing():
    looks = plan(10_000, 3)
    assert looks[1].clusters == 1_250
    assert spent(looks[1].share, 0.025) < FINEST  # Φ(-1.96 / √(2/3 / 8)) = Φ(-6.79)
    assert increment(looks, 1, 0.025) == increment(looks, 2, 0.025) == 0.0


def test_a_case_that_may_not_stop_early_has_the_whole_level():
    assert level_at({"filtered": 3}, 0.025) == 0.025


def test_a_case_that_stopped_where_that_was_planned_has_the_whole_level():
    assert level_at(noted(0, 490, 3), 0.025) == 0.025


def test_the_notes_of_a_case_tell_the_look_at_which_it_stopped():
    notes = noted(5, 490, 1)
    # 0.025 - Φ(-1.96 / √0.5) = 0.025 - 0.00279
    assert level_at(notes, 0.025) == pytest.approx(0.02221, abs=5e-6)


def test_the_order_of_examples_depends_on_them_alone():
    names = [f"sentence {k}" for k in range(50)]
    found = order(names, 1)
    assert found == order([*reversed(names), *names], 1)
    assert found[:40] == [each for each in order([*names, "one more"], 1) if each != "one more"][:40]
    assert sorted(found) == sorted(names)
    assert found != order(names, 2)
