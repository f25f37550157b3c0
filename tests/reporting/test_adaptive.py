"""Attacks that search, in the reports: what they achieved, where their changes sat, what they asked, regressions."""

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abalo.attacks.blocks import METRICS, over_seeds, rarity_said, sources
from abalo.attacks.facts import Rarity
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.results import cases, scenario, siblings
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.reporting.formats.html import detail, summary
from abalo.reporting.formats.markdown import markdown
from abalo.reporting.formats.pytest_columns import header_cells, row_cells
from abalo.reporting.formats.terminal import lines
from tests.reporting.documents import NGRAMS, REGRESSION, measured, result_of, sample, searched
from tests.reporting.shown import Page, in_full, of_case, of_run, table_of
from tests.reporting.test_html import sort_key
from tests.reporting.test_markdown import rows_of
from tests.texts import TextWith

Json = dict[str, Any]


def search_of(document: Json, name: str = "entity_attack") -> Json:
    """The result of the attack in the view that its bounds are about."""
    return result_of(document, name, "structural")


def searches_in(document: Json) -> list[Json]:
    """The one result to show for each attack that searches."""
    return [result for result in typed.as_json(cases(typed.read(Document, document))) if "attack" in result]


def facts_of(document: Json, name: str = "entity_attack") -> Json:
    """The facts of the attack beyond its metrics; the views share them."""
    return search_of(document, name)["attack"]


def detail_of(document: Json, name: str = "entity_attack") -> str:
    result = search_of(document, name)
    return detail(
        typed.read(Result, result),
        siblings(typed.read(Result, result), typed.read(Document, document)),
        typed.read(Document, document),
    )


def part_of(document: Json, title: str, name: str = "entity_attack") -> str:
    """The part of the detail under a title."""
    result = search_of(document, name)
    return of_case(
        result,
        typed.as_json(siblings(typed.read(Result, result), typed.read(Document, document))),
        document,
        title,
    )


SUMMARY = "Adaptive attacks"
ACHIEVED, CONTRAST = "What the attack achieved", "Successful against failed attacks"
REPLACED = "Words replaced in successful attacks"
FAILED = "Adaptive attacks that failed"
DISTANCES = "Where successful attacks changed the sentence"


def cells_of(document: Json, name: str) -> dict[str, str]:
    """The row of an attack in the table of the summary, by heading."""
    heads, *rows = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows_in(of_run(document, SUMMARY)))
    row = next(row for row in rows if Page(row[0]).text.startswith(name))
    return {Page(head).text: Page(cell).text for head, cell in zip(heads, row, strict=True)}


def rows_in(fragment: str) -> list[str]:
    return re.findall(r"<tr>(.*?)</tr>", fragment.replace("<small", " <small"))


def test_a_run_without_such_attacks_has_nothing_of_them():
    document = sample()
    for page in (
        summary(typed.read(Document, document)),
        markdown(typed.read(Document, document)),
        *(line for line, _ in lines(typed.read(Document, document))),
    ):
        assert "success" not in page.lower()
        assert "adaptive" not in page.lower()
    result = result_of(document, "accents")
    found = typed.as_json(siblings(typed.read(Result, result), typed.read(Document, document)))
    assert [of_case(result, found, document, title) for title in (ACHIEVED, DISTANCES, CONTRAST)] == [""] * 3


def test_every_metric_of_attacks_that_search_has_a_meaning_in_words():
    known = tasks()["ner"].metrics()
    assert all(known[name].meaning for name in METRICS)


def test_on_the_terminal_the_success_rate_leads_with_the_entities_that_were_attacked():
    said = [" ".join(line.split()) for line, _ in lines(typed.read(Document, searched()), full=True)]
    assert "ner/context_attack[sample-60] success rate 0.400 [0.350, 0.450] of 120 entities MEASURED" in said
    attacked = "ner/entity_attack[sample-60] success rate 0.400 [0.350, 0.450] of 120 entities, 3 seeds"
    assert f"{attacked} allowed ≤ 0.300 FAIL" in said


