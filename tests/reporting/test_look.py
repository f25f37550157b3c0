"""A look ends with what costs most, a sentence each, and the commands that come next; its lines fit the terminal."""

import re
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.core.documents.blocks import Mark, Marked, ShownExample, Text
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.records import json_records as typed
from abalo.reporting.content.blocks import look
from abalo.reporting.content.run import clean, run_verdict, tally
from abalo.reporting.content.sections import subjects
from abalo.reporting.documents.stored import as_stored
from abalo.reporting.drawing import plain
from abalo.reporting.formats.markdown import markdown
from abalo.reporting.formats.report_page import report_page
from abalo.reporting.formats.terminal import WIDTH, lines
from abalo.reporting.runs.accepting import commands_after
from tests.reporting.documents import (
    MISSPELT,
    REGRESSION,
    UNBOUND,
    able,
    clean_score,
    measured,
    questioned,
    result_of,
    sample,
)
from tests.reports import misfits
from tests.texts import TextWith

Json = dict[str, Any]

ACCEPT = "abalo accept reports --as references/1.0"
COMPARE = "pytest --pyargs tests_behavioral --abalo-model NEXT_MODEL --abalo-against references/1.0"


def looked(profile: str = "dev") -> Json:
    """The sample as it is without a bound: its cases cost 0.214, 0.136, 0.065, 0.043 and nothing at all."""
    document = sample()
    document["gate"] = {**document["gate"], "profile": profile, "bounds": 0}
    for result in document["results"]:
        result |= {**UNBOUND, "examples": result["examples"]}
    own = document["tasks"]["ner"]
    own["baseline"] |= {"verdict": None, "reason": None, "judgements": []}
    own |= {"foreseen": {"metric": "f1", "loss": 0.0312, "n": 110, "needed": 900, "reason": None}}
    result_of(document, "synonyms")["metrics"]["f1_drop_changed"] = measured(0.0)
    counts = {"pass": 0, "fail": 0, "inconclusive": 0, "not_blocking": 0}
    return document | {"baseline": own["baseline"], "verdict": "measured", "counts": counts, "next": [ACCEPT, COMPARE]}


RANKED = [
    "ner/character_noise[rate-0.1]",
    "ner/token_masking[rate-0.15]",
    "ner/word_insertion[rate-0.1]",
    "ner/accents",
]


def test_cases_stand_by_what_they_cost_and_those_that_cost_nothing_are_left_out():
    document = looked()
    bound = [each for each in document["results"] if each["view"] == "projected"]
    assert [
        each["id"] for each in typed.as_json(look.rank_by_cost([typed.read(Result, each) for each in bound]))
    ] == RANKED
    assert look.costliest(typed.read(Document, document)) == RANKED
    page = markdown(typed.read(Document, document))
    table = page.partition("## What costs most")[2].partition("\n## ")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table if line.startswith("|")][2:]
    assert [row[0] for row in rows] == [
        "Character noise",
        "Token masking",
        "Word insertion",
        "Accents",
    ]
    # The drop of TEMPO, the last of six types, is 0.03 above that of all.
    assert rows[0][1:] == ["0.214 [0.184, 0.244]", "180/200", "TEMPO: 0.244 [0.194, 0.294]"]


def test_cases_that_change_few_sentences_come_last_and_say_so():
    document = looked()
    few = result_of(document, "character_noise")
    few["changed"] = 19
    found = typed.read(Document, document)
    assert look.costliest(found) == [*RANKED[1:], RANKED[0]]
    assert look.finding(found) == "The model loses 0.136 F1 to token masking"
    page = markdown(found).partition("## What costs most")[2].partition("\n## ")[0]
    assert page.index("| Accents |") < page.index("| Character noise | 0.214 [0.184, 0.244] | 19/200, few |")
    assert "Cases that change fewer than 20 sentences come last." in page
    few["changed"] = 20
    assert look.costliest(typed.read(Document, document)) == RANKED


