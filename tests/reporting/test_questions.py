"""Multiple-choice questions in the reports, with a question that means something to HTML, Markdown and terminals."""

import json
from copy import deepcopy

import pytest

from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.results import scenario
from abalo.core.records import json_records as typed
from abalo.reporting.documents.finding import worst_group
from abalo.reporting.documents.stored import as_stored
from abalo.reporting.formats.html import detail, summary
from abalo.reporting.formats.markdown import markdown
from abalo.reporting.formats.pytest_columns import row_cells
from abalo.reporting.formats.report_page import report_page
from abalo.reporting.formats.terminal import lines
from tests.reporting.documents import judgement, questioned, result_of, sample
from tests.reporting.shown import in_full
from tests.reporting.test_report_page import data_of
from tests.reports import misfits
from tests.texts import TextWith

NAME = "perturbation_stability"


@pytest.fixture(scope="module")
def document():
    return questioned()


@pytest.fixture(scope="module")
def stability(document):
    return next(result for result in document["results"] if result["name"] == NAME)


def test_ambiguous_options_are_noted_before_anything_is_made_of_the_answers(document):
    assert "60 questions have ambiguous options: q0 (duplicate); q1 (duplicate);" in markdown(
        typed.read(Document, document)
    )
    assert "and 50 more" in summary(typed.read(Document, document))


def test_bounds_measured_on_another_model_are_noticed(document):
    page = markdown(typed.read(Document, document))
    assert page.splitlines()[2] == TextWith("> **The bounds on", "the baseline")


def test_the_page_shows_measures_variants_and_what_changed_with_text_escaped(document, stability):
    page = summary(typed.read(Document, document)) + detail(
        typed.read(Result, stability), [typed.read(Result, each) for each in []], typed.read(Document, document)
    )
    assert "Answers to questions" in page
    assert "0.500 [0.368, 0.632]" in page
    assert "q0, two options swapped: A (&lt;i&gt;a&lt;/i&gt;) → D (c), right is A (&lt;i&gt;a&lt;/i&gt;)" in page
    assert "&lt;b&gt;_bold_&lt;/b&gt;" in page
    assert "<b>_bold_" not in page
    assert "<i>a</i>" not in page
    assert "\u202e" not in page
    assert "Worst examples" not in page
    assert "Fragility with 95 % interval" in page


def test_the_chart_and_the_table_of_cases_show_the_number_that_the_bound_is_about():
    document = questioned()
    found = next(result for result in document["results"] if result["name"] == NAME)
    found["metrics"]["consistency_at_k"] = {"value": 0.125, "low": 0.058, "high": 0.225, "n": 60}
    found["judgements"] = [judgement("min_consistency_at_k", 0.9, 0.125, "fail")]
    page = report_page(typed.read(Document, document))
    drops = page.partition('<section id="drops"')[2].partition("</section>")[0]
    assert "<h3>Consistency with 95 % interval</h3>" in drops
    assert "consistency 0.125 [0.058, 0.225], bound 0.900" in drops
    assert "ragility" not in drops
    (row,) = (each for each in data_of(page)["cases"] if each["id"] == found["id"])
    assert (row["metric"], row["number"], row["margin"]) == ("consistency", [0.125, 0.058, 0.225], -0.775)


def test_the_tables_in_full_have_one_of_their_own(document):
    page = in_full(document)
    assert "## Answers to questions" in page
    assert "## Scenarios" not in page
    assert "| `pert:order_rev` | 60 |" in page
    assert (
        "- **q0, two options swapped: A (&lt;i>a&lt;/i>) → D (c), right is A (&lt;i>a&lt;/i>)**: Which of the" in page
    )
    assert "- 100 more answers in robustness.json" in page


def test_the_test_of_each_variant_leads_and_that_against_the_majority_is_called_biased(document):
    page = in_full(document)
    assert "| McNemar p | Original against majority |" in page
    assert "| < 0.001 (20 lost, 0 gained), two options swapped | < 0.001 (20 lost, 0 gained), biased |" in page
    assert page == TextWith("- McNemar p: the smallest p", "corrected for")
    assert page == TextWith("two or more", "it is biased")
    assert "1.000 (0 lost, 0 gained)" in page


def test_the_worst_variant_is_named_in_words(stability):
    found = typed.read(Result, stability)
    assert worst_group(found).startswith("options reversed: 1.000 ")
    assert scenario(found) == "Perturbation stability (up to 5 variants)"