def test_one_entity_is_not_called_entities():
    document = searched()
    search_of(document)["attack"] = facts_of(document) | {"targets": 3}
    assert any("of 1 entity, 3 seeds" in line for line, _ in lines(typed.read(Document, document), full=True))


def test_only_settings_that_are_not_as_usual_are_in_the_name():
    document = searched()
    assert scenario(typed.read(Result, search_of(document))) == "Entity attack (sample 60)"
    search_of(document)["params"] = {"sample": 0, "budget": 20, "similarity": "ngrams", "least_similarity": 0.9}
    assert scenario(typed.read(Result, search_of(document))) == "Entity attack (budget 20, least similarity 0.9)"


def test_of_a_path_only_its_end_is_in_the_name():
    result = search_of(searched()) | {"params": {"training": "/data/ours/train.conll", "similarity": "C:\\models\\e5"}}
    assert scenario(typed.read(Result, result)) == "Entity attack (training train.conll, similarity e5)"


def test_an_attack_that_nobody_knows_any_more_shows_all_its_settings():
    result = search_of(searched()) | {"name": "old_attack"}
    assert scenario(typed.read(Result, result)) == "Old attack (sample 60, budget 1000)"


def test_the_scenarios_show_success_where_others_show_a_drop_and_no_f1():
    page = in_full(searched())
    assert "| Scenario | F1 | Measured [95 % interval] |" in page
    rows = {row[0]: row[1:] for row in rows_of(page, "Scenarios")}
    assert rows["Entity attack (sample 60)"] == [
        "–",
        "success rate 0.400 [0.350, 0.450]",
        "success rate ≤ 0.300",
        "57/60",
        "✗ **fail**",
    ]
    assert rows["Accents"][1] == "F1 drop 0.043 [0.013, 0.073]"


def test_views_and_f1_per_type_are_no_news_of_such_an_attack():
    page = in_full(searched())
    for heading in ("F1 where", "F1 per entity type"):
        assert not any("attack" in row[0] for row in rows_of(page, heading))
    text = Page(detail_of(searched())).text
    assert "Views" not in text
    assert "Damage and confidence" not in text
    assert "F1" not in text


def test_success_per_entity_type_has_its_own_table():
    rows = rows_of(in_full(searched()), "Success rate per entity type")
    assert rows[1] == ["Entity attack (sample 60)", "0.300", "0.340", "0.380", "0.420", "0.460", "0.500"]
    assert "Success rate per entity type" not in in_full(sample())


def test_the_results_table_sorts_success_after_drops_and_by_its_size():
    document = searched()
    easy, hard = search_of(document, "context_attack"), search_of(document)
    easy["metrics"]["success_rate"] = measured(0.009)
    drop = result_of(document, "character_noise")
    drop["metrics"]["f1_drop_changed"] = measured(1.0)
    nothing = search_of(searched())
    nothing["metrics"]["success_rate"] = None
    keys = [sort_key(row_cells(typed.read(Result, result))[1]) for result in (drop, easy, hard, nothing)]
    assert keys == sorted(keys)
    assert len(set(keys)) == 4
    assert "success rate 0.400 [0.350, 0.450]" in row_cells(typed.read(Result, hard))[1]
    assert Page(row_cells(typed.read(Result, hard))[0]).text == "~–"
    assert "Measured" in header_cells()[1]


def charts_of(document: Json) -> list[str]:
    return re.findall(r'<svg class="abalo-chart".*?</svg>', summary(typed.read(Document, document)))


def test_success_rates_have_a_chart_of_their_own_from_0_to_1():
    drops, successes = charts_of(searched())
    assert "attack" not in drops
    assert successes.count('class="abalo-bar"') == 2
    assert successes.count('class="abalo-limit"') == 1
    assert "Success rate with 95 % interval" in successes
    assert "Entity attack (sample 60): success rate 0.400 [0.350, 0.450], bound 0.300, fail" in successes
    assert re.findall(r'class="abalo-tick"[^>]*>([\d.]+)<', successes) == [
        "0.00",
        "0.20",
        "0.40",
        "0.60",
        "0.80",
        "1.00",
    ]


