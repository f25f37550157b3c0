"""A run as JUnit XML."""

from xml.etree import ElementTree as ET

from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.reporting.formats.junit import junit
from tests.compared import EQUAL
from tests.reporting.documents import interrupted, sample
from tests.reporting.test_comparing import document, losses


def suite(found):
    """The one suite, read back."""
    (only,) = ET.fromstring(junit(typed.read(Document, found)))
    return only


def outcomes(found):
    """The outcome of each test, by its module and its name."""
    kinds = {"failure", "error", "skipped"}
    return {
        (test.get("classname").rpartition(".")[2], test.get("name")): next(
            (part.tag for part in test if part.tag in kinds), "passed"
        )
        for test in suite(found)
    }


def test_each_case_is_a_test_called_as_pytest_calls_it():
    first = suite(sample())[0]
    assert (first.get("classname"), first.get("name")) == ("tests_behavioral.ner.test_baseline", "test_f1[baseline]")
    properties = {each.get("name"): each.get("value") for each in first.iter("property")}
    assert properties == {"f1": "0.866373", "verdict": "pass"}


def test_a_blocking_bound_fails_its_test_and_an_open_one_skips_it():
    found = outcomes(sample())
    assert {name for name, each in found.items() if each == "failure"} == {
        ("test_character_noise", "test_f1[rate-0.1]")
    }
    assert found["test_token_masking", "test_f1[rate-0.15]"] == "skipped"
    counted = suite(sample())
    assert [counted.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["6", "1", "0", "1"]


def test_a_failure_that_does_not_block_is_none():
    made = sample()
    made["results"] = [result | {"blocking": False} for result in made["results"]]
    assert "failure" not in outcomes(made).values()


def test_what_has_no_result_is_an_error_told_once():
    assert outcomes(interrupted()) == {("abalo", "ner/accents"): "error", ("abalo", "ner/baseline"): "error"}


def test_each_loss_is_a_test_of_its_own():
    names = ("baseline", "mean", "accents")
    lost, undecided = outcomes(document(losses())), outcomes(document(losses(EQUAL, EQUAL)))
    assert [lost["test_against", f"test_loss[ner/{name}]"] for name in names] == ["failure", "skipped", "failure"]
    assert [undecided["test_against", f"test_loss[ner/{name}]"] for name in names] == ["skipped"] * 3
    assert not any(place == "test_against" for place, _ in outcomes(sample()))


def test_a_case_of_a_module_outside_of_rootdir_has_its_dotted_name():
    made = sample()
    for result in made["results"]:
        result["command"] = "pytest --pyargs 'tests_behavioral.ner.test_own::test_f1[a b]' --abalo-model x::y"
    assert suite(made)[0].get("classname") == "tests_behavioral.ner.test_own"
    assert suite(made)[0].get("name") == "test_f1[a b]"


def test_what_xml_cannot_hold_is_written_out():
    made = interrupted()
    made["errors"][0]["message"] = "a\x00b \x1b[31m ]]> <x> & \ud800 \uffff"
    (error,) = (test.find("error") for test in suite(made) if test.find("error").get("message") != "no result")
    assert error.get("message") == "a\\u0000b \\u001b[31m ]]> <x> & \\ud800 \\uffff"
