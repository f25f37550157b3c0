"""Targeted attacks in the reports: their tables, the heat table, the comparison with random noise, their targets."""

import re
from typing import Any

import pytest

from abalo.core.documents.blocks import Measured
from abalo.core.documents.document import Document
from abalo.core.documents.found import Interval, Result
from abalo.core.protocols.results import scenario, siblings
from abalo.core.records import json_records as typed
from abalo.reporting.content.run import tables
from abalo.reporting.formats.html import detail, summary
from abalo.reporting.formats.markdown import markdown, render
from abalo.reporting.formats.terminal import lines
from abalo.tasks.ner.blocks import meaning_of
from perturbations.catalogue import find
from tests.reporting.documents import BASELINE_F1, attack, attacked, measured, result_of, sample
from tests.reporting.shown import Page, in_full, of_run, table_of
from tests.reporting.test_markdown import rows_of
from tests.texts import TextWith

ATTACKS, STRUCTURE = "Targeted attacks", "Attacks that move words, in the structural view"
HEAT, CROSSCHECK = "F1 per entity type under attack", "Cross-check: random against targeted"

TYPOS, DISTRACTORS, SYNONYMS = (find(name).title for name in ("char_typo", "insert", "synonym_attack"))


def aimed(document: dict[str, Any], name: str, source: str, view: str = "projected") -> dict[str, Any]:
    return next(
        each
        for each in document["results"]
        if (each["name"], each.get("span_source"), each["view"]) == (name, source, view)
    )


def detail_of(result: dict[str, Any], document: dict[str, Any]) -> str:
    return detail(
        typed.read(Result, result),
        siblings(typed.read(Result, result), typed.read(Document, document)),
        typed.read(Document, document),
    )


def test_a_run_without_attacks_has_none_of_their_panels():
    assert [of_run(sample(), title) for title in (ATTACKS, STRUCTURE, HEAT, CROSSCHECK)] == [""] * 4
    assert "attack" not in summary(typed.read(Document, sample()))
    assert "attack" not in in_full(sample())


def test_every_attack_and_source_has_a_row_below_the_clean_corpus():
    heads, clean, typo, *rest = table_of(of_run(attacked(), ATTACKS))
    assert heads[:5] == ["Attack", "Spans", "Precision", "Recall", "F1"]
    assert clean == ["Baseline", "none", "0.855", "0.878", "0.866", "–", "–", "0.288", "0.279", "–", "–", "–", "–"]
    numbers = ["0.301", "0.324", "0.312", "0.554", "0.151", "0.288", "0.279", "0.996", "1.012", "0.141", "0.162"]
    assert typo == [TYPOS, "oracle", *numbers]
    assert [row[:2] for row in rest] == [[TYPOS, "predicted"], [DISTRACTORS, "oracle"], [SYNONYMS, "predicted"]]


def test_every_number_of_an_attack_has_its_interval():
    (row,) = re.findall(rf"<tr><th[^>]*>{DISTRACTORS}</th>.*?</tr>", of_run(attacked(), ATTACKS))
    assert row.count('<small class="abalo-range">[') == 11
    assert '0.151<small class="abalo-range">[0.121, 0.181]</small>' in row


def test_what_has_no_meaning_is_a_dash_never_a_zero():
    document = attacked()
    for name in ("conf_drop_gold", "conf_drop_pred", "prob_drop_gold", "prob_drop_pred"):
        aimed(document, "insert", "oracle")["metrics"][name] = None
    row = next(row for row in table_of(of_run(document, ATTACKS)) if row[0] == DISTRACTORS)
    assert row[-4:] == ["–"] * 4


def test_the_clean_row_needs_no_baseline_case():
    document = attacked()
    document["results"] = [each for each in document["results"] if each.get("span_source")]
    clean = table_of(of_run(document, ATTACKS))[1]
    assert clean[:6] == ["Baseline", "none", "0.855", "0.878", "0.866", "–"]
    assert set(clean[6:]) == {"–"}


def test_only_attacks_that_move_words_are_in_the_structural_table():
    _, clean, *rows = table_of(of_run(attacked(), STRUCTURE))
    assert clean == ["Baseline", "none", "0.855", "0.878", "0.866", "–", "–", "0.402", "0.119", "–"]
    assert [row[:2] for row in rows] == [[DISTRACTORS, "oracle"]]
    assert rows[0][4:] == ["0.491", "0.433", "0.127", "0.402", "0.119", "0.102"]