def test_the_hatching_is_brought_once():
    assert summary(typed.read(Document, searched())).count('id="abalo-hatch"') == 1


def test_a_bound_on_the_drop_is_not_drawn_on_the_axis_of_success():
    document = searched()
    search_of(document)["judgements"][0]["bound"] = "max_f1_drop_changed"
    assert 'class="abalo-limit"' not in charts_of(document)[1]


def test_every_attack_that_searches_has_a_row_with_all_that_its_paper_tables():
    assert cells_of(searched(), "Entity attack") == {
        "Attack": "Entity attack (sample 60)",
        "Entities": "120 in 60 of 80 sentences",
        "Success": "0.400 [0.350, 0.450]",
        "of which missed": "0.625 [0.575, 0.675]",
        "of which type error": "0.250 [0.200, 0.300]",
        "of which boundary error": "0.125 [0.075, 0.175]",
        "Partial success": "0.150 [0.100, 0.200]",
        "Partial success, best state": "0.200 [0.150, 0.250]",
        "Any word wrong": "0.600 [0.550, 0.650]",
        "Any word wrong, best state": "0.650 [0.600, 0.700]",
        "Similarity": "0.928",
        "Words perturbed": "0.132 [0.082, 0.182]",
        "Single change": "0.750 [0.700, 0.800]",
        "Queries": "49 at most 50",
        "Out of budget": "0 of 360 searches",
        "Success over seeds": "0.400 ± 0.020 3 seeds",
    }
    context = cells_of(searched(), "Context attack")
    assert (context["Queries"], context["Out of budget"]) == ("61.5 at most 1,000", "3 of 120 searches")
    assert context["Success over seeds"] == "–"


def test_the_tables_in_full_have_the_same_table():
    page = in_full(searched())
    heads = next(line for line in page.splitlines() if line.startswith("| Attack | Entities |"))
    assert "| Success | of which missed |" in heads
    assert rows_of(page, "Adaptive attacks")[1] == [
        "Entity attack (sample 60)",
        "120, in 60 of 80 sentences",
        "0.400 [0.350, 0.450]",
        *("0.625", "0.250", "0.125", "0.150", "0.200", "0.600", "0.650", "0.928", "0.132", "0.750"),
        "49, at most 50",
        "0, of 360 searches",
        "0.400 ± 0.020, 3 seeds",
    ]


def test_without_a_second_seed_anywhere_there_is_no_column_for_seeds():
    document = searched()
    document["results"] = [each for each in document["results"] if each["name"] != "entity_attack"]
    assert "over seeds" not in of_run(document, SUMMARY) + in_full(document) + detail_of(document, "context_attack")


def test_what_has_no_meaning_is_a_dash_never_a_zero():
    document = searched()
    result = search_of(document)
    result["metrics"] |= dict.fromkeys(METRICS)
    facts = {
        "targets": 0,
        "queries": {"total": 0, "median": None, "most": 0},
        "median_similarity": None,
        "by_seed": [],
        "compared": {trait: {"successful": None, "failed": None} for trait in facts_of(document)["compared"]},
    }
    for view in document["results"]:
        if view["name"] == "entity_attack":
            view["attack"] = view["attack"] | facts
    row = cells_of(document, "Entity attack")
    assert [row[name] for name in ("Success", "of which missed", "Similarity", "Queries")] == ["–"] * 4
    assert row["Entities"].startswith("0 in")
    assert table_of(part_of(document, ACHIEVED))[1][:2] == ["Success rate", "–"]
    assert part_of(document, CONTRAST) == ""
    told = [" ".join(line.split()) for line, _ in lines(typed.read(Document, document), full=True)]
    assert any("success rate – of 0 entities" in line for line in told)
    assert "nan" not in (summary(typed.read(Document, document)) + detail_of(document)).lower()


