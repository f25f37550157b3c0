"""report.html as text: its parts and their order, without a script; that nothing in it is read as markup; its size."""

import base64
import hashlib
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abalo.comparison.blocks.comparison import regressed_cases
from abalo.comparison.blocks.newly_broken import with_records
from abalo.core.documents.blocks import Chart, Text
from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.errors import AbaloError
from abalo.reporting.content.sections import Section, ordered_sections, sections
from abalo.reporting.content.sections.drops import blocks as drops
from abalo.reporting.content.sections.types import blocks as types
from abalo.reporting.documents.quoting import is_page
from abalo.reporting.formats.files import write_report
from abalo.reporting.formats.markdown import markdown
from abalo.reporting.formats.report_page import SIZE_LIMIT, report_page
from tests.reporting.documents import (
    MISSPELT,
    able,
    interrupted,
    many,
    questioned,
    result_of,
    sample,
    searched,
    sliced,
    without_text,
)
from tests.reporting.shown import Page
from tests.texts import TextWith

SAME = "; the words stay the same, so the change does not show"


def data_of(page: str) -> dict:
    return json.loads(re.search(r'id="abalo-data">(.*?)</script>', page)[1])


def standing(page: str) -> str:
    """The text that stands without a script."""
    return Page(page.partition("<body")[2].partition('<script type="application/json"')[0]).text


def test_the_page_is_read_from_the_top():
    document = sample()
    others = (*able()["results"], *sliced()["results"], *searched()["results"])
    document["results"] += [each for each in others if each["probe"] in ("capability", "slice", "attack")]
    page = report_page(typed.read(Document, document))
    found = re.findall(r'<section id="(\w+)"', page)
    assert found == ["verdict", "worse", "drops", "types", "capabilities", "slices", "attacks", "cases", "rest"]


def test_the_verdict_stands_first_then_who_was_judged_then_what_failed():
    text = standing(report_page(typed.read(Document, sample())))
    order = (
        "FAIL",
        "Named-entity recognition: ./checkpoints/<b>lener|v2</b>",
        "Reference: none",
        "What failed and what is undecided",
        MISSPELT,
        "To look into",
        "F1 drop with 95 % interval",
    )
    places = [text.index(said) for said in order]
    assert places == sorted(places)


def test_the_drops_are_sorted_by_what_matters():
    chart = next(block for block in drops(typed.read(Document, sample())) if isinstance(block, Chart))
    shown = [(bar.label, bar.verdict.verdict) for bar in chart.groups[0].bars]
    assert shown == [
        ("Character noise", "fail"),
        ("Token masking", "inconclusive"),
        ("Word insertion", "pass"),
        ("Accents", "pass"),
        ("Synonyms (lexicon legal_pt)", "pass"),
    ]


def compared(document, new=0.823529):
    """A comparison in which Accents had a score of 0.8 and the clean corpus one of 0.85."""
    loss = {"type": None, "metric": "f1", "state": "regressed", "reason": None, "blocking": True, "limit": 0.01}
    loss |= {
        "value": 0.0,
        "low": 0.0,
        "high": 0.0,
        "p": 0.5,
        "detectable_loss": 0.02,
        "n": 110,
        "waiver": None,
        "weight": 0.0,
    }
    loss |= {"paired_by": "variant", "level": 0.025, "discordant": 9, "compared": 1.0, "because_of": []}
    clean = loss | {"id": "ner/baseline", "reference": 0.85, "new": 0.866373}
    own = {
        "state": "regressed",
        "decided": False,
        "metric": "f1",
        "model": "old",
        "changed_unseen": False,
        "corpus": "dev.conll",
        "hypotheses": 1,
        "judged": 1,
        "baseline": clean,
        "mean": None,
        "losses": [loss | {"id": "ner/accents", "reference": 0.8, "new": new}],
        "lost": [],
        "small_lost": [],
        "found_less": [],
        "trainings": [],
        "only_new": [],
        "perturbed": True,
        "only_reference": [],
        "newly_worse": [],
        "newly_better": [],
    }
    reference = {"name": "1.0", "date": "2026-11-01", "commit": "0123456789abcdef"}
    return document | {
        "comparison": {
            "reference": reference,
            "state": "regressed",
            "decided": False,
            "missing": [],
            "level": 0.025,
            "tasks": {"ner": own},
        }
    }


def judged(*verdicts):
    """A document whose cases after the first, the baseline, which holds, have these verdicts."""
    document = sample()
    shown = [each for each in document["results"] if each["bound"] is not None]
    for result, verdict in zip(shown, ("pass", *verdicts, *["pass"] * len(shown)), strict=False):
        result["verdict"] = verdict
    return document