def test_where_no_word_moves_there_is_no_structural_table():
    document = attacked()
    document["results"] = [each for each in document["results"] if each["name"] != "insert"]
    assert of_run(document, STRUCTURE) == ""


def test_probabilities_are_said_to_be_fitted_on_what_they_judge():
    said = TextWith("Probabilities at", "1.30", "(in-sample)")
    document = attacked()
    assert of_run(document, ATTACKS) == said
    assert in_full(document) == said
    assert detail_of(aimed(document, "insert", "oracle"), document) == said
    document["model"]["temperature"] = None
    assert "Probabilities" not in of_run(document, ATTACKS) + in_full(document)


def test_a_temperature_at_its_limit_is_no_ground_for_probabilities():
    document = attacked()
    warning = "not trust probabilities"
    assert warning not in markdown(typed.read(Document, document))
    document["model"] |= {"temperature": 20.0, "temperature_at_limit": True}

    assert warning in markdown(typed.read(Document, document))
    assert warning in summary(typed.read(Document, document))


def test_labels_that_the_model_lacks_are_counted_aloud():
    document = attacked()
    aimed(document, "insert", "oracle")["unscored"] = 1
    assert "1 token in gold" in markdown(typed.read(Document, document))
    aimed(document, "insert", "oracle")["unscored"] = 1200
    assert "1,200 tokens in gold" in summary(typed.read(Document, document))


def cells_of(fragment: str) -> dict[str, str]:
    """The cells of the heat table, each by the words of its tip."""
    cells = re.findall(r"<td[^>]*abalo-heat-.*?</td>", fragment)
    return {re.search(r'title="(.*?): ', cell)[1]: cell for cell in cells}


def test_the_heat_table_has_a_cell_for_every_type_in_every_row():
    document = attacked()
    fragment = of_run(document, HEAT)
    assert len(cells_of(fragment)) == 5 * 6
    assert f"{TYPOS} (oracle spans), PESSOA: F1 0.330 [0.280, 0.380], drop 0.574 [0.524, 0.624]" in fragment.replace(
        "\u00a0", " "
    )
    assert ">0.33</b>" in cells_of(fragment)[f"{TYPOS} (oracle spans), PESSOA"]


def shade(cell: str) -> tuple[str, float]:
    return re.search(r"abalo-heat-(\w+)", cell)[1], float(re.search(r"--abalo-shade: ([\d.]+)", cell)[1])


def test_what_lost_most_is_darkest_and_the_clean_corpus_has_no_shade():
    document = attacked()
    types = aimed(document, "char_typo", "predicted")["per_type"]
    types["PESSOA"]["f1_drop"], types["LOCAL"]["f1_drop"] = measured(0.0, 0.02), measured(-0.292, 0.02)
    types["TEMPO"]["f1_drop"] = measured(0.292, 0.02)
    cells = cells_of(of_run(document, HEAT))
    assert shade(cells[f"{TYPOS} (oracle spans), TEMPO"]) == ("loss", 1.0)  # 0.584, the largest
    assert shade(cells[f"{TYPOS} (predicted spans), TEMPO"]) == ("loss", 0.5)
    assert shade(cells[f"{TYPOS} (predicted spans), LOCAL"]) == ("gain", 0.5)
    assert shade(cells[f"{TYPOS} (predicted spans), PESSOA"]) == ("none", 0.0)
    assert shade(cells["Baseline, PESSOA"]) == ("clean", 0.0)


def test_a_drop_whose_interval_leaves_out_zero_is_bold():
    cells = cells_of(of_run(attacked(), HEAT))
    assert "<b>" in cells[f"{TYPOS} (oracle spans), PESSOA"]
    assert "<b>" not in cells[f"{SYNONYMS} (predicted spans), PESSOA"]