def test_cases_are_sorted_by_the_number_that_is_shown_however_wide_its_interval():
    document = looked()
    result_of(document, "accents")["metrics"]["f1_drop_changed"] = measured(0.15, 0.149)
    found = typed.read(Document, document)
    assert look.costliest(found) == [RANKED[0], RANKED[3], *RANKED[1:3]]
    result_of(document, "accents")["metrics"]["f1_drop_changed"] = measured(0.3, 0.301)
    found = typed.read(Document, document)
    assert look.costliest(found)[0] == "ner/accents"
    assert look.finding(found) == "The model loses 0.214 F1 to character noise"  # since that loss is significant


def test_each_of_the_costliest_has_one_sentence_where_text_may_be_told():
    document = looked()
    page = markdown(typed.read(Document, document))
    assert page.count("<br>*original:* ") == 2  # two of the four have examples, of which the first is shown
    assert f"«{MISSPELT}»" in page
    assert "scrapt" not in page  # the second of character noise
    for result in document["results"]:
        result["examples"] = []
    assert "*original:*" not in markdown(typed.read(Document, document))


def test_a_sentence_stands_once_and_each_mark_is_explained_where_it_first_appears():
    document = looked()
    noise, insertion = (result_of(document, name) for name in ("character_noise", "word_insertion"))
    insertion["examples"] = [noise["examples"][0], *insertion["examples"]]
    told = [line for line, _ in lines(typed.read(Document, document))]
    captions = [line for line in told if line.startswith("    The change adds")]
    assert [line.split()[-1].rstrip(")") for line in captions] == [
        noise["examples"][0]["sentence_id"],
        insertion["examples"][1]["sentence_id"],
    ]
    page = report_page(typed.read(Document, document)).partition("What next")[0]
    for shown in (" ".join(" ".join(told).split()), page):
        assert shown.count("predicted, not gold; inside another mark") == 1
        assert shown.count("edited or inserted") == 1
    assert "target of the attack" not in page


def test_a_look_ends_with_the_loss_that_would_be_seen_and_two_commands():
    said = [line for line, _ in lines(typed.read(Document, looked()))]
    assert said[-6:-4] == ["MEASURED, NOT JUDGED: 6 cases", "The model loses 0.214 F1 to character noise."]
    assert "0.031 F1" in said[-4]
    assert said[-2:] == [ACCEPT, COMPARE]
    for page in (markdown(typed.read(Document, looked())), report_page(typed.read(Document, looked()))):
        assert page.index("0.031 F1") < page.index(ACCEPT) < page.index(COMPARE)


def next_of(document: Json) -> list[str]:
    """What comes next, steps before commands."""
    return [str(line) for text in look.what_next(typed.read(Document, document)) for line in text.lines]


def test_what_comes_next_is_a_step_and_the_loss_that_it_would_find():
    document = looked()
    finer, keep, *commands = next_of(document)
    assert re.findall(r"[\d.,]*\d", finer.partition(": ")[2]) == ["0.031", "1", "8.2", "0.016"]
    assert keep.startswith("Keep this run ")
    assert commands == [ACCEPT, COMPARE]
    document["tasks"]["ner"]["foreseen"] |= {"needed": None}
    assert re.findall(r"[\d.,]*\d", next_of(document)[0].partition(": ")[2]) == ["0.031", "1"]
    document["tasks"]["ner"]["foreseen"] |= {"reason": "only few", "loss": None}
    (step,) = next_of(document)
    assert step == TextWith("Judge ", "before you keep a run as the reference. Named-entity recognition: only few.")
    document = looked()
    document["tasks"]["ner"]["baseline"]["least"] = clean_score(0.31)
    (step,) = next_of(document)  # the clean score is undecided
    assert step.startswith("Judge ")


def test_a_larger_limit_is_a_number_if_the_number_of_sentences_needed_is_known():
    document = looked()
    own = document["tasks"]["ner"]
    (judged,) = clean_score(0.31)["judgements"]
    own["baseline"]["least"] = clean_score(0.31) | {"judgements": [judged | {"needed": 330}]}
    (step,) = next_of(document)
    assert step == TextWith("--abalo-limit 600 ")  # of 200 sentences 110 are distinct: 200 × 330 / 110
    own["baseline"]["least"] = clean_score(0.5)
    own["foreseen"] |= {"reason": "only few", "loss": None, "n": 40}
    (step,) = next_of(document)
    assert step == TextWith("--abalo-limit 250 ")  # a comparison needs 50
    own["foreseen"] |= {"n": 110}
    assert "--abalo-limit)" in next_of(document)[0]


