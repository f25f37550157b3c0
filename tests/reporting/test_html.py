import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import pytest_html
from hypothesis import given, settings
from hypothesis import strategies as st

from abalo.core.documents.blocks import Item, Text
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.results import cases, siblings
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.reporting.formats.assets import asset
from abalo.reporting.formats.html import STYLE, detail, fold_log, opening, render, sections, summary
from abalo.reporting.formats.pytest_columns import header_cells, row_cells, status_cell, status_filter
from tests.reporting.documents import attacked, both, example, interrupted, result_of, sample, searched, without_text
from tests.reporting.shown import Page


def details(document: dict[str, Any]) -> list[str]:
    return [
        detail(
            typed.read(Result, result),
            siblings(typed.read(Result, result), typed.read(Document, document)),
            typed.read(Document, document),
        )
        for result in typed.as_json(cases(typed.read(Document, document)))
    ]


def detail_of(name: str, document: dict[str, Any] | None = None) -> str:
    document = document or sample()
    result = result_of(document, name)
    return detail(
        typed.read(Result, result),
        siblings(typed.read(Result, result), typed.read(Document, document)),
        typed.read(Document, document),
    )


def examples_of(*shown: dict[str, Any]) -> str:
    document = sample()
    result_of(document, "word_insertion")["examples"] = list(shown)
    return detail_of("word_insertion", document)


def test_the_summary_begins_with_the_verdict():
    page = Page(summary(typed.read(Document, sample())))
    assert page.text.startswith("✗ FAIL character_noise[rate-0.1] fails, 1 undecided Named-entity recognition: ")


def test_a_notice_stands_below_the_verdict():
    page = Page(summary(typed.read(Document, sample() | {"notice": "Bounds of another model."})))
    assert page.text.startswith("✗ FAIL character_noise[rate-0.1] fails, 1 undecided Note. Bounds of another model. ")


def test_an_incomplete_run_says_so_and_names_what_is_missing():
    text = Page(summary(typed.read(Document, interrupted()))).text
    assert text.startswith("! INCOMPLETE 2 collected cases ")
    assert "error ner/accents: the model gave 3 rows for 4 tokens <b>" in text
    assert "no result ner/baseline" in text


def test_of_a_traceback_only_what_pytest_marks_as_the_error_is_shown():
    message = (
        "self = <Case>\n\n    def f():\n>       raise X\nE       abalo.errors.AbaloError: 3 rows\n\na.py:1: AbaloError"
    )
    document = interrupted() | {"errors": [{"id": "ner/accents", "message": message}]}
    assert "ner/accents: abalo.errors.AbaloError: 3 rows" in Page(summary(typed.read(Document, document))).text
    assert "raise X" not in summary(typed.read(Document, document))


def test_what_broke_is_named_with_its_numbers():
    text = Page(summary(typed.read(Document, sample()))).text
    assert "✗ fail Character noise: F1 drop 0.214 [0.184, 0.244], allowed ≤ 0.150; p < 0.001" in text


def test_many_problems_are_cut_to_a_count():
    document = sample() | {"missing": [f"ner/{k}" for k in range(100)]}
    assert "62 more lines in robustness.json" in summary(typed.read(Document, document))


def test_the_chart_has_a_bar_an_interval_and_a_bound_for_every_perturbation():
    chart = re.search(r'<svg class="abalo-chart".*?</svg>', summary(typed.read(Document, sample())))[0]
    assert chart.count('class="abalo-bar"') == chart.count('class="abalo-whisker"') == 5
    assert chart.count('class="abalo-limit"') == 5
    assert "Baseline" not in chart


def test_the_chart_can_be_read_aloud():
    chart = re.search(r'<svg class="abalo-chart".*?</svg>', summary(typed.read(Document, sample())))[0]
    assert 'role="img"' in chart
    assert "<title>F1 drop with 95 % interval</title>" in chart
    assert "Token masking: F1 drop 0.136 [0.126, 0.146], bound 0.120, undecided" in chart


def test_the_chart_keeps_what_failed_when_there_are_too_many_cases():
    document = sample()
    easy = result_of(document, "accents")
    document["results"] = [
        *(easy | {"id": f"ner/{k}", "name": f"a{k}"} for k in range(90)),
        result_of(document, "character_noise"),
    ]
    page = summary(typed.read(Document, document))
    assert "Character noise" in re.search(r'<svg class="abalo-chart".*?</svg>', page)[0]
    assert "51 more cases" in page