def test_a_type_without_a_number_has_a_dash_in_its_cell():
    document = attacked()
    del aimed(document, "insert", "oracle")["per_type"]["TEMPO"]
    aimed(document, "insert", "oracle")["per_type"]["LOCAL"] |= {"f1": None, "f1_drop": None}
    cells = cells_of(of_run(document, HEAT))
    for kind in ("TEMPO", "LOCAL"):
        assert ">–</td>" in cells[f"{DISTRACTORS} (oracle spans), {kind}"]
        assert shade(cells[f"{DISTRACTORS} (oracle spans), {kind}"]) == ("clean", 0.0)


def test_random_and_targeted_stand_side_by_side_where_both_were_run():
    rows = table_of(of_run(attacked(), CROSSCHECK))[1:]
    assert [(row[0], row[2]) for row in rows] == [
        ("Character noise", f"{TYPOS} (oracle spans)"),
        ("Character noise", f"{TYPOS} (predicted spans)"),
        ("Word insertion", f"{DISTRACTORS} (oracle spans)"),
        ("Synonyms (lexicon legal_pt)", f"{SYNONYMS} (predicted spans)"),
    ]
    assert rows[0][1] == "0.214"
    assert rows[0][3] == "0.554"
    assert rows[0][5] == TextWith("targeted attack costs", "0.341")
    assert rows[1][5] == TextWith("No clear difference")


def test_without_its_random_counterpart_an_attack_is_not_compared():
    document = attacked()
    document["results"] = [each for each in document["results"] if each.get("span_source")]
    assert of_run(document, CROSSCHECK) == ""


def interval(low: float, high: float) -> dict[str, Any]:
    return {"value": (low + high) / 2, "low": low, "high": high, "n": 110}


@pytest.mark.parametrize(
    ("random", "targeted", "said"),
    [
        (
            interval(0.0, 0.1),
            interval(0.2, 0.3),
            TextWith("targeted attack costs", "0.200", "not overlap"),
        ),
        (
            interval(0.2, 0.3),
            interval(0.0, 0.1),
            TextWith("random perturbation costs", "0.200", "not overlap"),
        ),
        (interval(0.0, 0.2), interval(0.1, 0.3), TextWith("No clear difference")),
        (interval(0.0, 0.1), interval(0.1, 0.2), TextWith("No clear difference")),  # they touch
        (None, interval(0.1, 0.2), TextWith("Not comparable", "no value")),
        (interval(0.1, 0.2), None, TextWith("Not comparable", "no value")),
        (
            interval(0.1, 0.2),
            interval(0.1, 0.2) | {"low": None},
            TextWith("Not comparable", "no value"),
        ),
    ],
)
def test_the_reading_follows_from_whether_the_intervals_overlap(random, targeted, said: TextWith):
    assert meaning_of(*(Measured.of(each and typed.read(Interval, each)) for each in (random, targeted))) == said


def test_drops_over_unlike_sentences_are_not_passed_off_as_like():
    document = attacked()
    aimed(document, "insert", "oracle")["sentences"] = 80
    rows = table_of(of_run(document, CROSSCHECK))
    assert next(row for row in rows if row[2].startswith(DISTRACTORS))[5].endswith(": 200 and 80.")


def test_targets_are_marked_in_both_sentences_and_explained():
    document = attacked()
    page = detail_of(aimed(document, "char_typo", "oracle"), document)
    both = "abalo-target abalo-target-start abalo-target-stop"
    assert f'<span class="{both}" title="target: LOCAL">Belém</span>' in page
    new = page.split("perturbed</b>")[1].partition("</p>")[0]
    assert new.count("abalo-target-start") == new.count("abalo-target-stop") == 3

    noise = result_of(document, "character_noise")
    assert "abalo-target" not in detail_of(noise, document)


def test_a_target_across_an_end_is_marked_at_its_own_ends_alone():
    document = attacked()
    page = detail_of(aimed(document, "char_typo", "oracle"), document)
    new = page.split("perturbed</b>")[1].partition("</p>")[0]
    assert 'class="abalo-target abalo-target-start" title="target: PESSOA">José</span>' in new
    assert 'class="abalo-target abalo-target-stop" title="target: PESSOA"><mark' in new


