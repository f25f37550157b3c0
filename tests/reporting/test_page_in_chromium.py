"""report.html in a browser: filters, sorting, folding, links, keys, both themes, phones, paper, size and speed."""

from pathlib import Path

import pytest

from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.reporting.drawing.lanes import anchor
from abalo.reporting.formats.report_page import SIZE_LIMIT, report_page
from tests.reporting.browser import Shown, chromium, of_extra_ui
from tests.reporting.documents import MISSPELT, able, both, invariant, many, sample, searched
from tests.reporting.test_report_page import compared

pytestmark = pytest.mark.slow

NAMES = ["Character noise", "Token masking", "Baseline", "Word insertion"]
"""The first cases of the sample in the order of what matters: the failed one, the undecided one, the others."""

MANY = 200


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, Path]:
    """Pages of several runs, by name."""
    folder, found = tmp_path_factory.mktemp("pages"), {}
    for maker in (sample, both, searched, able, invariant):
        found[maker.__name__] = folder / f"{maker.__name__}.html"
        found[maker.__name__].write_text(report_page(typed.read(Document, maker())), "utf-8")
    return found


@pytest.fixture
def show(browser, pages):
    """Opens a page, and asserts at the end that it said nothing on the console and asked for no other file."""
    opened = []

    def open_page(name: str = "sample", fragment: str = "", **window):
        opened.append(Shown(browser, pages[name], **window))
        if fragment:
            opened[-1].page.goto(f"{pages[name].as_uri()}#{fragment}")
        return opened[-1]

    yield open_page
    for each in opened:
        assert each.said == []
        assert {address.partition("#")[0] for address in each.asked} <= {path.as_uri() for path in pages.values()}
        each.window.close()


def test_cases_stand_in_the_order_of_what_matters(show):
    assert show().cases()[:4] == NAMES


def test_cases_are_filtered_by_verdict_text_task_and_type(show):
    shown = show("both")
    count = len(shown.cases())
    shown.page.select_option("#abalo-verdict", "fail")
    assert shown.cases() == ["Perturbation stability (up to 5 variants)", "Character noise"]
    shown.page.select_option("#abalo-task", "Multiple-choice questions")
    assert shown.cases() == ["Perturbation stability (up to 5 variants)"]
    assert shown.page.text_content("#abalo-count") == f"1 of {count} cases"
    shown.page.click("#abalo-filter button[type=reset]")
    shown.until(f"document.querySelectorAll('#abalo-cases > tbody:not([hidden])').length == {count}")
    shown.page.select_option("#abalo-type", "PESSOA")
    assert "Perturbation stability (up to 5 variants)" not in shown.cases()
    assert "Accents" in shown.cases()


def test_text_is_found_in_names_in_ids_and_in_sentences(show):
    shown = show()
    shown.page.fill("#abalo-text", "token_masking[rate")
    assert shown.page.text_content("tbody:not([hidden]) .abalo-id") == "ner/token_masking[rate-0.15]"
    shown.page.fill("#abalo-text", "masking")
    assert shown.cases() == ["Token masking"]
    shown.page.fill("#abalo-text", "edson fachin")  # a name in an example of word insertion alone
    assert shown.cases() == ["Word insertion"]
    shown.page.fill("#abalo-text", "no such words")
    assert shown.cases() == []


def test_bars_and_rows_of_the_heat_map_are_hidden_with_their_cases(show):
    shown = show()
    shown.page.fill("#abalo-text", "accents")
    visible = "all => all.filter(each => each.checkVisibility()).map(each => each.dataset.case)"
    for place in ("#drops li", "#types tbody tr"):
        assert shown.page.eval_on_selector_all(f"{place}[data-case]", visible) == [anchor("ner/accents")]


def test_a_type_has_its_own_numbers(show):
    shown = show()
    row = f"[id='{anchor('ner/accents')}'] .abalo-number"
    assert shown.page.text_content(row) == "F1 drop 0.043 [0.013, 0.073]"
    shown.page.select_option("#abalo-type", "PESSOA")
    assert shown.page.text_content(row) == "F1 drop 0.063 [0.013, 0.113]"
    assert shown.page.is_visible("#abalo-cases th:has-text('Measured on PESSOA')")


def test_columns_sort_as_numbers_do_and_say_so(show):
    shown = show()
    head = shown.page.locator("#abalo-cases thead th", has_text="Margin")
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert shown.cases() == [
        "Character noise",  # −0.064
        "Token masking",  # −0.016
        "Word insertion",  # 0.035
        "Accents",  # 0.057
        "Baseline",  # 0.066
        "Synonyms (lexicon legal_pt)",  # 0.079
    ]
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert shown.cases()[0] == "Synonyms (lexicon legal_pt)"
    assert shown.page.locator("#abalo-cases th[aria-sort=none]").count() == 3