def test_a_failed_run_is_not_offered_as_a_reference():
    assert commands_after(typed.read(Document, sample()), "reports") == []
    assert commands_after(typed.read(Document, passing()), "reports")[0] == ACCEPT


@pytest.mark.parametrize("change", ["bound", "reference", "interrupted"])
def test_no_other_run_ends_so(change):
    document = sample() | {"next": [ACCEPT, COMPARE]} if change == "bound" else looked()
    if change == "reference":
        document["comparison"] = compared(whole("no worse"))
    if change == "interrupted":
        document |= {"complete": False, "missing": ["ner/viba"], "verdict": "inconclusive"}
    assert look.summary(typed.read(Document, document)) == look.what_next(typed.read(Document, document)) == []
    assert ACCEPT not in [line for line, _ in lines(typed.read(Document, document))]


def test_page_and_markdown_begin_with_the_verdict_and_notices_stand_below():
    document = looked() | {"notice": "Something to know."}
    page = markdown(typed.read(Document, document)).splitlines()
    assert page[0] == "# MEASURED, NOT JUDGED: 6 cases"
    assert page[2] == "The model loses 0.214 F1 to character noise."
    assert page.index("> **Something to know.**") == 4
    roles = [block.role for block in subjects.blocks(typed.read(Document, document)) if isinstance(block, Text)]
    assert roles == ["verdict", "notice", "list"]
    text = report_page(typed.read(Document, document))
    assert text.index("Measured, not judged") < text.index("Something to know.") < text.index("What costs most")
    assert text.count(">What costs most<") == 1


def test_a_quick_look_is_headed_so_too():
    assert markdown(typed.read(Document, looked("quick"))).startswith("# MEASURED, NOT JUDGED: 6 cases\n")


# Lines on the terminal ------------------------------------------------------------------------------------------------


def test_lines_of_measured_and_passed_cases_fit_the_terminal_unless_all_are_requested():
    kinds = [f"KIND_OF_ENTITY_{k}" for k in range(9)]
    for document, word in ((looked(), "MEASURED"), (sample(), "PASS")):
        own = result_of(document, "accents")
        own["id"] = "ner/" + "a_long_name_" * 12
        if word == "PASS":
            own["judgements"] += [own["judgements"][0] | {"type": kind} for kind in kinds]
        short, full = ([line for line, _ in lines(typed.read(Document, document), full=each)] for each in (False, True))
        assert max(len(line) for line in short if line.endswith(word)) <= WIDTH == 120
        line, whole_line = (every[every.index(own["id"]) + 1] for every in (short, full))
        assert "0.043 [0.013, 0.073]" in line
        assert KIND not in line
        assert "changes 90 % of the sentences" in whole_line
        assert all(kind in whole_line for kind in kinds) == (word == "PASS")


KIND = "KIND_OF_ENTITY_1"


def test_columns_line_up_on_a_narrow_terminal_beside_a_long_name_that_is_not_cut():
    document = looked()
    document["results"] = [each for each in document["results"] if each["view"] == "projected"]
    long = result_of(document, "accents")["id"] = "ner/a_name_that_is_too_long_for_eighty_columns[beside-its-number]"
    every = [line for line, _ in lines(typed.read(Document, document), width=80)]
    told = [line for line in every if line.endswith("MEASURED")]
    starts = {re.search(r"  F1 ", line).start() for line in told}
    ends = {line.index("MEASURED") for line in told}
    assert (len(told), len(starts), len(ends)) == (6, 1, 1)
    assert max(map(len, told)) <= 80
    assert every[every.index(long) + 1].split()[:3] == ["F1", "drop", "0.043"]
    assert {line.index("language pt") - 2 for line in every if "language pt" in line} == starts


def test_a_failed_case_says_all_that_failed_however_long():
    document = sample()
    own = result_of(document, "character_noise")
    own["judgements"] += [own["judgements"][0] | {"type": f"KIND_OF_ENTITY_{k}"} for k in range(9)]
    (told,) = (line for line, _ in lines(typed.read(Document, document)) if line.startswith(own["id"]))
    assert all(f"KIND_OF_ENTITY_{k}" in told for k in range(9))


