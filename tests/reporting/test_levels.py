"""The figure of F1 drops by level of language."""

import math
import re
from typing import Any

import pytest

from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.reporting.content.blocks.levels import BLOCK
from abalo.reporting.formats.html import summary
from perturbations.perturbation import Kind
from tests.reporting.documents import attacked, measured, questioned, result, result_of, sample, searched
from tests.reporting.shown import Page, html
from tests.texts import TextWith

MIDDLE = (272, 186)


def render(document: dict[str, Any]) -> str:
    return html(*BLOCK.summary(typed.read(Document, document)))


def document(*results: dict[str, Any]) -> dict[str, Any]:
    return sample() | {"results": list(results)}


def case(kind: str | None, drop: float, name: str = "accents", spread: float = 0.02, **more: Any) -> dict[str, Any]:
    made = result(name, {}, 0.8, [])
    made["metrics"]["f1_drop_changed"] = measured(drop, spread)
    return made | {"kind": kind, "id": f"ner/{name}-{kind}-{drop}"} | more


def quarters(fragment: str) -> dict[str, str]:
    """The bars of each level."""
    found = re.findall(r'<g class="abalo-level-\w+">.*?</text></g>(?=<g class="abalo-level|<circle)', fragment)
    return {re.search(r'class="abalo-level"[^>]*>(\w+)', each)[1].lower(): each for each in found}


def bars(quarter: str) -> list[list[tuple[float, float]]]:
    """The corners of each bar as angle and distance from the middle."""
    outlines = re.findall(r'class="abalo-bar" d="M([^"]*)Z"', quarter)
    return [[polar(*corner) for corner in corners(each)] for each in outlines]


def corners(outline: str) -> list[tuple[float, float]]:
    plain = re.sub(r"A\S+ \S+ 0 0 [01] ", "L", outline)
    return [tuple(map(float, each.split())) for each in plain.split("L")]


def polar(x: float, y: float) -> tuple[float, float]:
    across, up = x - MIDDLE[0], MIDDLE[1] - y
    return math.degrees(math.atan2(across, up)) % 360, math.hypot(across, up)


def test_every_level_has_a_quarter_and_only_what_was_tested_has_a_bar():
    found = quarters(render(document(case("morphology", 0.3), case("morphology", 0.1), case("pragmatics", 0.2))))
    assert {level: len(bars(each)) for level, each in found.items()} == {
        "morphology": 2,
        "lexis": 0,
        "syntax": 0,
        "pragmatics": 1,
    }
    assert "2 cases, worst 0.300" in found["morphology"]
    assert "1 case, worst 0.200" in found["pragmatics"]
    for level in ("lexis", "syntax"):
        assert "not tested" in found[level]
        assert not re.search(r"\d\.\d\d\d", found[level].partition("<text")[2])


def test_a_level_that_was_not_tested_is_named_as_such_below():
    text = Page(render(document(case("syntax", 0.1)))).text
    assert text == TextWith("Not tested", ": morphology, lexis, pragmatics.")


def test_bars_stay_in_their_quarter_and_are_as_long_as_the_drop():
    kinds = ("morphology", "lexis", "syntax", "pragmatics")
    found = quarters(render(document(*(case(kind, drop, spread=0) for kind in kinds for drop in (0.4, 0.2, 0.0)))))
    for number, kind in enumerate(kinds):
        outlines = bars(found[kind])
        assert all(90 * number < angle < 90 * (number + 1) for outline in outlines for angle, _ in outline)
        (_, first), (_, second), (_, none) = (outline[2] for outline in outlines)
        zero = outlines[0][0][1]
        assert first - zero == pytest.approx(2 * (second - zero), abs=0.5)
        assert none == pytest.approx(zero, abs=0.2)
        assert first < 150


def test_a_gain_reaches_inwards_from_the_ring_of_zero():
    found = quarters(render(document(case("lexis", -0.1, spread=0), case("lexis", 0.2, spread=0))))
    gain, loss = bars(found["lexis"])
    assert gain[2][1] < gain[0][1] == pytest.approx(loss[0][1], abs=0.2)
    assert loss[2][1] > loss[0][1]
    assert gain[2][1] >= 33


def test_the_figure_can_be_read_aloud():
    fragment = render(document(case("morphology", 0.3), case("lexis", 0.1, "synonyms")))
    assert 'role="img"' in fragment
    spoken = "morphology: Accents 0.300; lexis: Synonyms 0.100; syntax: not tested; pragmatics: not tested"
    assert f"<desc>{spoken}</desc>" in fragment
    assert "<title>1. Accents: F1 drop 0.300 [0.280, 0.320], measured</title>" in fragment


def test_the_table_names_the_bars_by_their_numbers():
    text = Page(render(sample())).text
    assert "Morphology 1 Accents 0.043 [0.013, 0.073] ✓ pass" in text
    assert "Morphology 2 Character noise 0.214 [0.184, 0.244] ✗ fail" in text
    assert "Lexis 3 Synonyms (lexicon legal_pt) 0.021 [−0.009, 0.051] ✓ pass" in text
    assert "1 case without a level is left out." in text  # token masking


def test_many_cases_of_a_level_are_cut_to_those_that_matter():
    many = [case("syntax", 0.01 * k, verdict="pass") for k in range(20)]
    many[3] |= {"verdict": "fail"}
    fragment = render(document(*many, case("lexis", 0.1)))
    assert len(bars(quarters(fragment)["syntax"])) == 12
    assert "20 cases, worst 0.190" in fragment
    assert "0.030 [0.010, 0.050]" in fragment  # it failed
    assert "8 more cases" in fragment


def test_a_drop_without_an_interval_or_a_value_breaks_nothing():
    bare = case("syntax", 0.1)
    bare["metrics"]["f1_drop_changed"] |= {"low": None, "high": None}
    without = case("syntax", 0.2)
    without["metrics"]["f1_drop_changed"] = None
    fragment = render(document(bare, without))
    assert len(bars(fragment)) == 1
    assert "abalo-whisker" not in fragment


def test_where_no_case_is_of_a_level_there_is_no_figure():
    assert not BLOCK.summary(typed.read(Document, document(case(None, 0.3))))
    assert not BLOCK.summary(typed.read(Document, questioned()))


@pytest.mark.parametrize("made", [sample, attacked, searched])
def test_it_nests_and_stands_in_the_summary_after_the_chart(made):
    page = summary(typed.read(Document, made()))
    assert page.index('class="abalo-rose"') < page.index("Measured on")
    assert "level of language" in Page(page).text


def test_the_levels_are_those_that_a_perturbation_can_declare():
    fragment = render(sample())
    assert list(quarters(fragment)) == list(Kind.__args__)
    assert result_of(sample(), "synonyms")["kind"] == "lexis"
