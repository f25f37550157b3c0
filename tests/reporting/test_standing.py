"""The verdict on a case beside a comparison: words tell apart what its bounds say and what it lost."""

import pytest

from abalo.core.documents.blocks import Chart, Text
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.records import json_records as typed
from abalo.reporting.content.sections.drops import blocks as drops
from abalo.reporting.documents.finding import glance
from abalo.reporting.documents.standing import in_a_word, of_bounds, standing
from abalo.reporting.formats.html import render
from abalo.reporting.formats.report_page import report_page
from abalo.reporting.formats.terminal import lines
from tests.comparison.test_loss_tests import made, row
from tests.reporting.documents import sample
from tests.reporting.test_report_page import data_of
from tests.texts import TextWith

ACCENTS, NOISE = "ner/accents", "ner/character_noise[rate-0.1]"


def both():
    """A document: accents holds its bound and lost in ORG, character noise breaks its bound and lost nothing."""
    found = made(row(ACCENTS, "too few changed"), row(ACCENTS, "regressed", 0.3, "ORG"), row(NOISE, "no worse", 0.0))
    return found | {"results": sample()["results"]}


def result(document, case):
    return next(each for each in document["results"] if each["id"] == case)


@pytest.mark.parametrize(
    ("case", "bounds", "whole", "word"),
    [
        (ACCENTS, "bounds hold", "regressed; bounds hold", "regressed"),
        (NOISE, "bound fails", "bound fails", "bound fails"),
    ],
)
def test_the_words_say_whether_a_bound_or_the_reference_decided(case, bounds, whole, word):
    document = both()
    own = result(document, case)
    assert of_bounds(typed.read(Result, own), typed.read(Document, document)).word == bounds
    assert standing(typed.read(Result, own), typed.read(Document, document)).word == whole
    assert in_a_word(typed.read(Result, own), typed.read(Document, document)).word == word
    assert glance(typed.read(Result, own), typed.read(Document, document))[0].verdict.word == whole


@pytest.mark.parametrize("regressed", [True, False])
def test_drops_say_what_regressed_is_about(regressed):
    document = both()
    if not regressed:
        document["comparison"]["tasks"]["ner"]["losses"] = []
    texts = [line for block in drops(typed.read(Document, document)) if isinstance(block, Text) for line in block.lines]
    assert any(line.startswith("Regressed: against the reference 1.0") for line in texts) == regressed


def test_without_a_comparison_a_verdict_is_that_of_the_bounds():
    document = sample()
    assert [
        standing(typed.read(Result, result(document, case)), typed.read(Document, document)).word
        for case in (ACCENTS, NOISE)
    ] == ["pass", "fail"]


def test_table_chart_and_terminal_say_the_same_of_a_case():
    document = both()
    rows = {each["id"]: each for each in data_of(report_page(typed.read(Document, document)))["cases"]}
    assert (rows[ACCENTS]["word"], rows[ACCENTS]["state"], rows[ACCENTS]["where"]) == (
        "regressed; bounds hold",
        "regressed",
        "ORG",
    )
    assert (rows[NOISE]["word"], rows[NOISE]["state"], rows[NOISE]["where"]) == ("bound fails", "no worse", "")
    told = [line for line, _ in lines(typed.read(Document, document))]
    assert any(line.startswith(ACCENTS) and line.endswith("BOUNDS HOLD") for line in told)
    assert not any(line.endswith(("  PASS", "  FAIL")) for line in told)


@pytest.mark.parametrize(
    ("kept", "legend"),
    [
        ({ACCENTS, NOISE}, ("regressed", "bound</li>")),
        ({ACCENTS}, ("regressed", "reference</li>")),
        ({NOISE}, ("beyond its bound</li>",)),
    ],
)
def test_the_legend_says_what_red_means_in_the_chart(kept, legend):
    document = both()
    document["results"] = [each for each in document["results"] if each["id"] in kept]
    chart = next(block for block in drops(typed.read(Document, document)) if isinstance(block, Chart))
    assert render([chart], "part") == TextWith('abalo-swatch abalo-fail"></span>', *legend)


def test_a_case_that_lost_in_a_label_alone_has_that_state_in_the_table_of_losses():
    page = report_page(typed.read(Document, both()))
    assert "regressed in ORG" in page
    assert "as a whole: too few changed" in page