def test_sources_are_named_once_where_attacks_share_them_and_by_attack_where_they_do_not():
    document = searched()
    notes = sources([typed.read(Result, each) for each in searches_in(document)])
    assert notes["similarity by"] == NGRAMS
    assert notes["parts of speech"].startswith("off, ")
    assert notes["synonyms from"] == facts_of(document, "context_attack")["sources"]["synonyms"]
    facts_of(document)["sources"]["similarity"] = "cosine by encoder minilm"
    notes = sources([typed.read(Result, each) for each in searches_in(document)])
    assert notes["similarity by, Entity attack (sample 60)"] == "cosine by encoder minilm"
    assert notes["similarity by, Context attack (sample 60)"] == NGRAMS
    for page in (Page(summary(typed.read(Document, document))).text, in_full(document)):
        assert f"similarity by, Context attack (sample 60): {NGRAMS}" in page


def test_a_known_part_of_speech_is_named():
    document = searched()
    for name in ("context_attack", "entity_attack"):
        facts_of(document, name)["sources"]["parts of speech"] = "spaCy pt_core_news_sm"
    assert (
        sources([typed.read(Result, each) for each in searches_in(document)])["parts of speech"]
        == "spaCy pt_core_news_sm"
    )


def test_what_success_means_stands_with_the_numbers():
    said = TextWith("no longer found", "every word", "wrongly")
    assert summary(typed.read(Document, searched())) == said
    assert in_full(searched()) == said


def test_searches_that_ran_out_of_budget_are_told_aloud():
    said = "Context attack (sample 60): 3 of 120 searches"
    assert said in markdown(typed.read(Document, searched()))
    assert said in summary(typed.read(Document, searched()))
    assert "Entity attack (sample 60): 0 of" not in markdown(typed.read(Document, searched()))


def test_an_attack_without_changes_shows_a_model_that_holds_one_without_inputs_nothing():
    document = searched()
    for view in document["results"]:
        if view["name"] == "entity_attack":
            view["changed"] = 0
    said = "Entity attack (sample 60) found nothing"
    assert said not in markdown(typed.read(Document, document))
    for view in document["results"]:
        if view["name"] == "entity_attack":
            view["attack"]["queries"]["total"] = 0

    assert said in markdown(typed.read(Document, document))


def test_the_detail_has_every_seed_beside_mean_and_sample_standard_deviation():
    heads, success, *rest = table_of(part_of(searched(), ACHIEVED))
    assert heads[3:] == ["Seed 1", "Seed 2", "Seed 4", "Meaning"]
    assert success[:6] == ["Success rate", "0.400 [0.350, 0.450]", "0.400 ± 0.020", "0.380", "0.400", "0.420"]
    assert rest[-1][:3] == ["Median similarity", "0.928", ""]
    assert table_of(part_of(searched(), ACHIEVED, "context_attack"))[0][:3] == [
        "Metric",
        "Found [95 % interval]",
        "Meaning",
    ]


def test_a_seed_without_a_success_has_no_part_in_the_mean_of_what_successes_share():
    document = searched()
    rows = facts_of(document)["by_seed"]
    rows[0]["missed_entity_rate"], rows[1]["missed_entity_rate"], rows[2]["missed_entity_rate"] = 0.5, None, 0.7
    assert (
        over_seeds(typed.read(Result, search_of(document)), "missed_entity_rate") == "0.600 ± 0.141"
    )  # ±0.1 around, over n - 1
    rows[2]["missed_entity_rate"] = None
    assert over_seeds(typed.read(Result, search_of(document)), "missed_entity_rate") == "–"


def bars_of(fragment: str) -> dict[str, float]:
    """The height of each bar of the histogram, by the words of its title."""
    found = re.findall(r'<title>([^<]*)</title><rect class="abalo-bar"[^>]*height="([\d.]+)"', fragment)
    return {title: float(height) for title, height in found}


def test_changes_are_drawn_by_their_distance_from_the_entity():
    bars = bars_of(part_of(searched(), DISTANCES, "context_attack"))
    assert len(bars) == 32
    assert bars["1 word before: 14 changes"] == 150  # the tallest
    assert bars["1 word after: 11 changes"] == pytest.approx(150 * 11 / 14, abs=0.1)
    assert bars["2 words after: 6 changes"] == pytest.approx(150 * 6 / 14, abs=0.1)
    assert bars["3 words after: 0 changes"] == 0
    assert bars["15 words before: 1 change"] == pytest.approx(150 / 14, abs=0.1)