def test_numbers_are_sorted_by_their_value_and_what_has_none_is_last(browser, tmp_path):
    document = sample()
    for result in document["results"]:
        if result["name"] == "accents":
            result["metrics"]["f1_drop_changed"] = {"value": -0.5, "low": -0.6, "high": -0.4, "n": 110}
        if result["name"] == "synonyms":
            result["metrics"]["f1_drop_changed"] = None
    path = tmp_path / "page.html"
    path.write_text(report_page(typed.read(Document, document)), "utf-8")
    shown = Shown(browser, path)
    shown.page.select_option("#abalo-sort", "number up")
    assert (shown.cases()[0], shown.cases()[-1]) == ("Accents", "Synonyms (lexicon legal_pt)")
    shown.page.select_option("#abalo-sort", "number down")
    assert (shown.cases()[0], shown.cases()[-1]) == ("Baseline", "Synonyms (lexicon legal_pt)")
    assert shown.said == []
    shown.window.close()


def test_a_case_opens_and_closes_by_mouse_and_by_keys(show):
    shown = show()
    toggle = shown.page.get_by_role("button", name="Character noise")
    assert toggle.get_attribute("aria-expanded") == "false"
    toggle.click()
    assert toggle.get_attribute("aria-expanded") == "true"
    body = shown.page.locator(f"[id='{anchor('ner/character_noise[rate-0.1]')}'] .abalo-body")
    assert "<script>alert(1)</script>" in body.text_content()
    assert body.locator("mark.abalo-edited").count() > 5
    assert body.locator("svg path").first.evaluate("each => each.namespaceURI") == "http://www.w3.org/2000/svg"
    toggle.press("Enter")
    assert not body.is_visible()
    toggle.press("Space")
    assert body.is_visible()


def test_a_link_to_a_case_opens_it_whatever_the_filter(show):
    case = anchor("ner/word_insertion[rate-0.1]")
    shown, row = show(fragment=case), f"[id='{case}']"
    shown.page.wait_for_selector(f"{row} .abalo-body")
    assert shown.page.get_attribute(f"{row} a.abalo-link", "href") == f"#{case}"
    shown.page.click("#abalo-close")
    shown.page.fill("#abalo-text", "masking")
    assert not shown.page.is_visible(row)
    shown.page.locator(f"#drops a[href='#{case}']").evaluate("each => each.click()")
    shown.page.wait_for_selector(f"{row} .abalo-body")


def test_a_slash_goes_to_the_filter_and_escape_clears_it(show):
    shown = show()
    shown.page.keyboard.press("/")
    assert shown.value("document.activeElement.id") == "abalo-text"
    shown.page.keyboard.type("masking/")
    assert shown.page.input_value("#abalo-text") == "masking/"
    shown.page.keyboard.press("Escape")
    shown.until("document.querySelectorAll('#abalo-cases > tbody:not([hidden])').length == 6")


def test_focus_can_be_seen(show):
    shown = show()
    shown.page.keyboard.press("Tab")
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert (shown.value("document.activeElement.tagName"), shown.value(outline)) == ("A", "solid")


def test_folds_are_drawn_when_they_are_opened(show):
    shown = show()
    fold = shown.page.locator("#rest details", has_text="Measured on")
    assert "lener-br/dev.conll" not in fold.text_content()
    fold.locator("summary").click()
    fold.locator("dl").wait_for()
    assert "lener-br/dev.conll" in fold.text_content()


def test_colours_follow_the_system_until_the_reader_says_otherwise(show):
    paper = "getComputedStyle(document.body).backgroundColor"
    light, dark = show(color_scheme="light"), show(color_scheme="dark")
    assert light.value(paper) == "rgb(255, 255, 255)"
    assert dark.value(paper) == "rgb(20, 24, 29)"
    assert dark.page.text_content("#abalo-theme") == "Light"
    dark.page.click("#abalo-theme")
    assert dark.value(paper) == "rgb(255, 255, 255)"
    dark.page.reload()
    assert dark.value(paper) == "rgb(255, 255, 255)"
    dark.page.emulate_media(media="print")
    assert dark.value(paper) == "rgb(255, 255, 255)"


@pytest.mark.parametrize("name", ["sample", "both", "searched", "able", "invariant"])
def test_nothing_is_wider_than_a_phone(show, name):
    shown = show(name, viewport={"width": 400, "height": 800})
    width = "document.documentElement.scrollWidth"
    assert shown.value(width) == 400
    shown.page.click("#abalo-open")
    shown.value("document.querySelectorAll('main details').forEach(each => { each.open = true; })")
    shown.until("!document.querySelector('details[data-fold]')")
    assert shown.value(width) == 400


def test_the_verdict_and_what_failed_are_there_without_a_script(show):
    shown = show(java_script_enabled=False)
    text = shown.page.inner_text("body")
    headline = "character_noise[rate-0.1] fails, 1 undecided"
    for said in ("FAIL", headline, "Character noise", MISSPELT, "What to do", "0.214"):
        assert said in text
    assert "read robustness.md" in text
    assert not shown.page.is_visible("#abalo-filter")


