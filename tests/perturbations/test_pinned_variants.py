"""What is drawn for a seed, pinned: another machine, Python or version of ours has to agree.

A line that has to change changes every published number: say so in the changelog.
"""

import pytest

from perturbations import find, members, parse, render

TEXT = "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] de [São Paulo LOC] , disse o juiz da 2ª vara"

PINNED = {
    "accents": (
        0.5,
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] de [São Paulo LOC] , disse o juiz da 2a vara",
        "[Ana Sá PESSOA] nao foi ao [Tribunal de Justica ORG] de [São Paulo LOC] , disse o juiz da 2ª vara",
    ),
    "character_noise": (
        0.1,
        "[Ana Sá PESSOA] nwo foi ao [Tribunal de Justiça ORG] dk [kão Paulg LOC] d disse h juiz da 2ª vHxa",
        "[Ana Ná PESSOA] aãM foi ao [Tribupal de Justiça ORG] de [São Paulo LOC] , Yisse o juiz da 2G vara",
    ),
    "synonyms": (
        0.5,
        "[Ana Sá PESSOA] não foi ao [Corte de Justiça ORG] de [São Paulo LOC] , disse o magistrado da 2ª vara",
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] de [São Paulo LOC] , disse o magistrado da 2ª vara",
    ),
    "token_masking": (
        0.15,
        r"[Ana Sá PESSOA] não \[MASK\] \[MASK\] [Tribunal de Justiça ORG] de [São Paulo LOC] , disse o juiz da 2ª vara",
        r"[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] \[MASK\] [São Paulo LOC] , disse o juiz da 2ª vara",
    ),
    "word_insertion": (
        0.2,
        "[Ana Sá PESSOA] lorem não foi ao [Tribunal de lorem Justiça ORG] de [São Paulo LOC] , lorem disse teste o juiz"
        " da 2ª vara",
        "[Ana Sá PESSOA] ruido não foi ao [Tribunal de teste Justiça ORG] de [São Paulo LOC] xxx , disse teste o juiz"
        " da 2ª vara",
    ),
}


@pytest.mark.parametrize(
    "name", sorted(n for n, m in members().items() if m.function.__module__.startswith("perturbations."))
)
def test_every_perturbation_is_pinned(name):
    assert name in PINNED, f"add a line to PINNED: {name!r}: (rate, variant for seed 1, variant for seed 2)"


@pytest.mark.parametrize("name", PINNED)
def test_the_variants_of_a_seed_are_what_they_always_were(name):
    rate, *expected = PINNED[name]
    perturbation = find(name).configured(rate=rate)
    assert [render(perturbation.sample(parse(TEXT), seed=seed).sentence) for seed in (1, 2)] == expected
