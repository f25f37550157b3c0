"""The notices about entity types that are judged, or that one side lacks."""

from abalo.core.documents.document import LeftOut, TypeFacts
from abalo.tasks.ner.fitting import notices
from tests.texts import TextWith


def said_of(judged, gold, predicted):
    [said] = notices(
        TypeFacts(
            judged=judged,
            left_out=LeftOut(gold=gold, predicted=predicted),
            outside={},
            never_predicted={},
            told_by_model=True,
            corpus=judged,
        )
    )
    return said


def test_a_single_type_that_is_judged_is_one():
    assert said_of(["person"], {"group": 2, "product": 1}, {"CITY": 1}) == TextWith(
        "type person", "(--abalo-types)", "3 entities (group 2, product 1)", "1 entity (CITY 1)"
    )


def test_an_eleventh_type_that_is_left_out_is_one_more():
    many = dict.fromkeys("ABCDEFGHIJK", 2)
    assert "22 entities (A 2, B 2, C 2, D 2, E 2, F 2, G 2, H 2, I 2, J 2, 1 more type) of" in said_of(
        ["X", "Y"], many, {}
    )
