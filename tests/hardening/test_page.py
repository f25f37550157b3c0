"""The page of a hardening: its verdict, and what stands first."""

import pytest

from abalo.core.records.json_records import read
from abalo.hardening.document import Hardening
from abalo.hardening.page import has_regressed, page, verdict_of
from tests.texts import TextWith


def interval(value, low, high):
    """A number with its ends as the document has it."""
    return {"value": value, "low": low, "high": high}


def case(role, found, cut=None, **more):
    """A case of the document, of which a state and a change with its interval were ``found``."""
    state, change = found
    found = {
        "case": f"ner/{role.replace(' ', '_')}",
        "role": role,
        "families": ["character"],
        "metric": "f1" if role == "clean" else "f1_drop_changed",
        "more_is_better": role == "clean",
        "before": 0.5,
        "after": 0.4,
        "change": interval(*change),
        "state": state,
        "cut": cut,
        "reason": "",
    }
    return found | more


def document(*cases):
    """A document with these cases, of which 0.01 may be lost on clean examples."""
    found = {
        "task": "ner",
        "models": {"before": {"name": "old"}, "after": {"name": "new"}},
        "corpus": {"name": "dev.conll", "examples": 100},
        "train": {"name": "train.conll", "examples": 50, "left_out": 3, "taught": 47},
        "training": {
            "seed": 1,
            "epochs": 3,
            "rate": 5e-5,
            "batch": 32,
            "letters": False,
            "masked_lm": 0.2,
            "contrast": 0.0,
            "share": 0.5,
            "searched": 300,
            "rounds": 1,
            "with": None,
            "uses": ["batch", "rate", "masked_lm", "contrast"],
        },
        "seeds": {"judged": [1001]},
        "confidence": 0.95,
        "max_loss": 0.01,
        "taught": [{"case": "ner/taught", "lessons": 47}],
        "not_taught": ["ner/keyboard: character is held out"],
        "cases": list(cases),
        "seconds": {"training": {"wall": 3.0, "cpu": 2.0}},
    }
    return read(Hardening, found)


KEPT, RISEN = ("no worse", (0.0, -0.01, 0.01)), ("improved", (0.1, 0.05, 0.2))
LOST, DOUBTED = ("regressed", (-0.1, -0.2, -0.05)), ("can't tell", (0.0, -0.03, 0.03))
CHEAPER, SAME = ("improved", (-0.1, -0.2, -0.05)), ("can't tell", (0.0, -0.1, 0.1))
DEARER, UNPAIRED = ("regressed", (0.1, 0.05, 0.2)), ("not comparable", (None, None, None))


@pytest.mark.parametrize(
    ("clean", "taught", "word"),
    [
        (KEPT, [CHEAPER], "hardened"),
        (RISEN, [CHEAPER], "hardened"),
        (KEPT, [CHEAPER, SAME], "hardened"),
        (KEPT, [CHEAPER, DEARER], "inconclusive"),
        (DOUBTED, [CHEAPER], "inconclusive"),
        (UNPAIRED, [CHEAPER], "inconclusive"),
        (KEPT, [UNPAIRED], "no gain"),
        (KEPT, [SAME], "no gain"),
        (LOST, [CHEAPER], "regressed"),
    ],
)
def test_the_verdict_follows_from_the_states(clean, taught, word):
    found = document(case("clean", clean), *(case("taught", each) for each in taught))
    assert verdict_of(found).word == word
    assert has_regressed(found) is (word == "regressed")


def test_the_page_says_what_was_taught_and_what_was_not():
    cases = case("clean", KEPT), case("taught", CHEAPER, 0.6), case("other family", SAME)
    said = page(document(*cases)).shown("markdown")
    assert said == TextWith("1 of 1 trained case improved", "1 of 1 lost")
    assert "| taught | 0.600 | 0.500 | 0.400 | −0.100 [−0.200, −0.050] | F1 drop |" in said
    assert "47 distinct examples" in said
    assert "batch 32, rate 5e-05, masked lm 0.2" in said
    assert said == TextWith("3 examples", "also in")


def test_a_regression_is_said_before_what_was_gained():
    said = page(document(case("clean", LOST), case("taught", CHEAPER, 0.6))).shown("text")
    assert said.startswith("REGRESSED: clean F1 0.500 → 0.400, change −0.100 [−0.200, −0.050], allowed loss 0.010; ")


def test_the_reason_of_an_undecided_case_stands_below_its_numbers():
    doubted = case("taught", SAME, 0.2, reason="only 3 of the examples differ")
    unpaired = case("same family", UNPAIRED, reason="did not run after", case="ner/typos")
    said = page(document(case("clean", KEPT), doubted, unpaired)).shown("markdown")
    assert "| taught | 0.200 |" in said
    assert "only 3 of the examples" in said
    assert "did not run after" in said
    assert "| typos |" not in said
