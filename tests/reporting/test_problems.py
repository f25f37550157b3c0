"""The failed losses of a comparison by what they show, from rows written by hand."""

import pytest

from abalo.core.documents.document import Document
from abalo.core.documents.losses_found import Comparison
from abalo.core.records import json_records as typed
from abalo.reporting.documents.problems import problems
from abalo.reporting.formats.comment import Remarks, comment
from abalo.reporting.formats.terminal import lines
from tests.comparison.test_loss_tests import made, row
from tests.reporting.test_comparing import TODAY

GONE = {"type": "ORG", "places": 216, "found": 109.0, "examples": 103}
MEAN = row(None, "regressed", 0.1)


def found(document):
    """The label of each problem, with the ids of the tests that show it."""
    return [
        (each.label, [test.id for test in each.tests])
        for each in problems(document["comparison"] and typed.read(Comparison, document["comparison"]))
    ]


def in_org(case, value=0.1, org=0.6, state="regressed"):
    """A case that lost most in ORG, and something in PER."""
    return row(case, state, value), row(case, "regressed", org, "ORG"), row(case, "regressed", 0.05, "PER")


def test_what_lost_most_in_a_lost_label_shows_that_it_is_lost():
    rows = (*in_org("ner/baseline"), *in_org("ner/a", 0.2), *in_org("ner/b", 0.1, state="too few changed"))
    document = made(*rows, row("ner/c", "regressed"), baseline="regressed", mean=MEAN, lost=[GONE])
    shown = ["ner/labels", "ner/baseline", "ner/mean", "ner/b", "ner/a"]  # the row of ORG decided ner/b
    assert found(document) == [("ORG", shown), ("", ["ner/c"])]
    said = comment(typed.read(Document, document), None, Remarks(), TODAY)
    assert "# ✗ FAIL: 6 losses against the reference 1.0" in said
    assert "## 2 things got worse" in said
    assert "The reference found it in 109 of 216 places" in said
    assert "5 of 6 failed tests" in said
    assert "PER regressed in " in said
    assert "6 losses show 2 problems: entity type ORG is lost; ner/c" in [
        line for line, _ in lines(typed.read(Document, document))
    ]


def test_two_lost_labels_are_two_things():
    other = row("ner/b", "regressed"), row("ner/b", "regressed", 0.9, "LOC")
    document = made(*in_org("ner/a"), *other, lost=[GONE, GONE | {"type": "LOC"}])
    assert found(document) == [("ORG", ["ner/labels", "ner/a"]), ("LOC", ["ner/labels", "ner/b"])]


def test_a_case_that_lost_no_more_than_the_clean_corpus_shows_the_same_loss():
    # the clean corpus lost 0.1; intervals reach 0.05 to both sides
    document = made(
        row("ner/a", "regressed", 0.08), row("ner/b", "regressed", 0.14), row("ner/c", "regressed", 0.2),
        baseline="regressed", mean=MEAN,
    )  # fmt: skip
    assert found(document) == [("", ["ner/baseline", "ner/mean", "ner/b", "ner/a"]), ("", ["ner/c"])]


def test_without_a_loss_on_the_clean_corpus_the_mean_leads_those_that_lost_no_more():
    document = made(row("ner/a", "regressed", 0.08), row("ner/b", "regressed", 0.3), mean=MEAN)
    assert found(document) == [("", ["ner/mean", "ner/a"]), ("", ["ner/b"])]


@pytest.mark.parametrize("baseline", ["no worse", "can't tell", "improved"])
def test_one_case_is_one_thing_and_the_clean_corpus_is_told_beside_it(baseline):
    document = made(row("ner/a", "regressed", 0.03), baseline=baseline)
    document["comparison"]["tasks"]["ner"]["baseline"]["low"] = 0.0
    assert found(document) == [("", ["ner/a"])]
    said = comment(typed.read(Document, document), None, Remarks(), TODAY)
    assert "## 1 thing got worse" in said
    assert "- **ner/a**: F1 0.900 → 0.870, loss 0.030 [−0.020, 0.080], allowed 0.010" in said
    assert "no significant loss." in said
    assert not [line for line, _ in lines(typed.read(Document, document)) if "thing" in line]
    document["comparison"]["tasks"]["ner"]["baseline"]["low"] = 0.001  # a loss, if not surely more than allowed
    assert "no significant loss" not in comment(typed.read(Document, document), None, Remarks(), TODAY)


def test_nothing_that_does_not_block_is_a_problem():
    assert found(made(row("ner/a", "regressed", blocking=False))) == []
    assert found({"comparison": None}) == []


@pytest.mark.parametrize("more", [{"small_lost": [GONE | {"case": ""}]}, {}])
def test_a_label_that_lost_most_in_all_that_failed_is_one_thing(more):
    rows = (*in_org("ner/baseline"), *in_org("ner/a", 0.3), *in_org("ner/b", 0.02))
    document = made(*rows, baseline="regressed", mean=MEAN, **more)
    assert found(document) == [("ORG", ["ner/baseline", "ner/mean", "ner/a", "ner/b"])]
    said = comment(typed.read(Document, document), None, Remarks(), TODAY)
    assert ("no longer found" if more else "F1 0.900 → 0.300, loss 0.600") in said
    assert said.count("216 places") == len(more)


def test_labels_that_differ_from_case_to_case_are_no_thing_of_their_own():
    rows = (*in_org("ner/baseline"), row("ner/a", "regressed", 0.1), row("ner/a", "regressed", 0.2, "LOC"))
    assert found(made(*rows, baseline="regressed")) == [("", ["ner/baseline", "ner/a"])]


def test_a_label_that_fell_in_several_cases_is_one_problem():
    alone = [row("ner/a", "regressed", 0.2, "LOC"), row("ner/b", "regressed", 0.3, "LOC")]
    document = made(row("ner/a", "no worse"), alone[0], row("ner/b", "no worse"), alone[1])
    assert found(document) == [("", ["ner/b", "ner/a"])]