def test_the_detail_names_what_was_measured_in_plain_words_and_leaves_out_what_was_not():
    document = attacked()
    result = aimed(document, "insert", "oracle")
    text = Page(detail_of(result, document)).text
    assert "Confidence drop (gold label) 0.996 [0.966, 1.026] projected " in text
    assert "Entity retention rate 0.433 [0.403, 0.463] structural " in text
    assert "Entity retention rate (unshifted) 0.127" in text
    result["metrics"]["conf_drop_gold"] = None
    assert "Confidence drop (gold label) " not in Page(detail_of(result, document)).text


def test_old_places_are_no_news_where_no_word_has_moved():
    document = attacked()
    result = aimed(document, "char_typo", "oracle")
    others = [each for each in document["results"] if each["id"] == result["id"]]
    for view in (each for each in others if each.get("span_source") == result.get("span_source")):
        for name in ("entity_retention_rate", "entity_recovery_rate"):
            view["metrics"][f"{name}_unshifted"] = view["metrics"][name]
    text = Page(detail_of(result, document)).text
    assert "Entity retention rate 0.433" in text
    assert "unshifted" not in text


def test_inputs_shared_with_the_oracle_attack_are_told():
    document = attacked()
    text = Page(detail_of(aimed(document, "char_typo", "predicted"), document)).text
    assert text == TextWith("530 new", "(400 shared", ") in 1.2 s")


def test_both_sources_of_an_attack_can_be_told_apart_wherever_its_name_is_cut():
    long = {"params": {"distractors": ["x" * 30, "y" * 90]}}
    oracle, predicted = (
        scenario(typed.read(Result, attack("insert", source, 0.5) | long)) for source in ("oracle", "predicted")
    )
    assert oracle.startswith(f"{DISTRACTORS} (oracle spans")
    assert predicted.startswith(f"{DISTRACTORS} (predicted spans")
    document = attacked()
    for page in (summary(typed.read(Document, document)), markdown(typed.read(Document, document))):
        assert f"{TYPOS} (oracle spans)" in page
        assert f"{TYPOS} (predicted spans)" in page
    said = [line for line, _ in lines(typed.read(Document, document))]
    assert any(line.startswith("ner/char_typo[oracle] ") for line in said)
    assert any(line.startswith("ner/char_typo[predicted] ") for line in said)


def test_the_tables_in_full_have_both_tables():
    page = in_full(attacked())
    rows = rows_of(page, "Targeted attacks")
    assert rows[1][:6] == [TYPOS, "oracle", "0.301", "0.324", "0.312", "0.554 [0.524, 0.584]"]
    assert rows[0][2:7] == ["0.855", "0.878", "0.866", "–", "–"]
    assert [row[:2] for row in rows_of(page, STRUCTURE)] == [["Baseline", "none"], [DISTRACTORS, "oracle"]]
    assert "Measured [95 % interval]" in page


@pytest.mark.slow
def test_rows_of_attacks_left_out_are_counted():
    document = attacked()
    one = aimed(document, "insert", "oracle")
    document["results"] += [one | {"id": f"ner/{k}", "name": f"insert_{k}"} for k in range(900)]
    page = render(tables(typed.read(Document, document)), 25)
    assert re.search(r"\*\d+ more attacks left out here", page)
    assert "more attacks in robustness.json" in of_run(document, HEAT)


def test_names_of_attacks_and_targets_mean_nothing_but_themselves():
    document = attacked()
    nasty = "<script>\"&'"
    for each in document["results"]:
        if each.get("span_source"):
            each["params"] = {nasty: nasty}
            each["per_type"] = {nasty: each["per_type"]["PESSOA"]}
            each["examples"] = [shown | {"targets": [[0, 1, nasty]]} for shown in each["examples"]]
    pages = summary(typed.read(Document, document)) + detail_of(aimed(document, "char_typo", "oracle"), document)
    assert "script" not in Page(pages).tags
    assert "target: &lt;script&gt;&#34;&amp;&#39;" in pages
    names = [value for kind, value in Page(summary(typed.read(Document, document))).attributes if kind == "id"]
    assert len(names) == len(set(names))


def test_an_attack_that_costs_nothing_has_a_drop_of_zero_not_a_dash():
    document = attacked()
    assert aimed(document, "synonym_attack", "predicted")["metrics"]["f1"]["value"] == BASELINE_F1
    assert table_of(of_run(document, ATTACKS))[-1][5] == "0.000"
