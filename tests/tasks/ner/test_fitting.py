"""The notices about entity types that are judged, or that one side lacks."""

from abalo.tasks.ner.fitting import notices


def test_a_single_type_that_is_judged_is_one():
    [said] = notices(
        {
            "judged": ["person"],
            "left_out": {"gold": {"group": 2, "product": 1}, "predicted": {"CITY": 1}},
            "outside": {},
            "never_predicted": {},
            "told_by_model": True,
            "corpus": ["person"],
        }
    )
    assert said == (
        "Only the entity type person is judged (--abalo-types). All others are O on both sides: 3 entities (group 2, "
        "product 1) of the corpus and 1 entity (CITY 1) that the model predicts on it."
    )
