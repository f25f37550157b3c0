"""Multiple-choice questions in the reports, with a question that means something to HTML, Markdown and terminals."""

import json

import pytest

from abalo.reporting.columns import row_cells
from abalo.reporting.html import detail, summary
from abalo.reporting.markdown import markdown
from abalo.reporting.terminal import lines
from tests.reporting.documents import questioned, result_of, sample

NAME = "perturbation_stability"


@pytest.fixture(scope="module")
def document():
    return questioned()


@pytest.fixture(scope="module")
def stability(document):
    return next(result for result in document["results"] if result["perturbation"] == NAME)


def test_the_document_holds_what_was_worked_out_by_hand(document, stability):
    # Of four forms two move the options, so that the first is another: all 120 of those answers change.
    assert stability["metrics"]["fragility_score"]["value"] == 0.5
    assert stability["metrics"]["consistency_at_k"]["value"] == 0
    assert len(stability["questions"]["flips"]) == 120
    first = stability["questions"]["flips"][0]
    assert {name: first[name] for name in ("id", "variant", "before", "after", "target")} == {
        "id": "q0",
        "variant": "pert:order_swap",
        "before": 0,
        "after": 3,
        "target": 0,
    }
    flip_rates = {row["variant"]: row["flip_rate"] for row in stability["questions"]["variants"]}
    assert flip_rates["orig"] is None
    assert {name: rate["value"] for name, rate in flip_rates.items() if rate} == {
        "pert:order_rev": 1,
        "pert:order_swap": 1,
        "pert:preamble": 0,
        "pert:punct": 0,
    }
    assert document["verdict"] == "fail"
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_the_baseline_has_no_measure_that_compares(document):
    baseline = document["results"][0]["metrics"]
    assert baseline["accuracy"]["value"] == pytest.approx(1 / 3)
    assert [baseline[name] for name in ("consistency_at_k", "fragility_score", "delta_accuracy")] == [None] * 3


def test_ambiguous_options_are_noted_before_anything_is_made_of_the_answers(document):
    assert set(document["questions"]["flagged"]["q0"]) == {"duplicate"}
    assert "60 questions have ambiguous options: q0 (duplicate); q1 (duplicate);" in markdown(document)
    assert "and 50 more" in summary(document)


def test_bounds_measured_on_another_model_are_noticed(document):
    page = markdown(document)
    assert page.startswith("> **The bounds on answers were measured on the baseline that ships, not on this model")


def test_the_page_shows_measures_variants_and_what_changed_with_text_escaped(document, stability):
    page = summary(document) + detail(stability, [], document)
    assert "Multiple-choice questions" in page
    assert "0.500 [0.500, 0.500]" in page
    assert "q0, pert:order_swap: A (&lt;i&gt;a&lt;/i&gt;) → D (c), right is A (&lt;i&gt;a&lt;/i&gt;)" in page
    assert "&lt;b&gt;_bold_&lt;/b&gt;" in page
    assert "<b>_bold_" not in page
    assert "<i>a</i>" not in page
    assert "\u202e" not in page
    assert "Worst examples" not in page
    assert "Fragility: answers that change" in page


def test_the_page_for_a_pull_request_has_a_table_of_its_own(document):
    page = markdown(document)
    assert "## Multiple-choice questions" in page
    assert "## Scenarios" not in page
    assert "| `pert:order_rev` | 60 |" in page
    assert "- q0, pert:order_swap: A (&lt;i>a&lt;/i>) → D (c), right is A" in page
    assert "*100 more answers left out here; robustness.json has them.*" in page


def test_the_terminal_says_it_in_a_line(document):
    shown = [line for line, _ in lines(document)]
    assert any("accuracy 0.333" in line and "of 60 questions" in line for line in shown)
    assert any("fragility 0.500 [0.500, 0.500]  of 240 variants of 60 questions" in line for line in shown)


def test_answers_that_changed_sort_by_themselves_in_the_table_of_results(stability):
    cells = row_cells(stability)
    drop = row_cells(result_of(sample(), "accents"))[1]
    assert drop.split("</span>")[0] < cells[1].split("</span>")[0]
    assert "fragility 0.500" in cells[1]


def test_without_text_no_question_and_no_option_is_left():
    document = questioned(with_text=False)
    everything = json.dumps(document) + markdown(document) + summary(document)
    everything += "".join(detail(result, [], document) for result in document["results"])
    assert "bold" not in everything
    assert "b|b" not in everything


def test_a_run_without_questions_has_nothing_of_them():
    assert "Multiple-choice" not in summary(sample())
    assert "Multiple-choice" not in markdown(sample())