def with_state(state):
    """A passing document with a comparison in which every loss has this state."""
    document = compared(judged())
    own = document["comparison"]["tasks"]["ner"]
    document["comparison"]["state"] = own["state"] = state
    for loss in (own["baseline"], *own["losses"]):
        loss["state"] = state
    return document


@pytest.mark.parametrize(
    ("document", "heading"),
    [
        (judged("fail"), "What failed"),
        (judged("inconclusive"), "What is undecided"),
        (judged(), "Nothing failed"),
        (compared(judged("fail", "inconclusive")), "What got worse, what failed and what is undecided"),
        (with_state("regressed"), "What got worse"),
        (with_state("can't tell"), "What is undecided"),
        (with_state("no worse"), "Nothing got worse"),
        (interrupted(), "What did not run"),
    ],
)
def test_the_heading_says_what_stands_below_it(document, heading):
    assert f'<h2 id="abalo-head-worse">{heading}</h2>' in report_page(typed.read(Document, document))


def test_a_part_without_anything_in_it_has_no_heading():
    page = report_page(typed.read(Document, interrupted()))
    assert 'id="rest"' not in page
    assert 'href="#rest"' not in page


def test_a_share_has_no_axis_and_no_key_below_0_or_above_1_and_its_groups_have_their_name():
    document = typed.read(Document, questioned())
    (chart,) = (block for block in drops(document) if isinstance(block, Chart))
    assert 0 <= chart.scale[0] < chart.scale[1] <= 1
    (table,) = types(document)
    assert [key.swatch for key in table.legend] == ["loss", "bold"]
    assert sections()["types"].heading(document) == "By variant"


def test_the_headline_number_of_the_reference_is_marked_on_every_bar_that_has_it():
    document = compared(sample(), 0.8)
    (own,) = document["comparison"]["tasks"]["ner"]["losses"]
    others = [{**own, "id": case, "headline": found} for case, found in (("ner/synonyms", None), (NOISE, 0.2))]
    document["comparison"]["tasks"]["ner"]["losses"] = [own | {"headline": 0.05}, *others]
    chart = next(block for block in drops(typed.read(Document, document)) if isinstance(block, Chart))
    found = {bar.case: bar.reference for bar in chart.groups[0].bars if bar.reference is not None}
    assert found == {"ner/accents": 0.05, NOISE: 0.2}


NOISE = "ner/character_noise[rate-0.1]"


def test_a_case_that_lost_against_the_reference_stands_first_and_is_no_pass():
    document = compared(sample())
    lost = regressed_cases(typed.read(Document, document))
    chart = next(block for block in drops(typed.read(Document, document)) if isinstance(block, Chart))
    marked = [bar.case in lost for bar in chart.groups[0].bars]
    assert any(marked)
    assert marked == sorted(marked, reverse=True)
    assert {bar.case for bar in chart.groups[0].bars if bar.verdict.word == "regressed"} <= lost


def test_in_the_map_a_case_that_lost_against_the_reference_stands_above_one_that_failed():
    first = [types(typed.read(Document, document))[0].rows[0].case for document in (sample(), compared(sample()))]
    assert first == ["ner/character_noise[rate-0.1]", "ner/accents"]


def test_in_the_table_of_all_cases_a_case_that_lost_against_the_reference_is_regressed():
    rows = {each["id"]: each for each in data_of(report_page(typed.read(Document, compared(sample()))))["cases"]}
    shown = {name: (rows[name]["verdict"], rows[name]["word"]) for name in ("ner/accents", "ner/baseline")}
    assert shown == dict.fromkeys(("ner/accents", "ner/baseline"), ("fail", "regressed; bounds hold"))
    before = {each["id"]: each["verdict"] for each in data_of(report_page(typed.read(Document, sample())))["cases"]}
    assert (before["ner/accents"], before["ner/baseline"]) == ("pass", "pass")


def test_the_margin_of_a_case_is_about_the_number_that_is_shown():
    document = sample()
    case = next(each for each in document["results"] if each["id"] == "ner/word_insertion[rate-0.1]")
    case["judgements"].append(case["judgements"][0] | {"bound": "min_f1", "limit": 0.8, "value": 0.79})
    rows = {each["id"]: each for each in data_of(report_page(typed.read(Document, document)))["cases"]}
    found = [(rows[name]["margin"], rows[name]["bound"]) for name in ("ner/accents", "ner/baseline", case["id"])]
    assert found == [(0.057156, "F1 drop ≤ 0.100"), (0.066373, "F1 ≥ 0.800"), (0.035, "F1 drop ≤ 0.100")]


def test_the_reference_is_named_with_its_model_age_and_commit():
    text = standing(report_page(typed.read(Document, compared(sample()))))
    assert text == TextWith("Run: 2026-11-22 09:30 UTC · commit 89abcdef0123, ", "not committed")
    assert "Reference: 1.0 · old · accepted 2026-11-01 (21 days before this run) · commit 0123456789ab" in text


