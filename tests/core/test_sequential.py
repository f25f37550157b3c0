"""Alpha spending, by numbers worked out by hand and from published tables."""

from __future__ import annotations

from itertools import pairwise

import pytest

from abalo.core.statistics.sequential import Look, increment, level_at, look_notes, looks_of, order, spend_level


def test_spending_follows_the_square_of_the_information():
    assert [spend_level(share, 0.025) for share in (0.0, 0.2, 0.5, 1.0)] == pytest.approx([0.0, 0.001, 0.00625, 0.025])


def test_looks_of_one_seed_are_the_corpus_two_thirds_of_it_and_two_thirds_of_that():
    # 490, 326.7, 218, 145.3, and 98 would be fewer than 100
    assert [(look.clusters, look.seeds, look.share) for look in looks_of(490, 1)] == [
        (146, 1, 146 / 490),
        (218, 1, 218 / 490),
        (327, 1, 327 / 490),
        (490, 1, 1.0),
    ]


def test_further_seeds_are_one_look_more():
    *first, last = looks_of(490, 3)
    assert last == Look(490, 3, 1.0)
    assert [look.seeds for look in first] == [1, 1, 1, 1]
    assert first[-1].share == pytest.approx(2 / 3)  # (1/2 + 1/2) of the variance of a sentence against (1/2 + 1/6)


def test_a_small_corpus_is_looked_at_once():
    assert looks_of(99, 1) == (Look(99, 1, 1.0),)


@pytest.mark.parametrize(("clusters", "seeds"), [(60, 1), (490, 3), (10_000, 3), (100_000, 5)])
@pytest.mark.parametrize("level", [0.025, 0.025 / 49])
def test_all_looks_together_spend_the_level_and_no_more(clusters, seeds, level):
    looks = looks_of(clusters, seeds)
    parts = [increment(looks, number, level) for number in range(1, len(looks) + 1)]
    assert sum(parts) == pytest.approx(level)
    assert all(before < after for before, after in pairwise(look.share for look in looks))


def test_a_look_with_an_unknown_tail_decides_nothing_and_spends_nothing():
    first, second, *_ = looks = looks_of(490, 3)
    # 1.5 · 146^(1/6) = 3.44 standard errors, beyond which lie 0.00029; 1.5 · 218^(1/6) = 3.68, 0.00012
    assert spend_level(first.share, 0.025) == pytest.approx(0.00099, abs=5e-6)  # 0.025 · (2/3 · 146/490)²
    assert increment(looks, 1, 0.025) == spend_level(first.share, 0.025)
    assert increment(looks, 2, 0.025) == pytest.approx(
        spend_level(second.share, 0.025) - spend_level(first.share, 0.025)
    )
    assert spend_level(first.share, 0.0025) < 0.00029
    assert increment(looks, 1, 0.0025) == 0.0
    assert increment(looks, 2, 0.0025) == spend_level(second.share, 0.0025) > 0.00012


def test_a_case_that_may_not_stop_early_has_the_whole_level():
    assert level_at({"filtered": 3}, 0.025) == 0.025


def test_a_case_that_stopped_where_that_was_planned_has_the_whole_level():
    assert level_at(look_notes(0, 490, 3), 0.025) == 0.025


def test_the_notes_of_a_case_tell_the_look_at_which_it_stopped():
    notes = look_notes(4, 490, 1)
    assert level_at(notes, 0.025) == pytest.approx(0.025 * (1 - (327 / 490) ** 2))


def test_the_order_of_examples_depends_on_them_alone():
    names = [f"sentence {k}" for k in range(50)]
    found = order(names, 1)
    assert found == order([*reversed(names), *names], 1)
    assert found[:40] == [each for each in order([*names, "one more"], 1) if each != "one more"][:40]
    assert sorted(found) == sorted(names)
    assert found != order(names, 2)
