"""The matrix of capabilities in every report."""

from abalo.capabilities.blocks import overview
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.records import json_records as typed
from abalo.reporting.formats.html import detail, summary
from abalo.reporting.formats.latex import latex
from abalo.reporting.formats.markdown import markdown
from abalo.reporting.formats.terminal import lines
from tests.reporting.documents import able, result_of, sample


def table(text: str, title: str) -> list[list[str]]:
    """The cells of the Markdown table under a title."""
    found = text.partition(f"## {title}\n")[2].partition("\n##")[0]
    rows = [line.strip("|").split("|") for line in found.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_the_matrix_has_a_row_for_each_capability_and_a_column_for_each_kind():
    assert table(markdown(typed.read(Document, able())), "Capabilities") == [
        ["ambiguity", "0.310 [0.250, 0.370], 1 of 1 test failed", "0.250, 0 of 1 test failed", "–"],
        ["robustness", "0.000 [−0.020, 0.020], 0 of 1 test failed", "–", "–"],
    ]


def test_every_test_stands_below_it_with_its_verdict():
    rows = table(markdown(typed.read(Document, able())), "Tests of capabilities")
    assert [(row[1], row[3], row[4].partition(" ")[0]) for row in rows] == [
        ("firm that is also a &lt;town>", "200/471", "0.310"),
        ("other names", "4/4", "0.250"),
        ("spelling", "200/471", "0.000"),
    ]
    assert ["fail" in rows[0][-1], "pass" in rows[1][-1], "measured" in rows[2][-1]] == [True] * 3


def test_three_fillings_that_broke_are_shown_of_each_test():
    text = markdown(typed.read(Document, able())).partition("Tests of capabilities")[2]
    assert text.count("missed \\[Gramado ORG]") + text.count("missed [Gramado ORG]") == 2
    assert "Belém ORG" not in text


def test_the_page_has_the_matrix_and_escapes_what_stands_in_it():
    page = summary(typed.read(Document, able()))
    assert "Capabilities" in page
    assert "<town>" not in page
    assert "<Natal>" not in page
    assert page.index("Capabilities") < page.index("Measured on")


def test_a_case_shows_its_templates_with_their_rates():
    document = able()
    found = detail(
        typed.read(Result, result_of(document, "capability")),
        [typed.read(Result, each) for each in []],
        typed.read(Document, document),
    )
    assert "A [{town} ORG] apelou ." in found
    assert "Em [{town} &lt;LOC&gt;] ." in found
    assert "71/71" in found


def test_latex_and_the_terminal_have_them_too():
    assert "ambiguity" in latex(typed.read(Document, able()))
    assert any("ner/capability[firm]" in line for line, _ in lines(typed.read(Document, able())))


def test_the_terminal_and_the_page_say_whether_the_rate_is_of_fillings_drawn_or_of_all():
    document = able()
    drawn, every = (
        next(each for each in document["results"] if each["id"] == f"ner/capability[{name}]")
        for name in ("firm", "names")
    )
    for own, extent in ((drawn, "of 200 fillings drawn from 471"), (every, "of all 4 fillings")):
        assert any(own["id"] in line and extent in line for line, _ in lines(typed.read(Document, document), full=True))
    pages = [
        detail(typed.read(Result, own), [typed.read(Result, each) for each in []], typed.read(Document, document))
        for own in (drawn, every)
    ]
    assert ["200 fillings drawn from 471" in page for page in pages] == [True, False]
    assert ["drawn fillings" in page for page in pages] == [True, False]
    assert ["all possible fillings" in page for page in pages] == [False, True]


def test_json_has_the_worst_failure_rate_of_each_cell():
    assert [
        (each["capability"], each["kind"], each["tests"], each["failed"])
        for each in overview([typed.read(Result, each) for each in able()["results"]])
    ] == [
        ("ambiguity", "minimum functionality", 1, 1),
        ("ambiguity", "invariance", 1, 0),
        ("robustness", "minimum functionality", 1, 0),
    ]
    assert overview([typed.read(Result, each) for each in able()["results"]])[1]["worst"] == {
        "id": "ner/capability[names]",
        "failure_rate": {"value": 0.25, "low": 0.25, "high": 0.25},
    }


def test_a_run_without_capabilities_says_nothing_of_them():
    assert overview([typed.read(Result, each) for each in sample()["results"]]) == []
    assert "apabilit" not in markdown(typed.read(Document, sample()))