def test_what_is_beyond_fifteen_words_shares_a_bar_that_says_so():
    bars = bars_of(part_of(searched(), DISTANCES, "context_attack"))
    assert bars["more than 15 words before: 3 changes"] == pytest.approx(150 * 3 / 14, abs=0.1)  # 1 at 40, 2 at 17
    assert bars["more than 15 words after: 1 change"] > 0
    assert part_of(searched(), DISTANCES, "context_attack").count(">&gt; 15</text>") == 2


def test_bars_stand_in_the_order_of_the_sentence_and_never_on_each_other_or_on_the_entity():
    fragment = part_of(searched(), DISTANCES, "context_attack")
    places = [
        (float(x), float(width))
        for x, width in re.findall(r'<rect class="abalo-bar" x="([\d.]+)"[^>]* width="(\d+)"', fragment)
    ]
    entity = re.search(r'<rect class="abalo-entity" x="([\d.]+)"[^>]* width="(\d+)"', fragment)
    places.insert(16, (float(entity[1]), float(entity[2])))
    assert len(places) == 33
    assert all(left + width < right for (left, width), (right, _) in pairwise(places))


def test_the_drawing_can_be_read_aloud_and_is_summed_up_in_words():
    fragment = part_of(searched(), DISTANCES, "context_attack")
    assert re.search(r'role="img"><title>[^<]+</title><desc>[^<]+', fragment)
    assert "2 words before: 9; 1 word before: 14; 1 word after: 11" in fragment
    assert "words before the entity" in fragment
    assert Page(fragment).text == TextWith("Of 50 changes", "40 (80 %)", "within 2 words", "30 (60 %) before")


@pytest.mark.slow
@settings(max_examples=60)
@given(st.dictionaries(st.integers(-90, 90).filter(bool), st.integers(1, 10**5), min_size=1))
def test_no_change_is_lost_from_the_drawing(counts: dict[int, int]):
    document = searched()
    facts_of(document, "context_attack")["offsets"] = [[offset, counts[offset]] for offset in sorted(counts)]
    bars = bars_of(part_of(document, DISTANCES, "context_attack"))
    assert sum(int(re.search(r": ([\d,]+) ", title)[1].replace(",", "")) for title in bars) == sum(counts.values())
    assert max(bars.values()) <= 150


def test_an_attack_on_the_entity_itself_has_no_such_drawing():
    assert part_of(searched(), DISTANCES) == ""


def test_successful_and_failed_attacks_are_compared():
    rows = table_of(part_of(searched(), CONTRAST))
    assert [row[1:] for row in rows] == [
        ["Successful attacks (144)", "Failed attacks (216)"],  # 0.4 of 360
        ["31.7", "28.2"],  # words in the sentence
        ["50.0", "48.5"],  # entities to choose from
        ["1.8", "3.4"],  # words in the entity
    ]
    context = table_of(part_of(searched(), CONTRAST, "context_attack"))
    assert context[2][0] == TextWith("Words", "changed") != rows[2][0]


def test_why_attacks_failed_has_a_table_of_its_own():
    assert rows_of(in_full(searched()), FAILED) == [
        ["Context attack (sample 60)", "72, of 120 searches", "0.100", "0.050", "0.000", "0.000", "0.850"],
        ["Entity attack (sample 60)", "216, of 360 searches", "0.100", "0.050", "0.000", "0.000", "0.850"],
    ]


def test_words_replaced_are_told_by_part_of_speech_beside_those_that_could_have_been():
    assert table_of(part_of(searched(), REPLACED, "context_attack"))[1:] == [
        ["VERB", "30", "0.600", "0.250"],
        ["NOUN", "20", "0.400", "0.750"],
    ]
    assert part_of(searched(), REPLACED) == ""