def test_answers_are_shown_by_place_beside_the_right_ones(document, stability):
    page = in_full(document)
    assert "Answers by place" in page
    assert "| A | 1.000 | 0.111 |" in page
    assert "Answers by place" in detail(
        typed.read(Result, stability), [typed.read(Result, each) for each in []], typed.read(Document, document)
    )


def test_questions_that_were_not_put_are_told(document):
    page = markdown(typed.read(Document, document))
    assert page == TextWith("refer to each", ": 2 with two options swapped.")
    assert "exclude_flagged" not in page


def test_the_terminal_says_it_in_a_line(document):
    shown = [line for line, _ in lines(typed.read(Document, document), full=True)]
    assert any("accuracy 0.333" in line and "of 60 questions" in line for line in shown)
    assert any("fragility 0.500 [0.368, 0.632]  of 240 variants of 60 questions" in line for line in shown)


def test_answers_that_changed_sort_by_themselves_in_the_table_of_results(stability):
    cells = row_cells(typed.read(Result, stability))
    drop = row_cells(typed.read(Result, result_of(sample(), "accents")))[1]
    assert drop.split("</span>")[0] < cells[1].split("</span>")[0]
    assert "fragility 0.500" in cells[1]


def test_without_text_no_question_and_no_option_is_left():
    document = questioned(with_text=False)
    everything = (
        json.dumps(document) + markdown(typed.read(Document, document)) + summary(typed.read(Document, document))
    )
    everything += "".join(
        detail(typed.read(Result, result), [typed.read(Result, each) for each in []], typed.read(Document, document))
        for result in document["results"]
    )
    assert "bold" not in everything
    assert "b|b" not in everything


def test_a_run_without_questions_has_nothing_of_them():
    assert "Answers" not in summary(typed.read(Document, sample()))
    assert "Answers" not in in_full(sample())


def test_the_report_says_how_many_questions_each_way_applied_to(document):
    page = in_full(document)
    assert "## Coverage by way" in page
    rows = [line.split(" | ")[1:] for line in page.split("## Coverage by way")[1].splitlines() if "order:" in line]
    assert rows == [["order:swap", "58", "97 % |"], ["order:reverse", "60", "100 % |"]]


def test_an_answer_that_changed_is_shown_with_all_options_and_the_reply_as_text(document):
    found = deepcopy(document)
    for result in found["results"]:
        for flip in result["questions"]["flips"]:
            flip["reply"] = "ANSWER: <b>none</b> of them"
    page = "".join(
        detail(typed.read(Result, result), [typed.read(Result, each) for each in []], typed.read(Document, found))
        for result in found["results"]
        if result["name"] == NAME
    )
    assert "Reply: ANSWER: &lt;b&gt;none&lt;/b&gt; of them" in page
    assert "Options: A (&lt;i&gt;a&lt;/i&gt;); B (" in page
    assert not [each for each in misfits(as_stored(found)) if "flips" in each]


def test_where_text_is_withheld_there_are_neither_options_nor_replies():
    found = questioned(with_text=False)
    page = "".join(
        detail(typed.read(Result, result), [typed.read(Result, each) for each in []], typed.read(Document, found))
        for result in found["results"]
        if result["name"] == NAME
    )
    assert "two options swapped: A → D" in page
    assert "Options:" not in page
    assert "Reply:" not in page


@pytest.mark.parametrize(("share", "noticed"), [(0.02, False), (0.031, True)])
def test_more_than_a_few_questions_without_an_answer_are_a_notice(document, share, noticed):
    found = deepcopy(document)
    found["tasks"]["choice"]["model"] |= {"unanswered": share, "asked": 60}
    said = [
        line
        for line in markdown(typed.read(Document, found)).splitlines()
        if line.startswith("> ") and "no valid answer" in line
    ]
    assert bool(said) is noticed
    assert not noticed or "2 of 60 questions (3.1 %)" in said[0]


def test_variants_without_an_answer_are_a_notice_of_their_own(document):
    found = deepcopy(document)
    (result,) = (each for each in found["results"] if each["task"] == "choice" and each["questions"]["variants"][1:])
    rows = [{**row, "answers": 10} for row in result["questions"]["variants"]]
    result["questions"] |= {"variants": rows, "missing": 3}
    said = [
        line
        for line in markdown(typed.read(Document, found)).splitlines()
        if line.startswith("> ") and "named no option" in line
    ]
    assert len(said) == 1
    assert f"3 of {10 * len(rows)} answers" in said[0]