def test_sentences_fit_the_terminal_and_show_their_edit_unless_all_is_asked_for():
    document = looked()
    told = [
        line for line, _ in lines(typed.read(Document, document)) if line.startswith(("    original", "    perturbed"))
    ]
    assert len(told) == 4
    assert max(map(len, told)) <= WIDTH
    assert all("«" in line or "✗ lost" in line for line in told if "perturbed" in line)
    whole_lines = [
        line for line, _ in lines(typed.read(Document, document), full=True) if line.startswith("    original")
    ]
    assert max(map(len, whole_lines)) > WIDTH


LONG = " ".join(f"word{k}" for k in range(60))
"""Sixty words of five or six characters."""


def test_a_sentence_is_cut_around_its_edit():
    late = LONG.replace("word50", "«w0rd50»")
    shown = plain.cut(late, 60)
    assert shown.startswith("… word")
    assert shown.endswith(" …")
    assert " «w0rd50» " in shown
    assert plain.cut(LONG.replace("word1 ", "«w0rd1» "), 60).startswith("word0 «w0rd1» word2 ")
    assert plain.cut(late.replace("word59", "end"), 600) == late.replace("word59", "end")
    assert plain.cut(late, None) == late


def test_a_label_at_the_end_of_a_sentence_stays():
    shown = plain.cut(f"«w0rd» {LONG} [0 ✗ 1 → 0]", 60)
    assert shown.startswith("«w0rd» word0 ")
    assert shown.endswith(" … [0 ✗ 1 → 0]")
    assert plain.cut(LONG, 60) + " [0 ✗ right → wrong now]" == plain.cut(f"{LONG} [0 ✗ right → wrong now]", 84)
    assert plain.cut(f"{LONG} [Ana PESSOA]", 60).endswith(" …")  # an entity is a word like others


def test_the_sentence_without_edits_is_cut_at_the_same_place():
    pair = [("original", LONG), ("perturbed", LONG.replace("word50", "«w0rd50»"))]
    assert "word50" in plain.cut(LONG, 60, plain.edit_position(pair))


@given(st.lists(st.text("abcde", min_size=1, max_size=12), min_size=1, max_size=80), st.data(), st.integers(40, 120))
def test_no_cut_sentence_is_too_wide_or_without_its_edit(words, data, width):
    place = data.draw(st.integers(0, len(words) - 1))
    words[place] = f"«{words[place]}»"
    label = data.draw(st.sampled_from(["", " [0 ✗ 1 → 0]"]))
    shown = plain.cut(" ".join(words) + label, width)
    assert len(shown) <= width
    assert words[place] in shown
    assert shown.endswith(label)


def test_a_look_at_questions_finds_the_option_that_the_model_prefers():
    document = questioned()
    for result in document["results"]:
        result |= UNBOUND
    document["tasks"]["choice"]["baseline"] |= {"verdict": None, "reason": None, "judgements": []}
    told = "The model prefers option A: 100 % of its answers, where 11 % are right (fragility "
    assert look.finding(typed.read(Document, document)) == TextWith(told)
    for result in document["results"]:
        for place in result["questions"]["places"]:
            place["p"] = 0.06
    assert look.finding(typed.read(Document, document)) == TextWith("fragility ", "(share of the variants")


# The headline ---------------------------------------------------------------------------------------------------------


def whole(state: str, *, blocking: bool = True, detectable_loss: float | None = 0.0251) -> Json:
    """A loss on the clean corpus, or in the mean."""
    numbers = {"value": 0.0, "low": -0.01, "high": 0.01, "n": 110, "reference": 0.87, "new": 0.87, "discordant": 12}
    facts = {"id": "ner/baseline", "type": None, "metric": "f1", "reason": None, "limit": 0.01, "paired_by": None}
    judged = {
        "p": 0.5,
        "detectable_loss": detectable_loss,
        "compared": 1.0,
        "level": 0.025,
        "waiver": None,
        "because_of": [],
        "weight": 0.0,
    }
    return {**facts, **numbers, **judged, "state": state, "blocking": blocking}