def test_a_reference_that_nobody_accepted_is_named_with_the_day_and_the_commit_of_its_run():
    document = compared(sample())
    run = {"date": "2026-11-22T08:00:00Z", "commit": "0123456789abcdef0123456789abcdef01234567", "dirty": False}
    document["comparison"]["reference"] = {"name": "before", "run": run}
    text = standing(report_page(typed.read(Document, document)))
    assert text == TextWith("Reference: before · old · run 2026-11-22, ", " · commit 0123456789ab")


def test_a_run_of_an_earlier_version_has_no_line_on_its_day():
    document = {name: value for name, value in sample().items() if name not in ("date", "commit", "dirty")}
    text = standing(report_page(typed.read(Document, compared(document))))
    assert "Run:" not in text
    assert "accepted 2026-11-01 · commit 0123456789ab" in text


def test_sentences_that_are_newly_broken_are_shown_with_their_edits():
    document = compared(sample())
    unit = {"case": "ner/accents", "sentence_id": "s1", "seed": 1, "place": ""}
    document["comparison"]["tasks"]["ner"]["newly_worse"] = [unit | {"worse": 1.0, "text": "Ana Sa fala"}]
    record = {
        "case": "ner/accents",
        "sentence_id": "s1",
        "seed": 1,
        "tokens": ["Ana", "Sá", "fala"],
        "gold": ["B-PESSOA", "I-PESSOA", "O"],
        "edits": [{"start": 1, "stop": 2, "tokens": ["Sa"]}],
        "clean": ["B-PESSOA", "I-PESSOA", "O"],
        "predicted": ["O", "O", "O"],
    }
    kept = typed.as_json(with_records(typed.read(Document, document), ["no record", json.dumps(record)]))["comparison"][
        "tasks"
    ]["ner"]["newly_worse"]
    assert kept[0]["record"] == record
    assert "record" not in document["comparison"]["tasks"]["ner"]["newly_worse"][0]


@pytest.mark.parametrize(
    ("edits", "same"),
    [([{"start": 1, "stop": 2, "tokens": ["Sa"]}], ""), ([{"start": 1, "stop": 2, "tokens": ["Sá"]}], SAME)],
)
def test_a_newly_broken_sentence_says_how_the_reference_answered(edits, same):
    document = compared(sample())
    unit = {"case": "ner/accents", "sentence_id": "s1", "seed": 1, "place": ""}
    tags, tokens = ["B-PESSOA", "I-PESSOA", "O"], ["Ana", "Sá", "fala"]
    record = {**unit, "tokens": tokens, "gold": tags, "clean": tags, "edits": edits, "predicted": ["O"] * 3}
    for worse, answered in ((1.0, "was right after the change"), (0.25, "scored 0.250 higher after")):
        document["comparison"]["tasks"]["ner"]["newly_worse"] = [unit | {"worse": worse, "text": "Ana Sa fala"}]
        page = report_page(typed.read(Document, document), [json.dumps(record)])
        assert f"seed 1, id s1{same}; the reference {answered}" in page
        assert f"Ana Sa fala; the reference {answered}" in page


@pytest.mark.parametrize("edits", [[{"start": 1, "stop": 2, "tokens": ["Sa"]}], []])
def test_a_newly_broken_sentence_that_was_wrong_before_the_change_says_so(edits):
    document = compared(sample())
    unit = {"case": "ner/accents", "sentence_id": "s1", "seed": 1, "place": ""}
    document["comparison"]["tasks"]["ner"]["newly_worse"] = [unit | {"worse": 1.0, "text": "Ana Sa fala"}]
    tags, wrong = ["B-PESSOA", "I-PESSOA", "O"], ["O"] * 3
    before = {**unit, "case": "ner/baseline", "tokens": ["Ana", "Sá", "fala"], "gold": tags, "clean": wrong}
    records = [before | {"edits": [], "predicted": wrong}, before | {**unit, "edits": edits, "predicted": wrong}]
    page = report_page(typed.read(Document, document), map(json.dumps, records))
    told = "was right after the change; this run had errors before the change, too" if edits else "was right here"
    assert re.search(rf"id s1[^.]*; the reference {told}</", page)


def test_the_texts_that_got_worse_are_counted_if_the_report_does_not_name_them_all():
    document = compared(sample())
    own = document["comparison"]["tasks"]["ner"]
    unit = {"case": "ner/accents", "seed": 1, "place": "", "worse": 1.0, "text": "Ana Sa fala"}
    own["newly_worse"] = [unit | {"sentence_id": name} for name in ("s1", "s2", "s2")]
    for count, title in ((2, "## Sentences that got worse"), (35, "## 2 of 35 sentences that got worse")):
        own["worse"] = count
        assert title in markdown(typed.read(Document, document)).splitlines()


