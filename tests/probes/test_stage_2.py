"""The six scenarios of stage 2 as cases, and its synonyms word by word."""

import pytest

from abalo.config.thresholds import load
from abalo.corpora import Corpus
from abalo.probes.perturbation import PerturbationPlan
from abalo.sources.resources import Resources
from perturbations import find, parse, render
from perturbations.families.word.word_lists import shipped_list

SCENARIOS = """
    [[ner.baseline]]
    min_f1 = 0.8

    [[ner.accents]]
    max_f1_drop = 0.05

    [[ner.character_noise]]
    rate = 0.1
    max_f1_drop = 0.3

    [[ner.word_insertion]]
    rate = 0.1
    fillers = ["xxx", "lorem", "teste", "ruido"]
    max_f1_drop = 0.8

    [[ner.token_masking]]
    rate = 0.15
    max_f1_drop = 0.2

    [[ner.synonyms]]
    lexicon = "seed"
    max_f1_drop = 0.03
"""


def test_the_six_scenarios_are_cases(write):
    assert [case.id for case in load(write(SCENARIOS)).cases] == [
        "ner/baseline",
        "ner/accents",
        "ner/character_noise[rate-0.1]",
        "ner/word_insertion[rate-0.1-fillers-xxx+lorem+teste+ruido]",
        "ner/token_masking[rate-0.15]",
        "ner/synonyms[lexicon-seed]",
    ]


@pytest.mark.parametrize(
    ("text", "published"),
    [
        ("O [TRIBUNAL DE JUSTIÇA ORG] e o MINISTRO da LEI", "O [CORTE DE JUSTIÇA ORG] e o AUTORIDADE da NORMA"),
        # Nothing is spared: neither names nor citations, nor text that is not legal; and nothing agrees.
        ("o Ministro [Ana Lei PER] leu", "o Autoridade [Ana Norma PER] leu"),
        ("a [Lei n.º 8.666 LEGISLACAO]", "a [Norma n.º 8.666 LEGISLACAO]"),
        ("no [Supremo Tribunal Federal ORG]", "no [Supremo Corte Federal ORG]"),
        ("no tribunal do júri", "no corte do júri"),
        ("o recurso do réu, disse o juiz", None),  # of the list that agrees, not of the map
        ("ministros , leis e tribunais", None),  # forms that were not published
    ],
)
def test_the_synonyms_of_stage_2_word_by_word(write, text, published):
    (case,) = [case for case in load(write(SCENARIOS)).cases if case.name == "synonyms"]
    assert isinstance(case.plan, PerturbationPlan)
    synonyms = Resources(Corpus("none", ())).configured(case.plan.perturbation, case.params)
    for seed in (1, 2, 4):
        variant = synonyms.sample(parse(text), seed=seed)
        assert (variant and render(variant.sentence)) == published


def test_names_keep_their_words_where_asked():
    outside = find("synonyms").configured(lexicon=shipped_list("seed"), inside_entities=False)
    assert render(outside.sample(parse("a lei de [TRIBUNAL ORG]"), seed=1).sentence) == "a norma de [TRIBUNAL ORG]"


def test_the_attack_knows_the_published_words_and_spares_none():
    attack = find("synonym_attack").configured(lexicon=shipped_list("seed"), rate=1.0)
    found = attack.sample(parse("pela lei do [Supremo Tribunal ORG]"), seed=1)
    assert render(found.sentence) == "pela norma do [Supremo Corte ORG]"
