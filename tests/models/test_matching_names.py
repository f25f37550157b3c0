"""Pairs of names that an error message may propose."""

import pytest

from abalo.models.labelling.labels import BIO, PLAIN
from abalo.models.labelling.matching import matching_pairs


@pytest.mark.parametrize(
    ("own", "name"),
    [
        ("PERSON", "person"),
        ("PERSONS", "PER"),
        ("PER", "PERSON"),
        ("PER", "PESSOA"),
        ("LOC", "LOCATION"),
        ("ORG", "ORGANIZACAO"),
        ("ORGANIZATION", "ORGANIZAÇÃO"),
        ("CREATIVE_WORK", "creative-work"),
        ("PRODUCTS", "product"),
        ("LEG", "LEGISLACAO"),
        ("LEGISLATION", "LEGISLACAO"),
    ],
)
def test_names_that_mean_the_same_match(own, name):
    assert matching_pairs([own], [name], [name], BIO._meaning) == [(own, name)]


@pytest.mark.parametrize(
    ("own", "name"),
    [
        ("DATE", "creative-work"),
        ("GIVEN_NAME", "person"),
        ("PERCENT", "PERSON"),
        ("PERCENT", "PER"),
        ("PROCEDURE", "PRODUCT"),
        ("LOC", "ORG"),
        ("GR", "GROUP"),
    ],
)
def test_others_do_not(own, name):
    assert matching_pairs([own], [name], [name], BIO._meaning) == []


def test_each_name_is_used_once_the_likest_first():
    offered, missing = ["CITY", "LOC", "PERSON", "PERS"], ["LOCATION", "PERSON"]
    assert matching_pairs(offered, missing, missing, BIO._meaning) == [("LOC", "LOCATION"), ("PERSON", "PERSON")]


def test_a_meaning_that_two_types_of_the_corpus_have_decides_nothing():
    assert matching_pairs(["ORG"], ["company", "institution"], ["company", "institution"], BIO._meaning) == []


def test_parts_of_speech_match_by_their_universal_tags():
    assert matching_pairs(["NN", "UH"], ["NOUN", "VERB"], ["NOUN", "VERB"], PLAIN._meaning) == [("NN", "NOUN")]
