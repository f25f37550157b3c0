"""Pools of entities and the sentences that follow, as perturbations ask for them."""

import pytest

from perturbations import find, parse, render
from perturbations.resources import (
    INVENTED,
    STAND_INS,
    UNTRAINED,
    Always,
    Entities,
    FromCorpus,
    InOrder,
    Invented,
    Names,
    NextSentences,
    Pool,
    sort_of,
)
from tests.rows import every

SENTENCES = [
    parse(text)
    for text in (
        "[Rui Sá PESSOA] foi a [Lima LOCAL] .",
        "[Ana PESSOA] e [Rui Sá PESSOA] .",
        "[Lima PESSOA] saiu .",
        "nada",
    )
]


def test_a_pool_has_each_entity_of_a_type_once_in_alphabetical_order():
    pool = FromCorpus("mine", SENTENCES * 2)
    assert pool.entities("PESSOA") == (("Ana",), ("Lima",), ("Rui", "Sá"))
    assert pool.entities("LOCAL") == (("Lima",),)
    assert pool.entities("ORG") == ()
    assert FromCorpus("mine", SENTENCES[::-1] * 2).entities("PESSOA") == pool.entities("PESSOA")


def test_a_pool_knows_what_is_of_several_types():
    pool = FromCorpus("mine", SENTENCES * 2)
    assert pool.shared("PESSOA") == pool.shared("LOCAL") == (("Lima",),)
    assert pool.shared("ORG") == ()


@every(
    ("labelled", "as_other", "unlabelled", "bears"),
    [(1, 0, 0, False), (2, 0, 0, True), (2, 8, 0, True), (2, 9, 0, False), (2, 0, 8, True), (2, 4, 5, False)],
)
def test_a_string_bears_a_type_by_two_occurrences_and_a_fifth_of_all(labelled, as_other, unlabelled, bears):
    texts = ["[Rio Sul LOC] é"] * labelled + ["[Rio Sul ORG] é"] * as_other + ["o Rio Sul é"] * unlabelled
    pool = FromCorpus("mine", map(parse, texts))
    assert (("Rio", "Sul") in pool.entities("LOC")) is bears
    assert (("Rio", "Sul") in pool.shared("LOC")) is (bears and as_other > 1)


def test_a_pool_knows_what_its_text_holds_in_a_row():
    pool = FromCorpus("mine", [parse("在 上 海 市"), parse("南 京")])
    assert pool.has_text("上海")
    assert not pool.has_text("市南")
    assert Invented("zh").has_text("云澜市")


def test_entities_but_one_are_the_others_in_their_order():
    entities = Entities([("Ana",), ("Rui", "Sá"), ("Ana",), ("Eva",)])
    assert list(entities.but(("Rui", "Sá"))) == [("Ana",), ("Ana",), ("Eva",)]
    assert list(entities.but(("Ana",))) == [("Rui", "Sá"), ("Eva",)]
    assert entities.but(("Rui",)) == entities
    assert len(entities) == 4


def test_a_pool_knows_every_word_in_any_letter_case():
    pool = FromCorpus("mine", SENTENCES * 2)
    assert all(map(pool.has_word, ("Rui", "RUI", "rui", "nada", ".")))
    assert not pool.has_word("Eva")


@every(
    ("kind", "sort"),
    [
        ("PESSOA", "person"),
        ("PER", "person"),
        ("person", "person"),
        ("LOCAL", "place"),
        ("GPE", "place"),
        ("geo-loc", "place"),
        ("ORGANIZACAO", "organisation"),
        ("Organização", "organisation"),
        ("corporation", "organisation"),
        ("TEMPO", None),
        ("", None),
    ],
)
def test_types_are_of_a_sort_whatever_a_corpus_calls_them(kind, sort):
    assert sort_of(kind) == sort


@pytest.mark.parametrize("language", ["pt", "en"])
@pytest.mark.parametrize("kind", ["PER", "LOC", "ORG"])
def test_there_are_invented_names_short_and_long_and_of_several_sorts(language, kind):
    pool = Invented(language)
    assert len(pool.entities(kind)) >= 40
    assert any(len(name) >= 3 for name in pool.entities(kind))
    assert len(pool.shared(kind)) >= 3
    assert set(pool.shared(kind)) < set(pool.entities(kind))
    assert pool.has_word(pool.entities(kind)[0][0].upper())


def test_of_other_types_there_are_no_invented_names():
    assert list(INVENTED.entities("TEMPO")) == list(INVENTED.shared("JURISPRUDENCIA")) == []


def test_the_name_of_a_default_says_what_a_run_takes_instead():
    assert (INVENTED.name, Invented("en").name) == ("invented:pt", "invented:en")
    assert STAND_INS.name == UNTRAINED.name == "corpus"
    assert STAND_INS.entities("PER") == INVENTED.entities("PER")
    assert not UNTRAINED.has_word("a")


def test_sentences_follow_in_the_order_of_the_corpus():
    following = InOrder("mine", SENTENCES)
    assert following.after(SENTENCES[0], 2) == SENTENCES[1:3]
    assert following.after(SENTENCES[2], 2) == SENTENCES[3:]
    assert following.after(SENTENCES[3], 2) == []
    assert following.after(parse("alheia"), 2) == ()


def test_nothing_follows_across_the_border_of_two_documents():
    following = InOrder("mine", SENTENCES, starts=(0, 2))
    assert following.after(SENTENCES[0], 2) == SENTENCES[1:2]
    assert following.after(SENTENCES[1], 2) == []
    assert following.after(SENTENCES[2], 2) == SENTENCES[3:]


def test_of_equal_sentences_the_first_is_meant():
    twice = [parse("a"), parse("b"), parse("a"), parse("c")]
    assert InOrder("mine", twice).after(parse("a"), 1) == [parse("b")]


def test_what_is_made_here_is_what_the_protocols_ask_for():
    assert all(isinstance(pool, Pool) for pool in (INVENTED, STAND_INS, UNTRAINED, FromCorpus("x", SENTENCES)))
    assert isinstance(InOrder("x", SENTENCES), NextSentences)
    assert isinstance(Always("x", ()), NextSentences)


def test_a_perturbation_names_what_it_asks_for():
    assert find("swap_ent_oov").resources() == {"training": Pool, "entities": Pool, "otherwise": Pool}
    assert find("concat_sent").resources() == {"following": NextSentences}
    assert find("accents").resources() == {}


def test_what_is_no_resource_is_refused():
    with pytest.raises(TypeError, match=r"swap_named_ent: entities is 'train.conll'; expected Pool"):
        find("swap_named_ent").configured(entities="train.conll")
    with pytest.raises(TypeError, match=r"concat_sent: following is .*; expected NextSentences"):
        find("concat_sent").configured(following=INVENTED)


def test_a_pool_of_ones_own_is_used():
    swap = find("swap_named_ent").configured(entities=Names("mine", {("Eva", f"R{i}"): ["PER"] for i in range(20)}))
    assert render(swap.sample(parse("[Ana PER] saiu"), seed=1).sentence).startswith("[Eva R")
