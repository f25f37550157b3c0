"""The first screen of the page: what it is about, what was found, one chart a scale, bounds where they hold."""

import re
from copy import deepcopy

import pytest

from abalo.core.documents.blocks import Bar, Chart, Fold, Group, Measured, Table, Text
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.records import json_records as typed
from abalo.core.records import words
from abalo.reporting.content import review, run
from abalo.reporting.content.blocks import look
from abalo.reporting.content.facts import facts
from abalo.reporting.content.run import clean
from abalo.reporting.content.sections import subjects
from abalo.reporting.content.sections.drops import blocks as drops
from abalo.reporting.documents.finding import worst_group
from abalo.reporting.documents.quoting import PAGE_TITLE, is_page
from abalo.reporting.drawing import figures
from abalo.reporting.drawing.lanes import lanes
from abalo.reporting.formats.report_page import report_page
from tests.comparison.test_loss_tests import made, row
from tests.reporting.documents import (
    clean_score,
    invariant,
    judgement,
    measured,
    questioned,
    result_of,
    sample,
    searched,
)
from tests.reporting.test_look import looked
from tests.reporting.test_report_page import standing
from tests.texts import TextWith


def read(document):
    return typed.read(Document, document)


def title_of(page):
    return re.search("<title>(.*?)</title>", page)[1]


# What the page is about


def test_title_and_heading_name_model_corpus_and_day(tmp_path):
    page = report_page(read(sample()))
    named = "./checkpoints/&lt;b&gt;lener|v2&lt;/b&gt; on lener-br/dev.conll"
    assert title_of(page) == f"{named}, 2026-11-22 · {PAGE_TITLE}"
    assert f"<h1>{named}, <time>2026-11-22</time></h1>" in page
    tmp_path.joinpath("report.html").write_text(page, "utf-8")
    assert is_page(tmp_path / "report.html")


def test_several_models_are_counted_and_an_unknown_day_is_left_out():
    document = sample() | {"date": None}
    document["tasks"]["pos"] = deepcopy(document["tasks"]["ner"])
    document["tasks"]["pos"]["model"]["fingerprint"] = "other"  # of the same name
    assert subjects.heading(read(document)) == "2 models on lener-br/dev.conll"
    assert subjects.day(read(document)) == ""
    assert "<time>" not in report_page(read(sample() | {"date": None}))


def test_a_long_path_is_named_by_its_file_and_folder_and_stands_in_full_among_the_facts():
    document, path = sample(), "/home/ana/work/models/2026/legal-ner/checkpoint-4000"
    document["tasks"]["ner"]["model"]["name"] = path
    assert subjects.heading(read(document)) == "…/legal-ner/checkpoint-4000 on lener-br/dev.conll"
    assert next(run.subjects(read(document))).lines[0].text.startswith("…/legal-ner/checkpoint-4000 (")
    (model,) = (line.text for text in facts(read(document)) for line in text.lines if line.term == "Model")
    assert model.startswith(f"{path}, ")


def test_a_page_about_nothing_has_the_plain_title():
    document = sample() | {"tasks": {}, "results": []}
    assert title_of(report_page(read(document))) == PAGE_TITLE


# What a look found


def verdict_of(document):
    return next(block for block in subjects.blocks(read(document)) if isinstance(block, Text))


def test_the_headline_of_a_look_is_its_finding_and_no_warning():
    said = verdict_of(looked())
    assert said.verdict.word == "The model loses 0.214 F1 to character noise"
    assert said.verdict.verdict is None
    assert said.lines == ("Measured, not judged: 6 cases.",)
    page = report_page(read(looked()))
    assert '"abalo-headline abalo-unjudged"' in page
    assert "abalo-headline abalo-inconclusive" not in page


def test_a_notice_of_one_of_several_tasks_names_it_and_a_notice_of_all_does_not():
    document = sample()
    document["tasks"]["ner"]["notice"] = "No LOC is predicted.\nOn a CPU."
    assert [*next(run.notices(read(document))).lines][:2] == ["No LOC is predicted.", "On a CPU."]
    document["tasks"]["pos"] = deepcopy(document["tasks"]["ner"]) | {"notice": "On a CPU."}
    said = [*next(run.notices(read(document))).lines]
    assert said[:2] == ["Named-entity recognition: No LOC is predicted.", "On a CPU."]


def test_bars_are_sorted_by_verdict_and_by_the_number_that_is_drawn():
    document = sample()
    shown = [bar for each in drops(read(document)) if isinstance(each, Chart) for bar in each.groups[0].bars]
    ranks = [(["fail", "inconclusive", "pass", None].index(bar.verdict.verdict), -bar.number.value) for bar in shown]
    assert len(ranks) > 2
    assert ranks == sorted(ranks)