@pytest.mark.parametrize(
    ("failures", "said"),
    [
        ({"nothing_to_try": 61, "similarity": 0}, "61 of 120 searches had"),
        ({"nothing_to_try": 0, "similarity": 61}, "61 of 120 searches rejected"),
    ],
)
def test_an_attack_that_could_show_little_says_so(failures: Json, said: str):
    document = searched()
    facts = facts_of(document, "context_attack")
    assert said not in markdown(typed.read(Document, document))
    facts |= {"untried": 61, "failures": facts["failures"] | failures}
    assert said in markdown(typed.read(Document, document))


def test_a_side_without_a_search_has_a_dash():
    document = searched()
    facts_of(document)["compared"]["sentence_length"]["failed"] = None
    assert table_of(part_of(document, CONTRAST))[1][1:] == ["31.7", "–"]


RARITY = {
    "of": "entities",
    "changes": 12,
    "pairs": 12,
    "original": 6.25,
    "replacement": 1.5,
    "p": 0.0301,
    "training": "train.conll",
}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ("In train.conll, the entity", "1.5 times", "6.2 times", "rarer (Wilcoxon", "p = 0.030, n = 12")),
        ({"of": "words"}, ("In train.conll, a word", "1.5 times", "6.2 times")),
        ({"p": 1e-9}, ("rarer (Wilcoxon", "p < 0.001, n = 12")),
        ({"p": 0.05}, ("no clear difference", "p = 0.050, n = 12")),
        ({"replacement": 9.0}, ("9.0 times", "more frequent (Wilcoxon")),
        ({"p": None}, ("equally frequent", "(n = 12)")),
        ({"changes": 30}, ("The 30 changes", "count as one")),
        ({"pairs": 0, "original": None, "replacement": None, "p": None}, ("No attack succeeded", "train.conll")),
    ],
)
def test_rarity_is_said_with_its_numbers(changes: Json, said: tuple[str, ...]):
    assert rarity_said(typed.read(Rarity, RARITY | changes)) == TextWith(*said)


def test_rarity_is_said_only_where_it_was_looked_at():
    assert "In train.conll" in detail_of(searched())
    assert "Wilcoxon" not in detail_of(searched(), "context_attack")


def test_types_show_success_and_its_bound():
    document = searched()
    result = search_of(document)
    result["judgements"].append(result["judgements"][0] | {"type": "PESSOA", "limit": 0.5})
    page = detail_of(document)
    row = next(row for row in table_of(page) if row[0] == "PESSOA")
    assert row[1:4] == [str(result["per_type"]["PESSOA"]["support"]), "60", "0.460"]
    assert "PESSOA: success rate 0.460 [0.410, 0.510], bound 0.500" in page
    heads = next(row for row in table_of(page) if row[0] == "Entity type")
    assert heads[1:4] == ["Gold entities", "Sentences", "Success rate"]
    assert heads[5:] == ["Missed entity rate", "Type error rate", "Boundary error rate", "Partial success rate"]


def test_a_type_that_was_never_attacked_has_dashes():
    document = searched()
    search_of(document)["per_type"]["TEMPO"] |= dict.fromkeys(METRICS)
    row = next(row for row in table_of(detail_of(document)) if row[0] == "TEMPO")
    assert [*row[2:4], *row[5:]] == ["0", *["–"] * 5]


def test_the_detail_says_what_was_asked_and_where_every_search_is():
    text = Page(detail_of(searched())).text
    assert text == TextWith("120 entities in 60 of 80 sentences", "17,641 queries (median", " 49")
    assert "seeds 1, 2, 4, 530 new model inputs in 1.2 s." in text
    assert "attacks/entity_attack-sample-60.jsonl, beside" in text
    assert f"similarity by: {NGRAMS}" in text
    document = searched()
    facts_of(document)["log"] = None
    assert "beside this report" not in detail_of(document)


def test_an_attack_without_a_bound_is_shown_in_the_view_that_has_its_examples():
    document = searched()
    shown = next(
        each for each in typed.as_json(cases(typed.read(Document, document))) if each["name"] == "context_attack"
    )
    assert shown["view"] == "structural"
    page = detail_of(document, "context_attack")
    assert page.count("abalo-target-start") == page.count("abalo-target-stop") == 3  # both sentences, and the legend