def test_a_drop_without_a_meaning_has_no_bar():
    document = sample()
    result_of(document, "accents")["metrics"]["f1_drop_changed"] = None
    chart = re.search(r'<svg class="abalo-chart".*?</svg>', summary(typed.read(Document, document)))[0]
    assert chart.count('class="abalo-bar"') == 4
    assert "Accents: F1 drop –, bound 0.100, pass" in chart


def test_the_detail_judges_first_and_has_the_command_before_all_numbers():
    text = Page(detail_of("character_noise")).text
    assert text.startswith("Character noise ✗ fail F1 drop 0.214 [0.184, 0.244], allowed ≤ 0.150; p < 0.001")
    node = "tests_behavioral/ner/test_character_noise.py::test_f1[rate-0.1]"
    assert f"Run it again pytest '{node}' --abalo-model ./my-checkpoint Bounds" in text


def test_an_undecided_bound_says_what_would_settle_it():
    text = Page(detail_of("token_masking")).text
    assert "? undecided (fail before correction) not significant after correction for 7 bounds" in text
    assert "about 840 distinct changed sentences would settle it (110 here)" in text


def test_the_baseline_has_no_drop_and_no_examples():
    text = Page(detail_of("baseline")).text
    assert "F1 ≥ 0.800" in text
    assert "drop" not in text
    assert "Worst examples" not in text


def test_the_views_are_compared_where_they_differ_and_named_where_they_do_not():
    text = Page(detail_of("word_insertion")).text
    assert "padded 0.790 [0.760, 0.820] 0.813 [0.783, 0.843] 0.102 [0.072, 0.132] 0.764 [0.734, 0.794] position" in text
    assert "projected (bound) 0.790" in text
    assert "All views (projected, structural, padded) give the same F1." in detail_of("accents")


def test_a_case_without_bound_says_so():
    document = sample()
    result_of(document, "accents").update(bound=None, verdict=None, judgements=[], m=None, p=None)
    text = Page(detail_of("accents", document)).text
    assert text.startswith("Accents – measured Measured, not judged: ")


def test_an_entity_found_exactly_wears_one_label():
    gold, new = "[Ann Smith PER] left", "[Ann Smyth PER] left"
    same = example(gold, gold, new, new, [[0], [1], [2]])
    page = examples_of(same)
    new = page.split("perturbed</b>")[1]
    assert "abalo-gold abalo-found" in new
    assert '<mark class="abalo-edited" title="was: Smith">Smyth</mark><span class="abalo-chip">PER</span>' in new
    assert "abalo-predicted" not in new


def test_an_entity_that_was_found_and_is_no_longer_is_lost():
    page = examples_of(
        example("[Ann PER] left", "[Ann PER] left", "[Anm PER] left", "Anm left", [[0], [1]]),
    )
    assert Page(page).text.count("✗ lost PER") == 1


def test_an_entity_that_was_never_found_is_missed_not_lost():
    page = examples_of(example("[Ann PER] left", "Ann left", "[Ann PER] ran", "Ann ran", [[0], [1]]))
    text = Page(page).text
    assert "– missed PER" in text
    assert "✗ lost PER" not in text


def test_a_prediction_that_crosses_the_end_of_an_entity_has_two_parts_and_one_label():
    page = examples_of(
        example("[Ann Lee PER] left", "[Ann Lee PER] left", "[Ann Lee PER] ran", "Ann [Lee ran LOC]", [[0], [1], [2]])
    )
    new = page.split("perturbed</b>")[1]
    assert new.count('class="abalo-predicted') == 2
    assert new.count("+ LOC") == 1


def test_inserted_and_removed_words_are_marked_with_more_than_a_colour():
    page = examples_of(
        example("[Ann PER] left home", "[Ann PER] left home", "[Ann xx PER] left", "[Ann xx PER] left", [[0], [], [1]])
    )
    assert '<mark class="abalo-edited" title="inserted">xx</mark>' in page
    assert '<del class="abalo-removed" title="removed">home</del>' in page


def test_more_than_three_examples_unfold():
    one = example("[Ann PER] left", "[Ann PER] left", "[Anm PER] left", "Anm left", [[0], [1]])
    assert "<summary>7 more examples</summary>" in examples_of(*[one] * 10)
    assert "<details>" not in examples_of(*[one] * 3)