def compared(baseline: Json, *losses: Json, decided: bool = False) -> Json:
    """A comparison with these losses."""
    own = {"state": baseline["state"], "decided": decided, "metric": "f1", "model": "old", "corpus": "dev.conll"}
    own |= {
        "baseline": baseline,
        "mean": None,
        "losses": [each | {"id": f"ner/{k}"} for k, each in enumerate(losses)],
        "only_new": [],
        "perturbed": True,
        "only_reference": [],
    }
    own |= {"changed_unseen": False, "hypotheses": 1, "judged": 1, "newly_worse": [], "newly_better": []}
    own |= {
        "lost": [],
        "small_lost": [],
        "found_less": [],
        "trainings": [],
        "identical": baseline["state"] == "identical",
    }
    found = {"reference": {"name": "1.0", "run": {}}, "state": baseline["state"], "decided": decided}
    return found | {"missing": [], "level": 0.025, "tasks": {"ner": own}}


def headline_of(document: Json) -> tuple[str, ...]:
    """The headline, and the line of counts below it if there is one."""
    return tuple(
        str(line)
        for text in (run_verdict(typed.read(Document, document)), *tally(typed.read(Document, document)))
        for line in text.lines
    )


WAIVED = {"accepted_loss": 0.03, "until": "2027-03-01", "why": "…", "over": False, "usual": 0.01}

NO_OTHER = "no other loss against the reference 1.0; a loss of 0.025 on the clean corpus would have been detected"

ACCEPTED = whole("accepted") | {"waiver": WAIVED}
"""A loss that a waiver allows."""


AT_MOST = "clean at most 0.010 (allowed 0.010) worse than the reference 1.0"

BEYOND = "character_noise[rate-0.1] is beyond its bound"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, ("character_noise[rate-0.1] fails, 1 undecided",)),
        ({"regressions": [REGRESSION]}, ("character_noise[rate-0.1] fails, 1 regression broken", "1 undecided")),
        (
            {"comparison": compared(whole("regressed"), whole("regressed"), whole("regressed", blocking=False))},
            (
                f"2 losses against the reference 1.0, {BEYOND}",
                "1 undecided, 1 lost without blocking",
            ),
        ),
        (
            {"comparison": compared(whole("regressed")), "regressions": [REGRESSION, REGRESSION | {"status": "fixed"}]},
            (
                f"1 loss against the reference 1.0, {BEYOND}",
                "1 regression broken, 1 undecided, 1 earlier failure fixed",
            ),
        ),
        (
            {"comparison": compared(whole("regressed"), ACCEPTED)},
            (
                f"1 loss against the reference 1.0, {BEYOND}",
                "1 accepted until 2027-03-01, 1 undecided",
            ),
        ),
    ],
    ids=["failed", "replayed", "lost", "all", "accepted"],
)
def test_the_headline_of_a_failure_has_at_most_two_counts_and_the_others_stand_below(more, expected):
    assert headline_of(sample() | more) == expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [(2, "a and b fail"), (3, "a, b and c fail"), (5, "a, b, c and 2 more fail")],
)
def test_the_headline_names_three_failed_cases_and_counts_the_others(number, expected):
    document = sample()
    failed = result_of(document, "character_noise")
    document["results"] = [failed | {"id": f"ner/{name}"} for name in "abcde"[:number]]
    document["counts"] = {"pass": 0, "fail": number, "inconclusive": 0, "not_blocking": 0}
    assert headline_of(document)[0] == expected


def test_the_headline_names_the_task_of_a_failed_case_if_there_are_several():
    document = sample()
    document["tasks"]["pos"] = document["tasks"]["ner"]
    assert headline_of(document)[0] == "ner/character_noise[rate-0.1] fails, 1 undecided"


def test_the_same_answers_are_those_under_the_seed_of_the_run():
    document = passing() | {"comparison": compared(whole("identical", detectable_loss=None), decided=True)}
    document["tasks"]["ner"]["seeds"] = [1]
    assert document["gate"]["seeds"] == [1, 2]
    assert headline_of(document)[0] == TextWith("the same answers as the reference 1.0 under the one seed of this run")


def test_bounds_that_miss_a_loss_are_counted_below_a_pass():
    document = sample()
    document["results"] = [each for each in document["results"] if each["verdict"] == "pass"]
    document["results"][0]["judgements"][0]["detectable_loss"] = 0.2
    document["counts"] = {"pass": len(document["results"]), "fail": 0, "inconclusive": 0, "not_blocking": 0}
    headline, *below = headline_of(document)
    assert headline == TextWith("judged cases hold")
    assert below == [TextWith("1 bound cannot reliably detect a loss of 0.05")]


