from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abalo.core.documents.blocks import Item, Text
from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.reporting.content.run import tables
from abalo.reporting.formats.markdown import SIZE_LIMIT, code, escape, markdown, render
from tests.reporting.documents import MISSPELT, interrupted, judgement, result, result_of, sample, without_text
from tests.reporting.shown import in_full
from tests.rows import every
from tests.texts import TextWith

NASTY = "a|b `c` <script>x</script> *d* _e_ [f](http://g) @h #1 $i$ ~~j~~\n# k\u202e \ud800"


def rows_of(page: str, heading: str) -> list[list[str]]:
    """The cells of the table under a heading, without its header."""
    table = [
        line for line in page.partition(f"## {heading}")[2].partition("\n##")[0].splitlines() if line.startswith("|")
    ]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def test_the_verdict_comes_first_then_model_and_corpus_then_what_broke():
    lines = markdown(typed.read(Document, sample())).splitlines()
    assert lines[0] == "# ✗ FAIL: character_noise[rate-0.1] fails, 1 undecided"
    model = "./checkpoints/&lt;b>lener\\|v2&lt;/b> (b7d1c0ffee5a)"
    corpus = "on lener-br/dev.conll, 200 sentences (110 distinct), the first 200 only"
    assert lines[2] == f"- **Named-entity recognition**: {model} · {corpus} · F1 0.866 [0.836, 0.896]"
    noise = "F1 drop 0.214 [0.184, 0.244], allowed ≤ 0.150; p < 0.001"
    assert lines[4:7] == ["## ✗ Character noise", "", f"- {noise}"]


def test_a_notice_stands_below_the_verdict():
    document = sample() | {"notice": "These bounds were measured on the bundled model."}
    assert markdown(typed.read(Document, document)).splitlines()[:3] == [
        "# ✗ FAIL: character_noise[rate-0.1] fails, 1 undecided",
        "",
        "> **These bounds were measured on the bundled model.**",
    ]


def test_a_run_in_which_all_holds_says_so():
    document = sample()
    document["results"] = [
        entry for entry in document["results"] if entry["name"] not in ("character_noise", "token_masking")
    ]
    document |= {"verdict": "pass", "counts": {"pass": 4, "fail": 0, "inconclusive": 0, "not_blocking": 0}}
    page = markdown(typed.read(Document, document))
    assert page.startswith("# ✓ PASS: 4 of 4 judged cases hold\n")
    assert "To look into" not in page


def test_an_incomplete_run_never_reads_as_a_pass():
    document = sample() | {"complete": False, "missing": ["ner/synonyms"], "verdict": "inconclusive"}
    assert markdown(typed.read(Document, document)).startswith(
        "# ! INCOMPLETE: 1 collected case without a result; so far character_noise[rate-0.1] fails, 1 undecided\n"
    )


def test_a_run_that_was_stopped_before_it_knew_anything_still_reports():
    page = markdown(typed.read(Document, interrupted()))
    assert page == TextWith("# ! INCOMPLETE: 2 collected cases", "so far 1 case")
    assert "- ! error `ner/accents`: the model gave 3 rows for 4 tokens &lt;b>" in page
    assert "- ! no result `ner/baseline`" in page


def test_the_scenarios_stand_in_document_order_after_the_baseline():
    rows = rows_of(in_full(sample()), "Scenarios")
    assert [row[0] for row in rows] == [
        "Baseline",
        "Accents",
        "Character noise",
        "Word insertion",
        "Token masking",
        "Synonyms (lexicon legal_pt)",
    ]
    assert rows[0][1:] == ["0.866", "F1 0.866 [0.836, 0.896]", "F1 ≥ 0.800", "–", "✓ pass"]
    assert rows[2][1:] == [
        "0.653",
        "F1 drop 0.214 [0.184, 0.244]",
        "F1 drop ≤ 0.150; F1 drop of PESSOA ≤ 0.400",
        "180/200",
        "✗ **fail**",
    ]


def test_the_baseline_is_shown_also_when_its_test_was_not_selected():
    document = sample()
    document["results"] = [entry for entry in document["results"] if entry["name"] == "accents"]
    rows = rows_of(in_full(document), "Scenarios")
    assert rows[0] == ["Baseline", "0.866", "F1 0.866 [0.836, 0.896]", "–", "–", "– measured"]
    assert len(rows) == 2