def test_without_text_the_pages_hold_no_word_of_the_corpus():
    document = without_text()
    pages = summary(typed.read(Document, document)) + "".join(details(document))
    assert "Fachin" not in pages
    assert "with --abalo-no-text" in pages
    assert "Fachin" in "".join(details(sample()))


def test_the_detail_needs_only_the_facts_of_the_document():
    document = sample()
    facts = {key: document[key] for key in ("gate", "tasks")}
    result = result_of(document, "word_insertion")
    others = typed.as_json(siblings(typed.read(Result, result), typed.read(Document, document)))
    assert detail(
        typed.read(Result, result), [typed.read(Result, each) for each in others], typed.read(Document, facts)
    ) == detail(
        typed.read(Result, result), [typed.read(Result, each) for each in others], typed.read(Document, document)
    )
    assert "Worst examples" in detail(
        typed.read(Result, result), [typed.read(Result, each) for each in others], typed.read(Document, {})
    )


def test_corpus_text_cannot_become_markup():
    pages = "".join(details(sample())) + summary(typed.read(Document, sample()))
    assert "<script" not in pages
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in pages


@pytest.mark.slow
@settings(max_examples=50)
@given(st.text(st.characters(exclude_categories=()), min_size=1).filter(lambda text: text.strip()))
def test_whatever_the_names_and_words_are_the_pages_nest_and_can_be_written(name: str):
    document = sample()
    document |= {"notice": name, "device": name, "missing": [name], "errors": [{"id": name, "message": name}]}
    document["model"]["name"] = document["corpus"]["name"] = name
    result = result_of(document, "word_insertion")
    result["command"] = result["judgements"][0]["reason"] = result["judgements"][0]["type"] = name
    result["params"] = {name: [name]}
    result["per_type"] = {name: result["per_type"]["PESSOA"]}
    tag = f"B-{name}"
    result["examples"] = [
        example("a b", "a b", "a b", "a b", [[0], [1]])
        | {
            "tokens": [name, name],
            "new_tokens": [name, name],
            "gold": [tag, "O"],
            "new_gold": ["O", tag],
            "edited": [0],
        }
    ]
    pages = [
        summary(typed.read(Document, document)),
        detail(
            typed.read(Result, result),
            siblings(typed.read(Result, result), typed.read(Document, document)),
            typed.read(Document, document),
        ),
        *row_cells(typed.read(Result, result)),
    ]
    for page in pages:
        page.encode("utf-8")
        assert "\n" not in page
        tags = set(Page(page).tags)
        assert "script" not in tags
        assert "img" not in tags


def test_nothing_comes_from_elsewhere_and_nothing_runs():
    for page in (STYLE, summary(typed.read(Document, sample())), *details(sample())):
        assert not re.search(r"https?:|src=|href=|@import|url\((?!#abalo-)|javascript:|\son\w+=", page)


def test_classes_and_ids_are_our_own_ascii_and_ids_unique():
    attributes = Page(summary(typed.read(Document, sample()))).attributes
    ids = [value for name, value in attributes if name == "id"]
    assert len(ids) == len(set(ids))
    names = ids + [name for kind, value in attributes if kind == "class" for name in value.split()]
    assert all(re.fullmatch(r"abalo-[a-z0-9-]+", name) for name in names)


def test_the_same_document_gives_the_same_page():
    assert summary(typed.read(Document, sample())) == summary(typed.read(Document, sample()))
    assert details(sample()) == details(sample())