def passing() -> Json:
    """The sample with four cases that hold and one that is undecided, its estimate beyond its bound."""
    document = sample()
    document["results"] = [each for each in document["results"] if each["name"] != "character_noise"]
    return document | {"verdict": "pass", "counts": {"pass": 4, "fail": 0, "inconclusive": 1, "not_blocking": 0}}


@pytest.mark.parametrize(
    ("comparison", "expected"),
    [
        (None, ("4 bounds hold, 1 open",)),
        (
            compared(whole("no worse"), decided=True),
            (TextWith("no loss against the reference 1.0; ", "loss of 0.025", "detected, 1 undecided"),),
        ),
        (
            compared(whole("identical", detectable_loss=None), decided=True),
            (TextWith("same answers as the reference 1.0, 1 undecided"),),
        ),
        (
            compared(whole("no worse"), whole("no worse") | {"waiver": WAIVED}, decided=True),
            (TextWith("no loss against the reference 1.0; ", "loss of 0.025", "detected, 1 undecided"),),
        ),
        (
            compared(whole("no worse"), ACCEPTED, decided=True),
            (f"{NO_OTHER}, 1 accepted until 2027-03-01, 1 undecided",),
        ),
        (
            compared(whole("no worse"), ACCEPTED, whole("accepted") | {"waiver": WAIVED | {"until": "2028-01-01"}}),
            (f"{AT_MOST}, 2 accepted, the first until 2027-03-01, 1 undecided",),
        ),
        (
            compared(whole("no worse"), whole("regressed", blocking=False)),
            (
                f"{AT_MOST}, 1 undecided",
                "1 lost without blocking",
            ),
        ),
    ],
    ids=["bounds", "no worse", "identical", "waiver without a loss", "accepted", "two accepted", "not blocking"],
)
def test_the_headline_of_a_run_without_a_failure(comparison, expected):
    assert headline_of(passing() | {"comparison": comparison}) == expected


def test_an_ok_is_no_warning_and_says_what_is_allowed_and_why_it_is_no_pass():
    document = passing() | {"comparison": compared(whole("no worse"))}
    mean = whole("can't tell") | {"id": None, "high": 0.0181, "limit": 0.005}
    document["comparison"]["tasks"]["ner"]["mean"] = mean
    document["tasks"]["ner"]["baseline"]["least"] = clean_score(0.31)
    said = run_verdict(typed.read(Document, document))
    assert (said.verdict.word, said.verdict.verdict) == ("OK", None)
    ends = re.findall(r"at most ([\d.]+) \(allowed ([\d.]+)\)", said.lines[0])
    assert ends == [("0.010", "0.010"), ("0.018", "0.005")]
    assert said.lines[0] == TextWith(" worse than the reference 1.0, no PASS, since ", " not surely above 0.300")


@pytest.mark.parametrize(("value", "advised"), [(0.49, False), (0.51, True)])
def test_a_score_of_guessing_leads_and_is_no_reason_to_judge_more(value, advised):
    document = looked()
    (judged,) = clean_score(value, 0.5)["judgements"]
    least = clean_score(value) | {"state": "undecided", "judgements": [judged | {"needed": 900}]}
    document["tasks"]["ner"]["baseline"]["least"] = least
    found = typed.read(Document, document)
    assert run_verdict(found).lines[0] == TextWith("guessing, which reaches 0.500")
    (line,) = clean(found)
    assert ("900" in line.text) == advised


def test_the_headline_says_which_clean_score_is_too_small_where_no_case_does():
    document = looked()
    document["tasks"]["ner"]["baseline"]["least"] = clean_score(0.2)
    assert headline_of(document) == (
        TextWith("score of ner", "too low"),
        "baseline, accents, character_noise[rate-0.1] and 3 more have no bound",
    )


def skipped(*lacks: str) -> list[Json]:
    """Cases that were skipped for these reasons."""
    return [{"id": f"ner/viba[{k}]", "reason": "…", "lacks": each} for k, each in enumerate(lacks)]


