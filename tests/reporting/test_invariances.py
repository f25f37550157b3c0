"""Invariances under single edits in the reports."""

from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.records import json_records as typed
from abalo.reporting.formats.html import detail, summary
from abalo.reporting.formats.pytest_columns import row_cells
from abalo.reporting.formats.terminal import lines
from tests.reporting.documents import INVARIANCE, invariant, result_of, sample
from tests.reporting.shown import in_full
from tests.texts import TextWith

LOSS = "São_Paulo (LOCAL) is no longer found exactly (labels now O; confidence in the old labels 0.91 → 0.41)"
(TYPO,) = INVARIANCE["counterexample"]["edits"][0]["tokens"]
NAME = "[<script>alert(1)</script> PESSOA]"
BEFORE = f"A {NAME} recorre | da decisão «de» [São_Paulo LOCAL] & pede *vista* ."
AFTER = f"A {NAME} recorre | da decisão «{TYPO}» São_Paulo & pede *vista* ."


def test_the_terminal_shows_what_broke_an_invariance_before_and_after():
    shown = [line for line, _ in lines(typed.read(Document, invariant()), full=True)]
    (place,) = [k for k, line in enumerate(shown) if line.startswith("ner/typo_outside")]
    assert "violations 23.0 [14.0, 32.0] of 1,000 edits  1,000 edits tried" in shown[place]
    assert shown[place + 1 : place + 4] == [
        f"    {INVARIANCE['text']} But {LOSS}.",
        f"    original  {BEFORE}",
        f"    perturbed {AFTER}",
    ]
    assert shown[place + 4].startswith("ner/doubled_space")


def test_the_page_shows_the_invariances_and_escapes_what_broke_them():
    page = summary(typed.read(Document, invariant()))
    assert "Invariances under single" in page
    assert f'<mark class="abalo-edited">{TYPO}</mark>' in page
    assert "&lt;script&gt;alert" in page
    assert "<script>" not in page
    assert "23.0 [14.0, 32.0] of 1,000 edits" in page
    assert "256 edits" in page


def test_the_detail_of_an_invariance_has_its_counterexample_and_nothing_of_f1():
    document = invariant()
    shown = detail(
        typed.read(Result, result_of(document, "typo_outside", "structural")),
        [typed.read(Result, each) for each in []],
        typed.read(Document, document),
    )
    assert shown == TextWith("But São_Paulo (LOCAL) ", "no longer found", " (labels now O")
    assert "Damage and confidence" not in shown
    assert "no longer found" not in detail(
        typed.read(Result, result_of(document, "accents")),
        [typed.read(Result, each) for each in []],
        typed.read(Document, document),
    )


def test_the_tables_in_full_have_both():
    page = in_full(invariant())
    assert "## Invariances" in page
    assert page == TextWith("| One typo outside", " | 23.0 [14.0, 32.0] of 1,000 edits |")
    assert f"«{TYPO}»" in page
    assert "<script>" not in page


def test_a_run_without_invariances_has_nothing_of_them():
    assert "Invariances" not in summary(typed.read(Document, sample()))
    assert "Invariances" not in in_full(sample())


def test_invariances_sort_by_themselves_in_the_table_of_results():
    document = invariant()
    often, never = (
        row_cells(typed.read(Result, result_of(document, name, "structural")))[1]
        for name in ("typo_outside", "doubled_space")
    )
    drop = row_cells(typed.read(Result, result_of(document, "accents")))[1]
    assert drop.split("</span>")[0] < never.split("</span>")[0] < often.split("</span>")[0]