def test_a_section_that_is_registered_is_part_of_the_page_and_of_its_contents():
    added = sections.register(Section("weather", "Weather", lambda document: [Text(("Cloudy <b>.",), "Sky")], order=15))
    names = [section.name for section in ordered_sections()]
    assert names.index("weather") == names.index("attacks") - 1
    page = report_page(typed.read(Document, sample()))
    assert added.title in standing(page)
    assert '<a href="#weather">Weather</a>' in page
    assert "Cloudy &lt;b&gt;." in page


def test_nothing_is_said_twice_and_nothing_is_left_out():
    """Capabilities have a section, and so no place among the rest; invariances have none, and so one there."""
    page = report_page(typed.read(Document, able()))
    assert page.count("<h3>Capabilities</h3>") == 1
    folded = re.findall(r"<details[^>]*><summary>(.*?)</summary>", page.partition('id="rest"')[2])
    assert "Capabilities" not in folded
    assert {"Measured on", "F1 drop by level of language"} <= set(folded)


def test_a_run_that_never_began_has_a_page():
    text = standing(report_page(typed.read(Document, interrupted())))
    assert "INCOMPLETE" in text
    assert "the model gave 3 rows for 4 tokens <b>" in text.replace("\\n", " ")


def test_nothing_comes_from_elsewhere_and_no_script_runs_but_that_of_the_page():
    page = report_page(typed.read(Document, searched()))
    assert not re.search(
        r"""https?://(?!www\.w3\.org/2000/svg)|src=|@import|url\((?!#abalo-)|javascript:|\son\w+=""", page
    )
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src &#39;none&#39;; script-src &#39;sha256-{digest}&#39;" in page
    assert "innerHTML" not in script
    assert "insertAdjacentHTML" not in script


def test_text_of_a_corpus_is_text_in_markup_and_in_data():
    page = report_page(typed.read(Document, sample()))
    assert page.count("<script") == 2
    assert "alert(1)" in page
    assert "<script>alert" not in page


@pytest.mark.slow
@settings(max_examples=10)
@given(st.text(st.characters(exclude_categories=()), min_size=1).filter(lambda text: text.strip() and text[0] != "\n"))
def test_whatever_the_names_and_words_are_the_page_can_be_written_and_read(name):
    document = sample()
    document |= {"notice": name, "device": name, "missing": [name], "errors": [{"id": name, "message": name}]}
    document["model"]["name"] = document["corpus"]["name"] = name
    result = result_of(document, "character_noise")
    for each in document["results"]:
        each["id"] = f"ner/{name}" if each["id"] == result["id"] and each is not result else each["id"]
    result |= {"id": f"ner/{name}", "command": name, "params": {name: [name]}}
    result["per_type"] = {name: result["per_type"]["PESSOA"]}
    for each in result["examples"]:
        each["tokens"][1] = each["new_tokens"][1] = name
    page = report_page(typed.read(Document, document))
    page.encode("utf-8")
    assert page.count("<script") == 2
    assert len(data_of(page)["cases"]) == 6


def test_without_text_the_page_holds_no_word_of_the_corpus():
    assert MISSPELT in report_page(typed.read(Document, sample()))
    page = report_page(typed.read(Document, without_text()))
    assert MISSPELT not in page
    assert "Fachin" not in page


def test_the_same_document_gives_the_same_page():
    assert report_page(typed.read(Document, sample())) == report_page(typed.read(Document, sample()))


@pytest.mark.slow
def test_hundreds_of_cases_with_examples_keep_within_the_limit():
    page = report_page(typed.read(Document, many(200)))
    assert len(page.encode()) <= SIZE_LIMIT
    assert len(data_of(page)["cases"]) == 201
    assert "palavra199x0" in page


def test_a_page_of_a_users_own_is_not_replaced(tmp_path):
    mine = tmp_path / "report.html"
    mine.write_text("<title>Mine</title>", "utf-8")
    with pytest.raises(AbaloError, match=r"report\.html: expected nothing, or a report of Abalo's; found another"):
        write_report(typed.read(Document, sample()), {}, [], tmp_path)
    assert mine.read_text("utf-8") == "<title>Mine</title>"
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_a_page_is_known_by_its_title_and_replaced(tmp_path):
    page = write_report(typed.read(Document, sample()), {}, [], tmp_path).with_name("report.html")
    assert is_page(page)
    write_report(typed.read(Document, interrupted()), {}, [], tmp_path)
    assert "INCOMPLETE" in page.read_text("utf-8")