def test_skipped_cases_are_counted_below_and_what_cannot_happen_is_named():
    document = looked()
    document["tasks"]["ner"]["skipped"] = skipped("language")
    result_of(document, "synonyms")["reason"] = "the model gives every example the same label"
    assert headline_of(document) == (
        "5 cases",
        "skipped: 1 because of the language, 1 that cannot happen here (Synonyms (lexicon legal_pt))",
    )
    assert not any("more measured" in line for line, _ in lines(typed.read(Document, document), more="page"))


def test_skipped_cases_are_counted_by_reason():
    document = looked()
    document["tasks"]["ner"]["skipped"] = skipped("language", "resource", "language")
    document["results"].append(able()["results"][-1])  # a capability without a bound
    assert headline_of(document) == (
        "7 cases",
        TextWith("skipped: 2 ", "the language, 1 ", "need a further model"),
    )
    document["results"][-1]["capability"] = document["results"][-1]["capability"] | {"foreign": "no label XYZ"}
    assert headline_of(document) == (
        "6 cases",
        TextWith("skipped: 2 ", "the language, 1 ", "need a further model", ", 1 ", "their labels"),
    )


def test_bounds_that_failed_without_blocking_stand_in_the_headline_of_a_look():
    document = looked()
    result_of(document, "synonyms")["verdict"] = "fail"
    result_of(document, "synonyms")["blocking"] = False
    document["counts"]["not_blocking"] = 1
    assert headline_of(document) == (
        "6 cases, 1 failed without blocking",
        "baseline, accents, character_noise[rate-0.1] and 2 more have no bound",
    )
    document["tasks"]["ner"]["baseline"] |= {"verdict": "fail", "blocking": False, "reason": "too small"}
    document["results"] = [each for each in document["results"] if each["id"] != "ner/baseline"]
    assert headline_of(document)[0] == "5 cases, 2 failed without blocking"


# The schema -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("document", [questioned() | {"next": [ACCEPT]}], ids=["questions"])
def test_the_schema_knows_what_is_new(document):
    broken = deepcopy(document)
    for place, value in (("state", "good"), ("limit", 1.5), ("guesses", None)):
        own = broken["tasks"]["choice"]["baseline"]["least"]
        kept, own[place] = own[place], value
        assert any("baseline.least" in problem for problem in misfits(as_stored(broken)))
        own[place] = kept
    broken["next"] = [3]
    assert any("$.next[0]" in problem for problem in misfits(as_stored(broken)))


def shown(words: str, edits: set[int], width: int = 62) -> list[str]:
    """Both sentences of an example of a label that is lost, cut for a terminal."""
    right, wrong = Mark("found", ("negative",), "✓"), Mark("lost", ("positive",), "✗ negative → positive")
    edited = [Mark("edited", (word[::-1],)) if k in edits else word for k, word in enumerate(words.split())]
    pair = (Marked("original", (words, right)), Marked("perturbed", (*edited, wrong)))
    return [text for _, text in plain.lines(plain.around(ShownExample("Lost.", pair), width))]


def test_every_edited_word_stays_if_all_fit():
    text = "what a film that nobody will forget because the lead actress wept during the whole long final scene"
    assert shown(text, {2, 9}) == [
        "what a film that … the lead … [negative ✓]",
        "what a «mlif» that … the «dael» … [positive ✗ negative → positive]",
    ]
    assert shown(text, {*range(0, 18, 2)})[1].startswith("«tahw» a «mlif» ")  # else the first are shown


def test_the_original_shows_the_entity_that_is_lost():
    entity = ("Appeal", "number", "0089971-20.2012.8.18.0000", "of", "the", "court")
    lost = Mark("lost", (Mark("edited", ("Apqeal",)), *entity[1:]), "✗ lost RULING")
    rest = " ".join(["word"] * 30)
    pair = (
        Marked("original", (f"{rest} :", Mark("found", entity, "RULING"), rest)),
        Marked("perturbed", (f"{rest} so :", lost, rest)),
    )
    original, perturbed = (text for _, text in plain.lines(plain.around(ShownExample("Lost.", pair), 60)))
    assert "[Appeal" in original
    assert "✗ lost RULING]" in perturbed