def test_on_paper_there_is_nothing_to_click_and_folds_are_open(show):
    shown = show()
    shown.page.emulate_media(media="print")
    shown.value("dispatchEvent(new Event('beforeprint'))")
    assert not shown.page.is_visible("#abalo-filter")
    assert not shown.page.is_visible("#abalo-theme")
    assert shown.page.locator("#rest dl").is_visible()


def test_on_paper_every_case_is_open_and_afterwards_those_are_that_were(show):
    shown = show()
    opened = (
        "[...document.querySelectorAll('.abalo-body')].map(each => each.checkVisibility() && each.innerText !== '')"
    )
    shown.page.locator(".abalo-toggle").nth(1).click()
    before = shown.value(opened)
    assert before.count(True) == 1
    shown.page.emulate_media(media="print")
    shown.value("dispatchEvent(new Event('beforeprint'))")
    assert shown.value(opened) == [True] * 6
    assert all(each.is_visible() for each in shown.page.locator(".abalo-body .abalo-fold .abalo-section").all())
    shown.value("dispatchEvent(new Event('afterprint'))")
    assert shown.value(opened) == before


def test_a_browser_that_prints_opens_the_cases(show):
    shown = show()
    shown.page.pdf()
    assert shown.page.locator(".abalo-body > td > *").count() == 6


def test_on_a_phone_each_loss_is_a_card_that_needs_no_scrolling(browser, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(report_page(typed.read(Document, compared(sample()))), "utf-8")
    shown = Shown(browser, path, viewport={"width": 400, "height": 800})
    shown.page.locator("#worse summary", has_text="All losses").first.click()
    row = shown.page.locator("#worse .abalo-cards tbody tr", has_text="Accents").first
    said = row.inner_text().replace("\u00a0", " ").split("\n")
    assert said == ["Accents", "0.800", "0.824", "0.000 [0.000, 0.000]", "0.010", "✗ regressed"]
    headings = row.locator("td").evaluate_all("all => all.map(each => getComputedStyle(each, '::before').content)")
    assert headings[2].strip('" ') == "Loss, corrected interval"
    box = shown.page.locator("#worse .abalo-cards .abalo-scroll").first
    assert box.evaluate("each => each.scrollWidth <= each.clientWidth")
    assert all(each.bounding_box()["x"] + each.bounding_box()["width"] <= 400 for each in row.locator("th, td").all())
    shown.window.close()


@pytest.mark.parametrize("width", [1300, 400])
def test_each_number_of_a_case_has_its_interval_in_one_line(browser, tmp_path, width):
    path = tmp_path / "page.html"
    path.write_text(report_page(typed.read(Document, compared(sample()))), "utf-8")
    shown = Shown(browser, path, viewport={"width": width, "height": 800})
    accents = shown.page.locator("#abalo-cases tr.abalo-case", has_text="Accents")
    said = accents.locator(".abalo-measured").all_inner_texts()
    assert said == ["0.043 [0.013, 0.073]", "0.000 [0.000, 0.000]"]
    for each in shown.page.locator("#abalo-cases tr.abalo-case .abalo-measured").all():
        assert each.evaluate("each => each.getClientRects().length") == 1
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= width
    shown.window.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["sample", "searched", "able"])
def test_axe_finds_nothing_against_the_rules_of_accessibility(show, name, theme):
    axe = of_extra_ui("axe_playwright_python.sync_playwright")
    shown = show(name, color_scheme=theme)
    shown.page.locator(".abalo-toggle").first.click()
    shown.value("document.querySelectorAll('main details').forEach(each => { each.open = true; })")
    shown.until("!document.querySelector('details[data-fold]')")
    found = axe.Axe().run(shown.page)
    assert [
        (each["id"], [node["html"][:200] for node in each["nodes"][:3]]) for each in found.response["violations"]
    ] == []


@pytest.mark.slow
def test_a_page_of_hundreds_of_cases_stays_small_and_filters_without_a_pause(browser, tmp_path):
    path, text = tmp_path / "many.html", report_page(typed.read(Document, many(MANY)))
    path.write_text(text, "utf-8")
    assert len(text.encode()) <= SIZE_LIMIT
    shown = Shown(browser, path)
    assert len(shown.cases()) == MANY + 1
    loaded = shown.value("performance.getEntriesByType('navigation')[0].loadEventEnd")
    filtered = shown.value(
        """() => {
            const started = performance.now();
            document.getElementById("abalo-text").value = "palavra17x1";
            document.getElementById("abalo-filter").dispatchEvent(new Event("input"));
            document.body.getBoundingClientRect();
            return performance.now() - started;
        }"""
    )
    assert shown.cases() == ["Character noise (rate 0.017)"]
    assert (loaded < 20_000, filtered < 5_000) == (
        True,
        True,
    )  # generous, for busy machines: benchmarks/page.py measures
    assert shown.said == []
    shown.window.close()