def test_only_cases_whose_length_changes_are_compared_in_three_views():
    assert rows_of(in_full(sample()), "F1 by view") == [["Word insertion", "0.801 (bound)", "0.792", "0.102"]]


def test_scores_per_type_have_a_column_for_each_type():
    rows = rows_of(in_full(sample()), "F1 per entity type")
    assert rows[0] == ["Baseline", "0.836", "0.848", "0.860", "0.872", "0.884", "0.896"]
    assert len(rows) == 6


def test_a_case_to_look_into_has_reason_remedy_and_command():
    page = markdown(typed.read(Document, sample()))
    text = page.split("## To look into")[1].split("##")[0]
    assert "not significant after correction for 7 bounds (p = 0.021)" in text
    assert "about 840 distinct changed sentences would settle it (110 here)" in text
    text = page.split("## ✗ Character noise")[1].split("##")[0]
    assert text == TextWith("**What to do**: ", "; abalo augment TRAIN --out FILE")
    node = "tests_behavioral/ner/test_character_noise.py::test_f1[rate-0.1]"
    assert f"\n\n```sh\npytest '{node}' --abalo-model" in text


def test_of_a_type_the_sentences_that_hold_it_are_counted():
    document = sample()
    undecided = result_of(document, "token_masking")
    undecided["judgements"] = [judgement("max_f1_drop_changed", 0.1, 0.1, "inconclusive", type="LOCAL", needed=109)]
    here = undecided["per_type"]["LOCAL"]["f1_drop_changed"]["n"] = 15
    said = f"about 109 distinct changed sentences with LOCAL would settle it ({here} here)"
    assert said in markdown(typed.read(Document, document))


def test_a_failure_that_does_not_block_is_told_as_such():
    document = sample()
    result_of(document, "character_noise")["blocking"] = False
    document["counts"] = {"pass": 4, "fail": 0, "inconclusive": 1, "not_blocking": 1}
    page = markdown(typed.read(Document, document | {"verdict": "pass"}))
    assert page.startswith("# ? UNDECIDED: 4 bounds hold, 1 open\n\n1 failed without blocking\n")
    assert "## ✗ Character noise: fail (not blocking)" in page


def test_a_case_that_changed_nothing_is_named():
    document = sample()
    for entry in document["results"]:
        if entry["name"] == "synonyms":
            entry["changed"] = 0
    page = in_full(document)
    assert "Synonyms (lexicon legal_pt) changed no sentence" in page
    assert "0/200" in page


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("model", "mask_fallback"), True, ("no mask token", "[MASK]")),
        (("model", "wordless"), 1, ("1 word ", "no piece")),
        (("corpus", "repairs"), 3, ("3 labels ", "repaired")),
        (("baseline", "f1_other_aggregation"), 0.9, ("--abalo-aggregation first", "F1 0.900 instead of 0.866")),
    ],
)
def test_what_should_make_a_reader_careful_is_said(path: tuple[str, str], value: object, said: tuple[str, ...]):
    document = sample()
    assert markdown(typed.read(Document, document)) != TextWith(*said)
    document[path[0]][path[1]] = value
    assert markdown(typed.read(Document, document)) == TextWith(*said)


def test_another_aggregation_that_is_hardly_better_is_not_worth_a_word():
    document = sample()
    document["baseline"]["f1_other_aggregation"] = 0.8763
    assert "aggregation first" not in markdown(typed.read(Document, document))


def test_the_footer_names_model_corpus_device_seeds_and_versions():
    footer = markdown(typed.read(Document, sample())).split("<summary>Measured on</summary>")[1]
    for said in (
        "&lt;b>lener\\|v2&lt;/b>",
        "200 sentences (110 distinct)",
        "**Device**: cpu",
        "1, 2, 4",
        "torch 2.13.0",
    ):
        assert said in footer