def test_a_longer_entity_in_place_of_the_target_is_marked_whole():
    new = detail_of(searched()).split("perturbed</b>")[1].partition("</p>")[0]
    assert new.count("abalo-target-start") == new.count("abalo-target-stop") == 1
    assert new.count('<mark class="abalo-edited" title="was: Belém">') == 4
    assert Page(new).text.count("✗ lost LOCAL") == 1


def test_names_and_sources_mean_nothing_but_themselves():
    document = searched()
    nasty = "<script>\"&'|`"
    for view in document["results"]:
        if "attack" in view:
            view["attack"] = view["attack"] | {"sources": {nasty: nasty, "entities": nasty}, "log": nasty}
            view["attack"]["rarity"] = RARITY | {"training": nasty}
            view["attack"]["compared"] = {nasty: {"successful": 1.0, "failed": 2.0}}
            view["params"] = {nasty: nasty}
    for page in (summary(typed.read(Document, document)), detail_of(document), detail_of(document, "context_attack")):
        assert "script" not in Page(page).tags
        assert "&lt;script&gt;" in page
        names = [value for kind, value in Page(page).attributes if kind == "id"]
        assert len(names) == len(set(names))
    page = in_full(document)
    assert "<script" not in page
    assert [len(row) for row in rows_of(page.replace("\\|", ""), "Adaptive attacks")] == [16] * 2


def test_a_warning_at_the_end_of_the_name_of_a_source_is_not_cut_off():
    document = searched()
    facts_of(document)["sources"]["similarity"] = "x" * 150 + ", measures form"
    assert "x, measures form" in in_full(document)


def test_hundreds_of_such_attacks_still_fit_into_a_pull_request_comment():
    document = searched()
    one = search_of(document)
    document["results"] += [
        one | {"id": f"ner/{k}", "attack": one["attack"] | {"sources": {"similarity": f"{k}" * 200}}}
        for k in range(500)
    ]
    page = markdown(typed.read(Document, document))
    assert len(page.encode()) <= 60_000
    assert re.search(r" · \d+ more in robustness\.json", page)


def test_a_regression_that_is_not_fixed_is_named_everywhere():
    document = sample()
    fixed = REGRESSION | {"id": "context_attack-1", "status": "fixed"}
    document |= {"regressions": [fixed, REGRESSION], "verdict": "fail"}
    said = "still broken, labelled B-PESSOA: O réu apelou em [Gaia LOCAL] ."
    for page in (Page(summary(typed.read(Document, document))).text, markdown(typed.read(Document, document))):
        assert f"{REGRESSION['id']}" in page
        assert said in page
        assert "character_noise[rate-0.1] fails, 1 regression broken" in page
        assert "1 undecided, 1 earlier failure fixed" in page
        assert "context_attack-1" not in page
    assert [line for line, _ in lines(typed.read(Document, document))][-3:-1] == [
        "1 undecided, 1 earlier failure fixed",
        "FAIL: character_noise[rate-0.1] fails, 1 regression broken",
    ]


def test_a_run_of_regressions_alone_judged_no_case_and_does_not_complain():
    document = sample() | {"results": [], "regressions": [REGRESSION | {"status": "fixed"}], "verdict": "pass"}
    document["counts"] = dict.fromkeys(document["counts"], 0)
    page = markdown(typed.read(Document, document))
    assert page.startswith("# ✓ PASS: 1 earlier failure fixed\n")
    assert REGRESSION["id"] not in page


def test_a_regression_without_text_is_told_by_its_labels():
    document = sample() | {"regressions": [REGRESSION | {"before": None, "after": None}]}
    assert f"`{REGRESSION['id']}`: still broken, labelled B-PESSOA\n" in markdown(typed.read(Document, document))


def test_the_sample_is_what_json_can_hold():
    assert json.loads(json.dumps(searched())) == searched()