def test_a_case_stays_small_enough_for_a_page_of_hundreds():
    assert max(map(len, details(sample()))) < 20_000


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb. [WCAG 2.2, "relative luminance"]"""
    parts = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(
    ("theme", "sheets"),
    [
        ("light", ("blocks.css", "pytest_html.css")),
        ("light", ("blocks.css", "page.css")),
        ("dark", ("blocks.css", "page.css")),
    ],
)
def test_every_text_stands_out_from_its_ground_by_at_least_four_and_a_half_to_one(theme, sheets):
    style = "".join(asset(name) for name in sheets)
    variables = dict(re.findall(r"(--[\w-]+): (light-dark\([^;]+\));", style))

    def seen(colour: str) -> str:
        """A colour as it is under the theme."""
        found = variables.get(colour.removeprefix("var(").removesuffix(")"), colour)
        both = re.fullmatch(r"light-dark\((#\w{6}), (#\w{6})\)", found)
        return both[1 + (theme == "dark")] if both else found

    checked = 0
    for rule in re.findall(r"\{([^{}]*)\}", style):
        text = re.search(r"(?<![-\w])color: ([^;]+);", rule)
        ground = re.search(r"background: ((?:#|var|light-dark)[^;]+);", rule)
        if text is None or text[1] == "inherit":
            continue
        paper = seen(ground[1]) if ground else seen("var(--abalo-paper)")
        light, dark = sorted((luminance(seen(text[1])), luminance(paper)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, rule
        checked += 1
    assert checked > 20


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_on_a_heat_map_can_be_read_where_it_is_in_full_colour(theme):
    variables = dict(re.findall(r"(--[\w-]+): light-dark\(([^;]+)\);", asset("blocks.css")))
    ink, *grounds = (
        variables[f"--abalo-{name}"].split(", ")[theme == "dark"] for name in ("ink", "loss", "gain", "paper")
    )
    for ground in grounds:
        light, dark = sorted((luminance(ink), luminance(ground)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, ground


def test_every_class_of_the_style_belongs_to_us_or_to_pytest_html():
    style = re.sub(r"/\*.*?\*/|\{[^{}]*\}", " ", STYLE)
    theirs = "".join(
        each.read_text("utf-8") for each in Path(pytest_html.__file__).parent.joinpath("resources").iterdir()
    )
    theirs += Path(pytest_html.__file__).with_name("basereport.py").read_text("utf-8")
    ours = ("abalo-", "col-abalo_")
    guests = {name for name in re.findall(r"\.([a-z][\w-]*)", style) if not name.startswith(ours)}
    assert {name for name in guests if not re.search(rf"\b{name}\b", theirs)} == set()
    assert guests > {"extra", "logwrapper", "log", "filters", "collapse", "col-result", "skipped", "xfailed"}


def test_colours_of_pytest_html_do_not_reach_into_our_parts():
    (rule,) = re.findall(r"^.*\.skipped \*.*$", STYLE, re.MULTILINE)
    assert ":not(.abalo-report *) {" in rule


def test_on_paper_every_case_is_open_and_figures_can_shrink_to_the_page():
    print_rules = STYLE.partition("@media print {")[2]
    assert ".extras-row.hidden { display: table-row; }" in print_rules
    assert "details::details-content { content-visibility: visible;" in print_rules
    assert "print-color-adjust: exact" in print_rules
    for document in (attacked(), searched()):
        figures = re.findall(r"<svg [^>]*>", summary(typed.read(Document, document)) + "".join(details(document)))
        assert len(figures) > 3
        assert [figure for figure in figures if "viewBox=" not in figure] == []


def test_the_columns_have_a_cell_for_each_heading():
    document = sample()
    assert (
        len(header_cells())
        == len(row_cells(None))
        == len(row_cells(typed.read(Result, result_of(document, "accents"))))
        == 4
    )


def test_cells_and_headings_have_the_names_by_which_pytest_html_sorts():
    headings = [re.search(r'data-column-type="(\w+)"', cell)[1] for cell in header_cells()]
    cells = [re.search(r"col-(\w+)", cell)[1] for cell in row_cells(None)]
    assert headings == cells
    assert all("sortable" in cell for cell in header_cells())


def sort_key(cell: str) -> str:
    """The key by which pytest-html 4.2 sorts: all text of the cell."""
    return re.search(r"<td.*?>(.*?)</td>", cell)[1]


def test_columns_sort_as_their_numbers_do_and_what_has_none_comes_last():
    document = sample()
    result = result_of(document, "accents")
    keys = []
    for value in (-0.3, -0.05, 0.0, 0.009, 0.2, 1.0):
        result["metrics"]["f1_drop_changed"] = {"value": value, "low": value, "high": value, "n": 110}
        keys.append(sort_key(row_cells(typed.read(Result, result))[1]))
    result["metrics"]["f1_drop_changed"] = None
    keys += [sort_key(row_cells(typed.read(Result, result))[1])]
    assert all(before < after for before, after in pairwise(keys))


def test_the_verdict_column_sorts_failures_first():
    document = sample()
    names = ("character_noise", "token_masking", "accents")
    keys = [sort_key(row_cells(typed.read(Result, result_of(document, name)))[3]) for name in names]
    assert keys == sorted(keys)


@pytest.mark.parametrize(
    ("status", "shown"),
    [("measured", "Measured"), ("undecided", "Undecided"), ("fail, not blocking", "Fail, not blocking")],
)
def test_a_status_of_our_own_leaves_pytest_html_a_word_that_it_filters_by(status: str, shown: str):
    cell = status_cell(status)
    assert sort_key(cell) == "Rerun"
    assert f'data-abalo="{shown}"' in cell
    name, style = status_filter(status)
    assert f'[data-abalo="{shown}"]' in style
    assert f'[data-test-result="{name}"]' in style


def test_of_several_tasks_each_has_its_own_headings_that_with_most_cases_first():
    text = Page(summary(typed.read(Document, both()))).text
    titles = [f"{task.title}: " for task in (tasks()["ner"], tasks()["choice"])]
    assert text.index(f"{titles[0]}F1 drop with") < text.index(f"{titles[1]}Fragility with")
    for title in titles:
        for fact in ("Model", "Corpus", "Baseline"):
            assert f"{title}{fact}" in text
    assert titles[0] not in Page(sections(typed.read(Document, sample()))).text


def test_every_table_and_every_chart_scrolls_in_a_box_of_its_own():
    for document in (sample(), attacked(), searched(), both()):
        for fragment in (summary(typed.read(Document, document)), *details(document)):
            boxes = re.findall(r'<div class="abalo-scroll">(.*?)</div>', fragment)
            assert fragment.count("<table>") == sum(box.count("<table>") for box in boxes)
            assert fragment.count('<svg class="abalo-chart') == sum(
                box.count('<svg class="abalo-chart') for box in boxes
            )


def test_what_is_folded_is_closed_and_the_verdict_examples_and_command_are_not():
    fragment = detail_of("character_noise")
    assert "<details open" not in fragment
    standing = Page(re.sub(r"<details.*</details>", "", fragment)).text
    for said in ("✗ fail", "Worst entity type: ", "What to do: ", "Worst examples", "Run it again", "Per entity type"):
        assert said in standing
    assert "much was measured" not in standing
    assert "much was measured" in Page(fragment).text


def test_a_chart_is_drawn_for_wide_pages_and_for_phones():
    wide, narrow = re.findall(r'<svg class="abalo-chart.*?</svg>', summary(typed.read(Document, sample())))
    assert (re.search(r'width="(\d+)"', wide)[1], re.search(r'width="(\d+)"', narrow)[1]) == ("1040", "350")
    assert wide.count('class="abalo-bar"') == narrow.count('class="abalo-bar"') == 5
    assert ".abalo-narrow { display: none; }" in STYLE


def test_the_opening_says_what_was_judged_right_below_the_verdict():
    text = Page(opening(typed.read(Document, sample()))).text
    judged = "Named-entity recognition: ./checkpoints/<b>lener|v2</b> (b7d1c0ffee5a) · on lener-br/dev.conll"
    assert text.partition("1 undecided ")[2].startswith(judged)


def test_many_lines_to_look_into_are_folded_after_the_first_and_failures_come_first():
    document = sample()
    unsure = result_of(document, "token_masking")
    document["results"][:0] = [unsure | {"id": f"ner/{k}", "name": f"masking_{k}"} for k in range(20)]
    page = opening(typed.read(Document, document))
    assert page.index("Character noise") < page.index("Masking 0")
    assert "<summary>10 more</summary>" in page  # of 22 lines, 12 stand


def test_the_log_of_pytest_is_folded_and_what_went_wrong_is_not():
    assert fold_log("E  broke", "It broke.") == (
        '<p class="abalo-error">It broke.</p><details class="abalo-log"><summary>Traceback and output of pytest'
        "</summary>E  broke</details>"
    )
    assert fold_log("log").startswith("<details")


def test_a_number_and_its_interval_are_never_parted():
    item = Item("F1 drop 0.043 [−0.011, 0.099], allowed 0.010", "Typos 0.1 [0.0, 0.2]")
    shown = render([Text((item, "of [2, 3]"), role="list")], "part")
    assert "0.043\u00a0[−0.011,\u00a00.099], allowed 0.010" in shown
    assert "0.1\u00a0[0.0,\u00a00.2]" in shown
    assert re.search(r"\[[^]]* ", shown) is None