def test_names_mean_nothing_but_themselves_in_markdown():
    assert escape("<script>|`*~$", 80) == "&lt;script>\\|\\`\\*\\~\\$"
    assert escape("max_f1_drop _a_", 80) == "max_f1_drop \\_a\\_"
    lines = Text(("1.", "12) a", "1.5 a", Item("1. a"), Item("1.", "Note")), role="list")
    written = ["- 1\\.", "- 12\\) a", "- 1.5 a", "- 1\\. a", "- **Note**: 1."]
    assert render([lines], 9).splitlines() == written
    assert escape("[a](b) [0.1, 0.2]", 80) == "\\[a\\](b) [0.1, 0.2]"
    assert escape("# title\n- item", 80) == "\\# title - item"
    assert escape("ask @someone", 80) == "ask @\u2060someone"
    assert escape("R&D &amp;", 80) == "R&amp;D &amp;amp;"
    assert escape("a\u202eb\ud800", 80) == "a\\\\u202eb\\\\ud800"


def test_code_with_backticks_is_fenced_by_more_of_them():
    assert code("a`b``c") == "```a`b``c```"
    assert code("`a`") == "`` `a` ``"


def nasty_document(cases: int, types: int, name: str) -> dict[str, Any]:
    """As many cases, half of them failed on as many bounds, with the same unpleasant text everywhere."""
    document = sample()
    judgements = [judgement("max_f1_drop_changed", 0.1, 0.2, "fail", type=name, reason=name) for _ in range(types)]
    template = result("accents", {"rate": name}, 0.5, judgements, command=name)
    row = template["per_type"]["PESSOA"]
    template["per_type"] = {f"{name}{k}": row for k in range(types)}
    document["results"] = [
        template | {"id": f"ner/{k}", "name": f"{name} {k}", "verdict": ("pass", "fail")[k % 2]} for k in range(cases)
    ]
    document["missing"] = document["missing"] + [name] * cases
    document["errors"] = [{"id": name, "message": name} for _ in range(cases)]
    document["notice"] = document["device"] = document["model"]["name"] = name
    document["complete"] = False
    return document


@pytest.mark.slow
@every("name", ["short", NASTY, "é|" * 3000, "\U0001f600<b>" * 900])
@every(("cases", "types"), [(1, 1), (60, 40), (300, 6)])
def test_the_page_never_outgrows_a_pull_request_comment(cases: int, types: int, name: str):
    assert (
        len(markdown(typed.read(Document, nasty_document(cases, types, name))).encode("utf-8", "backslashreplace"))
        <= SIZE_LIMIT
    )


def test_rows_left_out_are_counted_and_failures_are_kept():
    document = sample()
    noise = result_of(document, "character_noise")
    easy = result_of(document, "accents")
    document["results"] = [deepcopy(easy) | {"id": f"ner/a{k}", "name": f"a{k}"} for k in range(900)]
    document["results"].insert(700, noise)
    page = render(tables(typed.read(Document, document)), 25)
    rows = rows_of(page, "Scenarios")
    assert any(row[0] == "Character noise" for row in rows)
    assert len(rows) == 25
    assert "*877 more scenarios left " in page  # 901 cases and the baseline
    whole = markdown(typed.read(Document, document))
    assert "## ✗ Character noise" in whole
    assert len(whole.encode()) <= SIZE_LIMIT


@settings(max_examples=50)
@given(st.text(st.characters(exclude_categories=()), min_size=1))
def test_no_name_can_break_out_of_its_row(name: str):
    document = sample()
    for entry in document["results"]:
        if entry["name"] == "accents":
            entry["params"] = {"lexicon": name}
    rows = rows_of(in_full(document).replace("\\\\", "").replace("\\|", ""), "Scenarios")
    assert [len(row) for row in rows] == [6] * 6


def test_without_text_no_word_of_the_corpus_is_in_the_page():
    assert MISSPELT in markdown(typed.read(Document, sample()))
    assert MISSPELT not in markdown(typed.read(Document, without_text()))


def test_the_resources_that_variants_were_drawn_with_are_named_once():
    document = sample()
    for each in document["results"]:
        each["drawn_with"] = {"synonyms": "WordNet (83,118 words, 2756f5c2)"}
    page = markdown(typed.read(Document, document))
    assert page.count("WordNet (83,118 words, 2756f5c2)") == 1
    assert "- **Resources**: WordNet (83,118 words, 2756f5c2)" in page
    assert "**Resources**" not in markdown(typed.read(Document, sample()))
