"""What is drawn for a seed, pinned: another machine, Python or version of ours has to agree.

A line that has to change changes every published number: say so in the changelog.
"""

import pytest

from perturbations import find, members, parse, render

TEXT = "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] de [São Paulo LOC] , disse o juiz da 2ª vara"

PINNED = {
}


@pytest.mark.parametrize("name", sorted(n for n, m in members().items() if m.function.__module__.startswith("perturbations.")))
def test_every_perturbation_is_pinned(name):
    assert name in PINNED, f"add a line to PINNED: {name!r}: (rate, variant for seed 1, variant for seed 2)"


@pytest.mark.parametrize("name", PINNED)
def test_the_variants_of_a_seed_are_what_they_always_were(name):
    rate, *expected = PINNED[name]
    perturbation = find(name).configured(rate=rate)
    assert [render(perturbation.sample(parse(TEXT), seed=seed).sentence) for seed in (1, 2)] == expected
