"""The label that is right after a change, worked out from what entailment and paraphrase mean."""

import pytest

from abalo.tasks.pairs.relations import Relations, role_of

SICK = Relations(("CONTRADICTION", "ENTAILMENT", "NEUTRAL"))
ASSIN = Relations(("Entailment", "None"))
MSRP = Relations(("0", "1"))


@pytest.mark.parametrize(
    ("relations", "label", "first", "second", "right"),
    [
        (SICK, "NEUTRAL", "keeps", "keeps", "NEUTRAL"),
        (SICK, "ENTAILMENT", "keeps", "contradicts", "CONTRADICTION"),
        (SICK, "ENTAILMENT", "contradicts", "keeps", "CONTRADICTION"),
        (SICK, "ENTAILMENT", "contradicts", "contradicts", None),
        (SICK, "NEUTRAL", "keeps", "contradicts", None),
        (SICK, "CONTRADICTION", "keeps", "contradicts", None),
        (ASSIN, "Entailment", "keeps", "contradicts", "None"),
        (ASSIN, "None", "keeps", "contradicts", None),
        (MSRP, "1", "keeps", "contradicts", "0"),
        (MSRP, "0", "contradicts", "keeps", None),
        (SICK, "ENTAILMENT", "adds", "keeps", "ENTAILMENT"),
        (SICK, "ENTAILMENT", "keeps", "adds", None),
        (SICK, "NEUTRAL", "keeps", "adds", "NEUTRAL"),
        (SICK, "CONTRADICTION", "adds", "adds", "CONTRADICTION"),
        (MSRP, "1", "adds", "keeps", None),
        (MSRP, "0", "adds", "keeps", "0"),
        (SICK, "ENTAILMENT", "keeps", "loses", None),
        (SICK, "ENTAILMENT", "adds", "contradicts", None),
    ],
)
def test_the_label_after_a_change_is_the_right_one_or_none(relations, label, first, second, right):
    assert relations.after(label, first, second) == right


def test_a_label_of_no_known_relation_only_survives_what_changes_nothing():
    own = Relations(("close", "far"))
    assert own.after("close", "keeps", "keeps") == "close"
    assert own.after("close", "adds", "keeps") is None


def test_with_neutral_and_no_contradiction_nobody_knows_what_contradicts():
    assert Relations(("entailment", "neutral")).after("entailment", "keeps", "contradicts") is None


@pytest.mark.parametrize(
    ("label", "role"),
    [("Not_Entailment", "not"), ("ENTAILMENT", "follows"), ("1", "same"), ("is not", None), ("Paraphrase", "same")],
)
def test_labels_are_known_by_their_names(label, role):
    assert role_of(label) == role


@pytest.mark.parametrize(
    ("relations", "label", "meant"),
    [
        (SICK, "non-entailment", ["CONTRADICTION", "NEUTRAL"]),
        (SICK, "contradiction", ["CONTRADICTION"]),
        (ASSIN, "contradiction", ["None"]),
        (ASSIN, "entailment", ["Entailment"]),
        (MSRP, "entailment", ["1"]),
        (SICK, "NEUTRAL", ["NEUTRAL"]),
        (SICK, "weather", []),
    ],
)
def test_relations_in_templates_allow_the_labels_of_a_corpus(relations, label, meant):
    assert sorted(relations.meant(label)) == meant
