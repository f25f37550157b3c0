"""Promises about single edits in the reports."""

from abalo.reporting.columns import row_cells
from abalo.reporting.html import detail, summary
from abalo.reporting.terminal import lines
from tests.reporting.documents import PROMISE, promised, result_of, sample
from tests.reporting.shown import in_full

LOSS = "José Sá PESSOA is not found as it was (now B-PESSOA O), its labels from 0.91 to 0.41"
BEFORE, AFTER = "o [José Sá PESSOA] «<mora>» aqui", "o [José PESSOA] Sá «<moar>» aqui"


def test_the_terminal_shows_what_broke_a_promise_before_and_after():
    shown = [line for line, _ in lines(promised())]
    (place,) = [k for k, line in enumerate(shown) if line.startswith("ner/typo_outside")]
    assert "violations 23.0 [14.0, 32.0] ‰  of 1,000 edits" in shown[place]
    assert shown[place + 1 : place + 4] == [
        f"    {PROMISE['text']} But {LOSS}.",
        f"    before  {BEFORE}",
        f"    after   {AFTER}",
    ]
    assert shown[place + 4].startswith("ner/doubled_space")


def test_the_page_shows_the_promises_and_escapes_what_broke_them():
    page = summary(promised())
    assert "Promises about single edits" in page
    assert '<mark class="abalo-edited">&lt;moar&gt;</mark>' in page
    assert "<moar>" not in page
    assert "23.0 [14.0, 32.0] ‰" in page
    assert "256 edits" in page


def test_the_detail_of_a_promise_has_its_counterexample_and_nothing_of_f1():
    document = promised()
    shown = detail(result_of(document, "typo_outside", "structural"), [], document)
    assert "But José Sá PESSOA is not found as it was (now B-PESSOA O)" in shown
    assert "Damage and confidence" not in shown
    assert "is not found as it was" not in detail(result_of(document, "accents"), [], document)


def test_the_tables_in_full_have_both():
    page = in_full(promised())
    assert "## Promises about single edits" in page
    assert "| One typo outside every entity should change no entity. | 23.0 [14.0, 32.0] ‰ |" in page
    assert "moar" in page
    assert "<moar>" not in page


def test_a_run_without_promises_has_nothing_of_them():
    assert "Promises" not in summary(sample())
    assert "Promises" not in in_full(sample())


def test_promises_sort_by_themselves_in_the_table_of_results():
    document = promised()
    often, never = (row_cells(result_of(document, name, "structural"))[1] for name in ("typo_outside", "doubled_space"))
    drop = row_cells(result_of(document, "accents"))[1]
    assert drop.split("</span>")[0] < never.split("</span>")[0] < often.split("</span>")[0]