def test_in_a_look_no_bar_has_a_verdict():
    charts = [each for each in drops(read(looked())) if isinstance(each, Chart)]
    assert {bar.verdict for each in charts for bar in each.groups[0].bars} == {None}


def test_a_look_without_a_certain_loss_names_a_label_that_loses_or_the_largest_loss():
    document = looked()
    for each in document["results"]:
        if "f1_drop_changed" in each["metrics"]:
            each["metrics"]["f1_drop_changed"] = measured(0.01)  # from -0.02 to 0.04
            for k, row in enumerate(each["per_type"].values()):
                row["f1_drop_changed"] = measured(0.02)
                if k == 0 and each["name"] == "accents":
                    row["f1_drop_changed"] = measured(0.5)
    loses = verdict_of(document).verdict.word
    assert loses.endswith(" loses 0.500 F1 to accents")
    for each in document["results"]:
        for row in each["per_type"].values():
            row["f1_drop_changed"] = measured(0.02)
    said = verdict_of(document).verdict.word
    assert said.startswith("No F1 loss is certain on 200 sentences; the largest is 0.010, to ")


def test_a_look_is_headed_by_the_largest_loss_of_a_label_however_sure_a_smaller_one_is():
    document = looked()
    for each in document["results"]:
        if "f1_drop_changed" in each["metrics"]:
            each["metrics"]["f1_drop_changed"] = measured(0.01)
            for row in each["per_type"].values():
                row["f1_drop_changed"] = measured(0.02)
    sure, large = (result_of(document, name)["per_type"] for name in ("accents", "token_masking"))
    sure["LOCAL"]["f1_drop_changed"] = measured(0.2, 0.01)
    large["LOCAL"]["f1_drop_changed"] = measured(0.3, 0.29)
    large["TEMPO"]["f1_drop_changed"] = measured(0.25, 0.01)
    large["PESSOA"]["f1_drop_changed"] = measured(0.4, 0.41)
    assert verdict_of(document).verdict.word.endswith(" LOCAL loses 0.300 F1 to token masking")


def test_what_is_to_look_into_has_the_order_of_the_chart():
    document = sample()
    for name, value in (("accents", 0.13), ("word_insertion", 0.16), ("token_masking", 0.14)):
        doubted = judgement("max_f1_drop_changed", 0.15, value, "inconclusive")
        result_of(document, name).update(verdict="inconclusive", judgements=[doubted], examples=[])
        result_of(document, name)["metrics"]["f1_drop_changed"] = measured(value)
    found = read(document)
    charted = [bar.label for each in drops(found) if isinstance(each, Chart) for bar in each.groups[0].bars]
    listed = [line.term for text in review.to_look_into(found) for line in text.lines]
    assert listed == ["Word insertion", "Token masking", "Accents"]
    assert [label for label in charted if label in listed] == listed


def test_only_a_look_is_headed_by_its_finding():
    assert look.finding(read(sample())) == ""
    assert verdict_of(sample()).verdict.word == "FAIL"


def test_what_costs_most_is_one_scale_a_table_sorted_by_the_number_shown():
    document = looked()
    found = [each for each in searched()["results"] if each["probe"] == "attack"]
    document["results"] += [each | {"bound": None, "verdict": None, "judgements": []} for each in found]
    tables = [block for block in look.summary(read(document)) if isinstance(block, Table)]
    headings = [table.columns[1].heading for table in tables]
    assert headings[0] == "F1 drop"
    assert len(headings) == len(set(headings)) > 1
    values = [[row.cells[1].value for row in table.rows] for table in tables]
    assert values == [sorted(each, reverse=True) for each in values]


# One chart a task and scale, and bounds where they hold


def charts_of(document):
    found = []
    for block in drops(read(document)):
        found += [each for each in (block.blocks if isinstance(block, Fold) else (block,)) if isinstance(each, Chart)]
    return found


def test_tasks_and_scales_have_charts_of_their_own_and_the_task_is_named_once():
    document = sample()
    document["results"] += questioned()["results"] + invariant()["results"]
    document["tasks"] |= questioned()["tasks"]
    charts = charts_of(document)
    assert all(" or " not in chart.quantity for chart in charts)
    titles = [chart.title for chart in charts]
    assert len(set(titles)) == len(titles) > 2
    (own,) = [chart for chart in charts if chart.title.startswith("Named-entity recognition: F1 drop with ")]
    assert not any("Named-entity" in bar.label for bar in own.groups[0].bars)


