"""Slices by a training corpus: unseen entities, unseen words beside them; and rare types."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.slices import slices
from abalo.slices.rare_types import rarest
from abalo.slices.unseen_context import context
from perturbations import parse
from tests.scripted import corpus_of
from tests.slices.test_ranking import inside
from tests.texts import TextWith


@pytest.fixture
def training(tmp_path):
    path = tmp_path / "train.conll"
    path.write_text("Ana B-PESSOA\nSá I-PESSOA\nsaiu O\nde O\nNatal B-LOCAL\n\nO O\nRui O\nsaiu O\nontem O\n")
    return str(path)


def test_an_entity_is_seen_where_the_same_words_are_one(training):
    corpus = corpus_of(
        "[Ana Sá PESSOA] saiu",
        "[Ana PESSOA] saiu",  # only part of one
        "[Natal ORG] jogou",  # of another type
        "[natal LOCAL] chegou",  # in other letters
        "[Rui PESSOA] saiu",  # there, but no entity
        "[Ana Sá PESSOA] viu [Belém LOCAL]",  # one of two
        "nada aqui",
    )
    assert inside("unseen_entities", corpus, training=training) == [1, 3, 4, 5]


def test_context_is_near_an_entity_and_in_none():
    sentence = parse("um dois [Ana Sá PESSOA] três [Rui PESSOA] quatro cinco seis")
    assert context(sentence, 1) == [1, 4, 6]
    assert context(sentence, 2) == [0, 1, 4, 6, 7]
    assert context(parse("nada aqui"), 3) == []


def test_unseen_words_count_near_an_entity_alone_whatever_their_case(training):
    corpus = corpus_of(
        "[Belém LOCAL] SAIU ontem",  # known words, the entity itself aside
        "[Ana PESSOA] partiu",
        "[Ana PESSOA] saiu de ontem partiu",  # four words away
        "partiu ontem",  # no entity
        "[Ana PESSOA] , 1999 , saiu",  # no words
        "[Ana PESSOA] partiu correndo",
    )
    assert inside("unseen_context", corpus, training=training) == [1, 5]
    assert inside("unseen_context", corpus, training=training, window=4) == [1, 2, 5]
    assert inside("unseen_context", corpus, training=training, least=2) == [5]


def test_rare_types_together_are_no_more_than_the_share():
    counts = {"A": 60, "B": 25, "C": 10, "D": 5}
    assert rarest(counts, 0.05) == {"D"}
    assert rarest(counts, 0.149) == {"D"}
    assert rarest(counts, 0.15) == {"C", "D"}
    assert rarest(counts, 0.04) == set()
    assert rarest({"A": 8, "B": 1, "C": 1}, 0.15) == set()  # both or none


@given(st.dictionaries(st.text("ABCDEF", min_size=1, max_size=1), st.integers(1, 50), min_size=1), st.floats(0.01, 0.9))
def test_no_type_left_out_is_rarer_than_one_that_is_in(counts, share):
    rare = rarest(counts, share)
    assert sum(counts[kind] for kind in rare) <= share * sum(counts.values())
    assert all(counts[kind] < counts[other] for kind in rare for other in counts.keys() - rare)


def test_rare_types_are_counted_in_the_corpus_or_in_training(training):
    corpus = corpus_of("[Ana PESSOA] viu [Rui PESSOA] e [Eva PESSOA]", "[Natal LOCAL] é bela", "[Ana PESSOA] saiu")
    assert inside("rare_types", corpus, share=0.2) == [1]
    assert inside("rare_types", corpus, share=0.2, training=training) == []  # one of each there
    part = slices()["rare_types"]
    text = part.cut(corpus, part.configured(share=0.2)).text
    assert text == TextWith("rare in by hand, 20 % at most: LOCAL")


def test_a_type_that_training_never_had_is_the_rarest(training):
    corpus = corpus_of("[STJ ORG] decidiu", "[Ana PESSOA] saiu")
    assert inside("rare_types", corpus, share=0.1, training=training) == [0]
