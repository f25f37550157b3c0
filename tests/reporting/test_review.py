"""The page for reviewers: short where all holds, and told case by case where something failed."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from abalo.core.documents.blocks import Examples, Fold, Marked, ShownExample, Table, Text, heads, unfold_blocks
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.results import cases
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.reporting.content import review
from abalo.reporting.documents import finding
from abalo.reporting.documents.stored import from_stored
from abalo.reporting.formats import markdown, terminal
from tests.reporting.documents import MISSPELT, invariant, judgement, questioned, result_of, sample, sliced
from tests.texts import TextWith

SAMPLE = Path(__file__).parents[2] / "reports" / "sample" / "robustness.json"
"""The default gate, recorded; it holds."""


def in_sight(page: str) -> str:
    """The page without what is folded away."""
    return re.sub(r"<details>.*?</details>", "", page, flags=re.DOTALL)


def section(page: str, title: str) -> str:
    """The part under a heading."""
    return page.partition(f"## {title}\n")[2].partition("\n## ")[0]


def test_the_default_gate_takes_twelve_lines_a_task_and_twenty_where_it_holds():
    document = from_stored(json.loads(SAMPLE.read_text("utf-8")))
    assert document["verdict"] == "pass"
    page = markdown.markdown(typed.read(Document, document))
    assert len(page.splitlines()) <= 20 + 12 * len(document["tasks"])
    assert page.splitlines()[0].startswith("# ✓ PASS: ")
    head = [line for line in page.splitlines() if line.startswith("- **")][: len(document["tasks"])]
    assert {line.partition("**: ")[0].removeprefix("- **") for line in head} == {
        tasks()[name].title for name in document["tasks"]
    }


def test_each_case_of_the_default_gate_is_on_the_page_with_its_number():
    document = from_stored(json.loads(SAMPLE.read_text("utf-8")))
    read = typed.read(Document, document)
    page = markdown.markdown(read)
    assert "✓ Accents 0.0" in page
    judged, unbound = (
        int(re.search(found, page)[1]) for found in (r"of (\d+) judged cases", r"and (\d+) more have no bound")
    )
    impossible = re.findall("cannot happen here", page.splitlines()[2])
    unbound += 3  # which are named
    assert judged + unbound == len(cases(read)) - len(impossible) == 97
    assert f"<summary>{judged + unbound} cases, one by one</summary>" in page
    assert "✓ Baseline 0.8" in page


def test_a_case_that_failed_has_its_worst_type_three_sentences_what_to_do_and_its_command():
    text = section(markdown.markdown(typed.read(Document, sample())), "✗ Character noise")
    assert "- **Worst entity type**: " in text
    assert text == TextWith("- **What to do**: ", "; abalo augment TRAIN")
    assert text.count("<br>*original:* ") == text.count("<br>*perturbed:* ") == 2  # all that the document has
    assert f"«{MISSPELT}»" in text
    assert "✗ lost ORGANIZACAO]" in text
    assert "```sh\npytest 'tests_behavioral/ner/test_character_noise.py::test_f1[rate-0.1]'" in text


def test_advice_to_cases_that_fail_alike_stands_once_and_names_them():
    document = sample()
    masking = result_of(document, "token_masking")
    masking |= {"verdict": "fail", "judgements": [judgement("max_f1_drop_changed", 0.1, 0.136, "fail")]}
    text = markdown.markdown(typed.read(Document, document))
    (advice,) = (line for line in text.splitlines() if "What to do" in line)
    assert advice.startswith("- **What to do (Character noise, Token masking)**: ")
    assert advice.endswith(" --corpus lener-br/dev.conll --limit 200 --case character_noise --case token_masking")
    assert "What to do" in section(text, "✗ Character noise")


def test_no_more_than_three_sentences_of_a_case_are_shown():
    document = sample()
    noise = result_of(document, "character_noise")
    noise["examples"] = noise["examples"] * 5
    text = section(markdown.markdown(typed.read(Document, document)), "✗ Character noise")
    assert [line[:9] for line in text.splitlines() if "<br>" in line] == ["- **1.** ", "- **2.** ", "- **3.** "]


def test_an_invariance_that_is_broken_shows_the_edit_that_breaks_it():
    text = section(markdown.markdown(typed.read(Document, invariant())), "✗ Typo outside of entities")
    assert text == TextWith("But São_Paulo (LOCAL) ", "no longer found")
    assert "*perturbed:* A [&lt;script>alert(1)" in text
    assert "--abalo-regressions broken.jsonl" in text


def test_of_questions_the_worst_variant_and_three_answers_are_told():
    text = section(markdown.markdown(typed.read(Document, questioned())), "✗ Perturbation stability (up to 5 variants)")
    assert text.count("right is") == 3
    assert "model prefers positions" in text


def test_a_slice_that_failed_says_which_part_of_the_corpus_to_train_on():
    text = section(markdown.markdown(typed.read(Document, sliced())), "✗ Slice: longest sentences")
    assert text == TextWith("like those of", "&lt;longest> sentences, 20 %: ", "38 words.")


def test_what_says_how_far_to_trust_the_run_is_never_folded_away():
    document = sample() | {"missing": ["ner/gone"], "complete": False, "errors": [{"id": "ner/x", "message": "broke"}]}
    document["tasks"]["ner"]["skipped"] = [{"id": "ner/twins", "reason": "for Chinese alone", "lacks": "language"}]
    page = in_sight(markdown.markdown(typed.read(Document, document)))
    assert "? undecided **Token masking**" in page
    assert "! no result `ner/gone`" in page
    assert "! error `ner/x`: broke" in page
    assert "Left out: ner/twins. Reason: for Chinese alone." in page


def test_many_failed_cases_are_told_in_full_up_to_a_number_and_then_in_a_line():
    document = sample()
    noise = result_of(document, "character_noise")
    document["results"] = [noise | {"id": f"ner/{k}", "name": f"noise_{k}"} for k in range(30)]
    page = markdown.markdown(typed.read(Document, document))
    assert page.count("\n## ✗ Noise ") == 20
    assert page.count("- ✗ **fail** **Noise ") == 10


@pytest.mark.parametrize(("count", "lines"), [(3, 3), (4, 1)])
def test_a_reason_that_many_bounds_share_is_told_once(count, lines):
    document, few = sample(), "fewer than 50 distinct sentences (45)"
    masking = result_of(document, "token_masking")
    masking["judgements"] = [judgement("max_f1_drop_changed", 0.1, 0.2, "inconclusive", p=None, reason=few, needed=60)]
    document["results"] = [masking | {"id": f"ner/{k}", "name": f"noise_{k}"} for k in range(count)]
    page = markdown.markdown(typed.read(Document, document))
    assert page.count(few) == lines
    together = f"- ? undecided **4 bounds**: {few}: "
    assert (together in page) == (count == 4)
    assert all(f"Noise {k} " in page.split("## To look into")[1].split("\n##")[0] for k in range(count))


@pytest.mark.parametrize(
    ("needed", "more"), [(50, ""), (840, "; about 840 distinct sentences would settle it (110 here)")]
)
def test_a_reason_that_says_how_many_are_needed_says_it_once(needed, more):
    document, few = sample(), "fewer than 50 distinct sentences (45)"
    masking = result_of(document, "token_masking")
    masking["judgements"] = [judgement("max_f1_drop", 0.1, 0.2, "inconclusive", p=None, reason=few, needed=needed)]
    (line,) = (each for each in markdown.markdown(typed.read(Document, document)).splitlines() if few in each)
    assert line.endswith(f"allowed ≤ 0.100; {few}{more}")


def undecided(counts: list[int], value: float = 0.2, **more: Any) -> Document:
    """A run of cases that changed so few sentences, or whose intervals contain the bound."""
    document, masking = sample(), result_of(sample(), "token_masking")
    told = [
        judgement("max_f1_drop_changed", 0.1, value, "inconclusive", **{"reason": f"too few changed ({n})", **more})
        for n in counts
    ]
    document["results"] = [
        masking
        | {"id": f"ner/{k}", "name": f"noise_{k}", "judgements": [each], "verdict": "inconclusive"}
        | {"reason": each["reason"], "bound": {"max_f1_drop_changed": 0.1}}
        for k, each in enumerate(told)
    ]
    count = {"pass": 0, "fail": 0, "inconclusive": len(counts), "not_blocking": 0}
    return typed.read(Document, document | {"counts": count, "verdict": "pass", "regressions": [], "errors": []})


def test_few_examples_are_one_reason_whatever_their_number_on_page_and_terminal():
    document = undecided([12, 4, 30, 7], p=None)
    assert "**4 bounds**: too few changed (4 to 30): " in markdown.markdown(document)
    shown = [line for line, _ in terminal.lines(document)]
    assert [line for line in shown if "too few" in line] == ["4 undecided: too few changed (4 to 30)"]
    assert sum(line.endswith("UNDECIDED") for line in shown) == 4


def test_a_pass_of_undecided_bounds_does_not_count_those_that_hold():
    headline = markdown.markdown(undecided([80, 90], 0.05, p=0.3, reason="the interval contains the bound"))
    assert headline.startswith("# ✓ PASS: 2 cases undecided, every estimate inside its bound\n")


def per_type(**drops: tuple[float, float]) -> dict[str, Any]:
    """A failed case with a drop and the low end of its interval for each type."""
    found = result_of(sample(), "character_noise")
    rows = {kind: {"value": value, "low": low, "high": 1.0, "n": 60} for kind, (value, low) in drops.items()}
    return found | {"per_type": {kind: {"f1_drop_changed": row, "support": 70} for kind, row in rows.items()}}


def worst(result: dict[str, Any]) -> str:
    (lead,) = [
        block
        for block in finding.glance(typed.read(Result, result), typed.read(Document, sample()))
        if isinstance(block, Text)
    ][:1]
    return next(line.text for line in lead.lines if getattr(line, "term", "") == "Worst entity type")


def test_the_worst_type_is_the_one_whose_interval_begins_worst():
    shaky = per_type(PESSOA=(0.30, 0.25), LOCAL=(0.50, 0.01), TEMPO=(0.10, 0.05))
    told = "; measured worse, with a wider interval: LOCAL 0.500 [0.010, 1.000]"
    shown = "PESSOA, F1 drop 0.300 [0.250, 1.000] over 60 sentences; then TEMPO: 0.100"
    assert worst(shaky) == shown + told
    shaky["per_type"]["LEI"] = {"f1_drop_changed": None, "support": 3}  # nowhere in a changed sentence
    named = finding.worst_group(typed.read(Result, shaky))
    assert named == f"PESSOA: 0.300 [0.250, 1.000]{told}; on too few examples to tell: LEI"


def test_a_type_that_fails_its_own_bound_is_named_as_such():
    result = per_type(PESSOA=(0.40, 0.25), LOCAL=(0.30, 0.10), TEMPO=(0.20, 0.05), LEI=(0.10, 0.05))
    result["judgements"] = [judgement("max_f1_drop_changed", 0.05, 0.1, "fail", type="LEI")]
    assert worst(result) == TextWith(
        "PESSOA, F1 drop 0.400 [0.250, 1.000] over 60 sentences; then LOCAL: 0.300, TEMPO: 0.200, LEI: 0.100 (fails "
    )
    result["judgements"] = [judgement("max_f1_drop_changed", 0.05, 0.4, "fail", type="PESSOA")]
    assert worst(result) == TextWith(" over 60 sentences, ", "fails", "; then LOCAL: 0.300, TEMPO: 0.200")


@pytest.mark.parametrize("drops", [{}, {"PESSOA": (0.3, 0.2)}])
def test_where_there_are_no_types_to_compare_none_is_the_worst(drops: dict[str, tuple[float, float]]):
    with pytest.raises(StopIteration):
        worst(per_type(**drops))


def test_a_fold_is_closed_on_pages_and_open_where_there_is_nothing_to_click():
    fold = Fold("More <b>", (Text(("Inside.",)), Fold("Deeper", (Table(heads(("A",)), (), "Numbers"),))))
    assert markdown.render([fold], 5).startswith("<details><summary>More &lt;b></summary>\n\nInside.\n\n<details>")
    assert [getattr(block, "title", "") for block in unfold_blocks([fold])] == ["", "Numbers"]


def test_lines_after_the_first_are_folded_in_a_list():
    page = markdown.render([Text(("a", "b", "c"), "Lines", "list", open=2)], 10)
    assert page == "## Lines\n\n- a\n- b\n\n<details><summary>1 more line</summary>\n\n- c\n\n</details>\n"


def test_a_list_of_which_nothing_stands_is_folded_whole():
    page = markdown.render([Text(("a",), "Lines", "list", open=0)], 10)
    assert "<details><summary>1 more line</summary>\n\n- a\n\n</details>" in page


def test_the_sentences_of_an_example_stand_on_lines_of_one_item():
    example = ShownExample("Lost.", (Marked("before", ("Ana", "fala")), Marked("after", ("Bia", "fala"))))
    assert markdown.render([Examples((example,))], 5) == "- Lost.<br>*before:* Ana fala<br>*after:* Bia fala\n"


def test_the_page_has_as_many_failed_cases_as_there_is_room_for():
    titles = [block.title for block in review.page(typed.read(Document, sample()), 0) if isinstance(block, Text)]
    assert "Character noise" not in titles


@pytest.mark.parametrize("selected", [True, False])
def test_the_clean_score_stands_among_the_kinds_of_case_selected_or_not(selected):
    document = sample()
    if not selected:
        document["results"] = [each for each in document["results"] if each["id"] != "ner/baseline"]
    page = markdown.markdown(typed.read(Document, document)).partition("## Cases by kind")[2]
    (row,) = (line for line in page.splitlines() if "| baseline |" in line)
    assert row == "| Named-entity recognition | baseline | 1 |  |  |  | Baseline: F1 0.866 [0.836, 0.896] |"