def test_a_bound_over_all_sentences_is_drawn_at_the_number_over_all():
    document = sample()
    noise = result_of(document, "character_noise")
    noise["metrics"]["f1_drop"] = measured(0.171)
    noise["judgements"] = [judgement("max_f1_drop", 0.15, 0.171, "inconclusive")]
    over_all, changed = (
        next(chart for chart in charts_of(document) if bar in [each.label for each in chart.groups[0].bars])
        for bar in ("Character noise", "Accents")
    )
    (bar,) = (each for each in over_all.groups[0].bars if each.label == "Character noise")
    assert (bar.number.value, bar.limit) == (0.171, 0.15)
    assert over_all.quantity != changed.quantity
    for each in changed.groups[0].bars:
        assert each.limit is not None, each.label


# One loss once


def test_a_loss_stands_once_on_the_first_screen():
    document = made(row("ner/accents", "regressed", 0.3))
    document["results"] = sample()["results"]
    result_of(document, "accents")["verdict"] = "fail"
    text = standing(report_page(read(document)))
    assert text.count("0.900 → 0.600") == 1
    assert text.count("0.300 [0.250, 0.350]") == 1


def test_a_loss_that_does_not_block_keeps_its_row_on_the_page():
    document = made(row("ner/accents", "regressed", 0.3, blocking=False))
    text = standing(report_page(read(document)))
    assert "Accents 0.900 0.600 0.300 [0.250, 0.350]" in text


# Words


def test_a_clean_score_that_is_not_surely_above_two_limits_has_one_line():
    document = sample()
    least = clean_score(0.28, spread=0.08)
    judged = least["judgements"][0] | {"reason": "the interval contains the bound"}
    least["judgements"] = [judged, judged | {"limit": 0.25}]
    document["tasks"]["ner"]["baseline"]["least"] = least
    said = [item.text for item in clean(read(document)) if item.text.startswith("clean F1")]
    assert said == [TextWith("clean F1 0.280 [0.200, 0.360]", "above 0.300, the least score")]
    judged |= {"needed": 400}
    assert [item.text for item in clean(read(document))] == [TextWith("400 sentences would show", "too low")]


@pytest.mark.parametrize(("group", "said"), [("PER", "PER"), ("1", "“1”"), ("4+", "“4+”"), ("positive", "positive")])
def test_a_group_is_never_taken_for_a_number(group, said):
    assert words.label(group) == said


def test_the_worst_group_is_named_so_too():
    noise = result_of(sample(), "character_noise")
    noise["per_type"] = {name: noise["per_type"][kind] for name, kind in (("1", "PESSOA"), ("0", "TEMPO"))}
    assert worst_group(typed.read(Result, noise)).startswith("“")


@pytest.mark.parametrize(
    ("count", "of", "said"), [(1, 1, "over 1 case"), (2, 2, "over 2 cases"), (1, 2, "over 1 of 2 cases")]
)
def test_a_mean_counts_its_cases(count, of, said):
    from abalo.comparison.document.loss_tests import in_words
    from abalo.core.documents.losses_found import LossFacts

    loss = typed.read(LossFacts, row(None, "no worse") | {"cases": count, "of_cases": of})
    assert in_words(loss, "ner").endswith(f"; {said}")


# Charts


def bar(value, low, high, **more):
    return Bar("a case", Measured(value, low, high), **more)


def test_few_examples_do_not_stretch_a_chart_and_their_interval_ends_in_arrows():
    shown = [bar(0.1, 0.05, 0.15), bar(0.5, -0.3, 0.97, few=True)]
    low, high = figures.scale_of(shown)
    assert (low, high) == figures.scale_of(shown[:1])
    assert figures.scale_of(shown[1:])[1] > 0.9  # alone it has the chart
    scale = figures.Scale(low, high, 0.0, 600.0)
    arrows = "M0.0 10H600.0M10 7L0.0 10L10 13M590 7L600.0 10L590 13"
    assert f'd="{arrows}"' in str(figures.whisker(-0.3, 0.97, scale, 10, 3))
    assert "M200 7L200.0 10L200 13" in str(figures.whisker(high / 3, 0.15, scale, 10, 3))


def test_numbers_at_the_ends_of_an_axis_stay_on_the_page():
    chart = Chart("", (Group("", (bar(0.0, -0.04, 0.04),)),), "F1 drop", scale=(-0.04, 0.04))
    shown = re.findall(r"left:([\d.]+)%;transform:translateX\(-(\d+)%\)", str(lanes(chart)))
    assert (shown[0], shown[-1]) == (("0.0", "0"), ("100.0", "100"))
    assert ("50.0", "50") in shown
