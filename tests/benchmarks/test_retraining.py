"""Tests for benchmarks/retraining.py: shares of pairs with their interval over models, and harmless pairs."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from abalo.bundled import bundled_path
from abalo.core.records.gate import Gate
from benchmarks.retrained import SMALLEST, parts_of
from benchmarks.retraining import Model, Pair, Scores, Share, is_harmless, share_over_models


def pairs_of(models: int, recipe: str = "a") -> list[Pair]:
    nothing: Any = None
    made = [Model(recipe, str(k), nothing, nothing) for k in range(models)]
    return [Pair(old, new, nothing, harmless=True) for old, new in permutations(made, 2)]


def known(pairs: list[Pair], bad: set[str]) -> Share:
    found = share_over_models(pairs, lambda pair: pair.new.name in bad)
    assert found is not None
    return found


def test_without_any_event_models_are_trials_not_pairs() -> None:
    found = known(pairs_of(4), set())
    assert (found.value, found.low) == (0.0, 0.0)
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 4))


def test_one_bad_model_of_four_is_worth_three_independent_pairs() -> None:
    # Without the bad model 0 of 6 pairs hold, without another 2 of 6: variance 3/4 (1/16 + 3/144) = 1/16, and
    # 1/4 · 3/4 / (1/16) = 3.
    found = known(pairs_of(4), {"0"})
    assert found.value == pytest.approx(0.25)
    assert found.high == pytest.approx(0.8681, abs=1e-3)


def test_models_of_several_recipes_are_told_apart() -> None:
    one, both = pairs_of(4), [*pairs_of(4), *pairs_of(4, "b")]
    assert known(both, set()).high == pytest.approx(1 - 0.025 ** (1 / 8))
    assert known(both, {"0"}).high < known(one, {"0"}).high


def test_no_pairs_have_no_share() -> None:
    assert share_over_models([], lambda _: True) is None


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, True),
        ({"clean": 0.895}, True),
        ({"clean": 0.88}, False),
        ({"mean": 0.79}, False),
        ({"cases": {"pos/accents": 0.76}}, False),
        ({"cases": {"pos/accents": 0.78}}, True),
        ({"labels": {("changed", "NOUN"): 0.6}}, False),
        ({"clean": 1.0, "labels": {("changed", "NOUN"): 0.66}}, True),
    ],
)
def test_a_pair_is_harmless_within_the_margins_of_the_gate(change: dict[str, Any], expected: bool) -> None:
    before: dict[str, Any] = {
        "clean": 0.9,
        "mean": 0.8,
        "cases": {"pos/accents": 0.8},
        "labels": {("changed", "NOUN"): 0.7},
    }
    assert is_harmless(Scores(**(before | change)), Scores(**before), Gate()) is expected


def test_no_text_is_in_two_parts_of_a_recipe() -> None:
    parts = parts_of(SMALLEST, bundled_path("fixtures/corpora"))
    texts = [
        tuple(line.split("\t")[1] for line in block.splitlines() if not line.startswith("#"))
        for part in (parts.used, parts.judged, parts.others)
        for block in part
    ]
    assert (len(parts.used), len(parts.judged)) == (SMALLEST.used, SMALLEST.judged)
    assert len({*texts}) == len(texts) - len(parts.used) + len({*texts[: len(parts.used)]})
