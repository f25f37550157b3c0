"""Random streams: the same everywhere, and independent of each other."""

from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import stream
from perturbations.streams import hits, pick
from tests.rows import every


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ((1,), [0.7170141676612993, 0.47218235308252365, 0.19282243461811632]),
        ((1, "accents", 0, "99b4e7bc9d6d7a2c"), [0.9835174991324238, 0.31591025035910103, 0.027804755941670978]),
        ((2, "não", "\ud800"), [0.9782281362439972, 0.36924396465977627, 0.7793371906158058]),
    ],
)
def test_a_stream_begins_the_same_on_every_machine(labels, expected):
    draws = stream(*labels)
    assert [draws.random() for _ in range(3)] == expected


@given(st.integers(), st.lists(st.integers() | st.text(st.characters()), max_size=3))
def test_a_stream_depends_on_its_labels_alone(seed, labels):
    assert stream(seed, *labels).random() == stream(seed, *labels).random()


@every(
    ("one", "other"),
    [
        ((1, "a"), (2, "a")),
        ((1, "a"), (1, "a", 0)),
        ((1, "1"), (1, 1)),
        ((1, "ab"), (1, "a", "b")),
        ((1, "a', 'b"), (1, "a", "b")),
    ],
)
def test_other_labels_give_another_stream(one, other):
    assert stream(*one).random() != stream(*other).random()


def test_streams_of_neighbouring_seeds_do_not_resemble_each_other():
    firsts = [stream(seed, "accents").random() for seed in range(1000)]
    rises = sum(earlier < later for earlier, later in pairwise(firsts))
    assert abs(sum(firsts) / 1000 - 0.5) < 4 * sqrt(1 / 12 / 1000)
    assert abs(rises - 999 / 2) < 4 * sqrt(999 / 12)


def test_a_rate_is_the_share_of_sites_that_are_hit():
    for rate in (0.01, 0.1, 0.5, 0.9):
        found = len(hits(stream(1, "rate"), 100_000, rate))
        assert abs(found - 100_000 * rate) < 4 * sqrt(100_000 * rate * (1 - rate))


def test_hits_are_independent_of_each_other():
    found = set(hits(stream(1, "pairs"), 100_000, 0.3))
    both = sum(site + 1 in found for site in found)
    assert abs(both - 100_000 * 0.09) < 5 * sqrt(100_000 * 0.09)


def test_a_rate_of_nothing_hits_nothing_and_of_one_everything():
    assert hits(stream(1), 1000, 0) == []
    assert hits(stream(1), 1000, 1) == list(range(1000))
    assert hits(stream(1), 0, 1) == []


@given(st.integers(0, 200), st.floats(0, 1), st.floats(0, 1))
def test_a_higher_rate_hits_all_that_a_lower_one_hits(count, one, other):
    lower, higher = sorted((one, other))
    assert set(hits(stream(1, "nested"), count, lower)) <= set(hits(stream(1, "nested"), count, higher))


def test_options_are_picked_equally_often():
    draws = stream(1, "pick")
    picked = [pick(draws, "abcd") for _ in range(40_000)]
    for option in "abcd":
        assert abs(picked.count(option) - 10_000) < 4 * sqrt(40_000 * 0.25 * 0.75)
