"""Slices and requirements in the reports."""

from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.records import json_records as typed
from abalo.reporting.formats.html import detail, summary
from abalo.reporting.formats.markdown import markdown
from abalo.reporting.formats.pytest_columns import row_cells
from abalo.reporting.formats.terminal import lines
from tests.reporting.documents import filtered, result_of, sample, sliced
from tests.reporting.shown import in_full
from tests.texts import TextWith


def test_the_tables_in_full_have_one_of_slices():
    page = in_full(sliced())
    table = page.split("## Slices: parts of the corpus\n\n")[1].split("\n\n")[0].splitlines()
    assert table[0] == TextWith("| Slice | ", " | Sentences | F1 | ", " | Gap | Bound | Verdict on bound |")
    assert table[2] == (
        "| Slice: longest sentences | the &lt;longest> sentences, 20 %: at least 38 words | 22/110 | "
        "0.720 [0.690, 0.750] | 0.880 [0.850, 0.910] | 0.160 [0.130, 0.190] | F1 gap ≤ 0.100 | ✗ **fail** |"
    )
    assert table[3].startswith("| Slice: entities not ")
    assert table[3].endswith("| F1 gap ≤ 0.100 | ? undecided |")
    assert table[4].endswith("| – | – | – measured |")


def test_slices_without_bounds_have_no_verdicts():
    document = sliced()
    for each in document["results"]:
        each |= {"judgements": [], "bound": None, "verdict": None, "reason": None}
    table = in_full(document).split("## Slices: parts of the corpus\n\n")[1].split("\n\n")[0].splitlines()
    assert table[0].endswith("| Gap |")


def test_slices_are_no_scenarios_and_leave_the_sentence_about_nothing_changed_alone():
    page = in_full(sliced())
    scenarios = page.split("## Scenarios")[1].split("##")[0]
    assert "Slice" not in scenarios
    assert "changed no sentence" not in page


def test_what_is_undecided_says_what_would_settle_it():
    assert markdown(typed.read(Document, sliced())) == TextWith("about 50 distinct", "(22 here)")


def test_the_html_page_draws_every_gap_and_escapes():
    page = summary(typed.read(Document, sliced()))
    part = page.split("Slices: parts of the corpus")[1].split("abalo-section")[0]
    assert part.count("<svg") == 3
    assert "gap 0.160 [0.130, 0.190]" in part
    assert "the &lt;longest&gt; sentences" in part
    assert "<longest>" not in page


def test_the_detail_of_a_slice_says_what_was_measured_and_nothing_of_drops():
    document = sliced()
    shown = detail(
        typed.read(Result, result_of(document, "slice")),
        [typed.read(Result, each) for each in []],
        typed.read(Document, document),
    )
    assert "The &lt;longest&gt; sentences, 20 %: at least 38 words. 50 sentences (22 distinct) in the slice" in shown
    assert "150 sentences (88 distinct) outside" in shown
    assert "Damage and confidence" not in shown
    assert "All views" not in shown
    assert "F1 gap" in shown


def test_the_terminal_has_a_line_for_each_slice():
    found = [line for line, _ in lines(typed.read(Document, sliced()), full=True) if "ner/slice" in line]
    assert len(found) == 3
    numbers = "F1 gap 0.160 [0.130, 0.190] F1 0.720 [0.690, 0.750]"
    told = " ".join(found[0].split())
    assert told.endswith(f"{numbers} of 22 distinct sentences against 88 allowed ≤ 0.100 FAIL")


def test_gaps_sort_among_themselves_behind_every_other_number():
    document = sliced()
    cells = [
        row_cells(typed.read(Result, each))[1].split("</span>")[0]
        for each in document["results"]
        if each["view"] == "projected"
    ]
    keys = dict(zip([each["id"] for each in document["results"] if each["view"] == "projected"], cells, strict=True))
    hard, few, _ = (key for name, key in keys.items() if "slice" in name)
    assert keys["ner/character_noise[rate-0.1]"] < hard < few


def test_a_run_without_slices_has_nothing_of_them():
    assert "Slices" not in summary(typed.read(Document, sample()))
    assert "Slices" not in in_full(sample())
    assert "filtered out" not in markdown(typed.read(Document, sample()))


def test_what_was_filtered_out_is_said_everywhere():
    document = filtered()
    page = in_full(document)
    line = "Synonyms (lexicon legal_pt, words changed ≤ 0.2): 20 of 200 variants "
    assert line.replace("_", r"\_") in page or line in page
    assert "180/200, 20 variants filtered out" in page
    assert line in summary(typed.read(Document, document))
    assert any("20 variants filtered out" in said for said, _ in lines(typed.read(Document, document), full=True))
    shown = detail(
        typed.read(Result, result_of(document, "synonyms")),
        [typed.read(Result, each) for each in []],
        typed.read(Document, document),
    )
    assert "20 more filtered out" in shown
    assert "<b>words_changed, maximum 0.2</b>: words &lt;changed&gt;" in shown


def test_what_chance_has_left_alone_is_told_apart_from_where_nothing_fits():
    document = sample()
    for entry in document["results"]:
        if entry["name"] == "synonyms":
            entry |= {"changed": 150, "variants": 450, "not_hit": 30, "nothing_fits": 20}
    assert "150/200" in in_full(document)
    shown = detail(
        typed.read(Result, result_of(document, "synonyms")),
        [typed.read(Result, each) for each in []],
        typed.read(Document, document),
    )
    assert shown == TextWith("150 changed, 450 changed variants, 30 left unchanged", ", 20 without")
