"""The losses of a comparison as tests, from rows written by hand."""

from xml.etree import ElementTree as ET

import pytest

from abalo.comparison.blocks import comparison
from abalo.comparison.document.loss_tests import (
    BY_CASES,
    EARLY,
    answers_moved,
    count_accepted,
    count_states,
    failed_tests,
    loss_tests,
)
from abalo.core.documents.blocks import Fold, Text
from abalo.core.documents.document import Document
from abalo.core.documents.losses_found import Comparison
from abalo.core.records import json_records as typed
from abalo.core.statistics.losses import Moved
from abalo.reporting.content.run import count_losses
from abalo.reporting.documents.conclusion import conclude
from abalo.reporting.formats.comment import Remarks, comment
from abalo.reporting.formats.junit import junit
from abalo.reporting.formats.markdown import markdown
from abalo.reporting.formats.report_page import report_page
from abalo.reporting.formats.terminal import lines
from tests.reporting.test_comparing import TODAY, document, losses
from tests.texts import TextWith


def row(case, state, value=0.1, group=None, **more):
    """A loss of a case, or of a type in it; of the mean for None."""
    numbers = {"reference": 0.9, "new": 0.9 - value, "value": value, "low": value - 0.05, "high": value + 0.05}
    about = {"id": case, "type": group, "metric": "f1", "blocking": True, "reason": None, "waiver": None}
    return {
        **about,
        **numbers,
        "state": state,
        "limit": 0.01,
        "p": 0.001,
        "detectable_loss": 0.03,
        "n": 200,
        "because_of": [],
        "weight": 0.5,
        "paired_by": "variant",
        "level": 0.025,
        "discordant": 40,
        "compared": 1.0,
        **more,
    }


def made(*rows, baseline="no worse", mean=None, newly_worse=(), **more):
    """The document of a run of one task with these losses."""
    found = losses()
    own = found["tasks"]["ner"]
    own |= {"baseline": row("ner/baseline", baseline), "mean": mean, "losses": [*rows]}
    own |= {"newly_worse": [*newly_worse], "newly_better": [], **more}
    return document(found)


def outcomes(made):
    return {test.id: test.outcome for test in loss_tests(typed.read(Comparison, made["comparison"]))}


@pytest.mark.parametrize(
    ("rows", "outcome", "state"),
    [
        ([row("a", "regressed"), row("a", "no worse", group="PER")], "failed", "regressed"),
        ([row("a", "no worse"), row("a", "regressed", group="PER")], "failed", "regressed"),
        ([row("a", "regressed", blocking=False)], "fail, not blocking", "regressed without blocking"),
        ([row("a", "can't tell"), row("a", "no worse", group="PER")], "undecided", "can't tell"),
        ([row("a", "no worse"), row("a", "can't tell", group="PER")], "passed", "no worse"),
        ([row("a", "accepted"), row("a", "no worse", group="PER")], "passed", "accepted"),
        ([row("a", "improved"), row("a", "accepted", group="PER")], "passed", "accepted"),
        ([row("a", "accepted"), row("a", "regressed", group="PER")], "failed", "regressed"),
        ([row("a", "not comparable", reason="other variants")], "skipped", "not comparable"),
        ([row("a", "not comparable", reason="x"), row("a", "improved", metric="recall")], "passed", "improved"),
        ([row("a", "identical")], "passed", "identical"),
        ([row("a", "too few changed", reason="only 18")], "skipped", "too few changed"),
    ],
)
def test_the_rows_of_a_case_are_one_test(rows, outcome, state):
    baseline, test = loss_tests(typed.read(Comparison, made(*rows)["comparison"]))
    assert baseline.id == "ner/baseline"
    assert (test.id, test.name, test.outcome, test.state) == ("a", "test_loss[a]", outcome, state)


def test_losses_beyond_the_columns_of_the_terminal_have_their_names_above_them():
    name, other = f"ner/{'n' * 30}", "a"
    found = typed.read(Document, made(row(name, "regressed"), row(other, "can't tell")))
    wide, narrow = ([line for line, _ in lines(found, width=columns)] for columns in (120, 80))
    numbers = "F1 0.900 → 0.800, loss 0.100 [0.050, 0.150], allowed 0.010"
    assert any(line.startswith(name) and line.endswith("REGRESSED") for line in wide)
    assert narrow[narrow.index(name) + 1] == f"    {numbers}  REGRESSED"
    assert narrow[narrow.index(other) + 1] == f"    {numbers}  UNDECIDED"


def test_the_mean_names_the_cases_that_most_of_it_is_made_of():
    parts = [row("a", "no worse", 0.3, weight=0.1), row("b", "no worse", 0.2, weight=0.9)]
    other = [row("slice", "regressed", 0.9, weight=0.0, blocking=False)]
    (test,) = failed_tests(typed.read(Comparison, made(*parts, *other, mean=row(None, "regressed"))["comparison"]))
    assert test.said[1].endswith("b 0.200, a 0.300")


def test_a_message_has_the_loss_the_worst_type_and_a_sentence_of_the_case():
    rows = row("a", "regressed"), row("a", "can't tell", 0.2, "PER"), row("a", "regressed", 0.3, "LOC")
    worse = [{"case": case, "text": text} for case, text in (("b", "of b"), ("a", None), ("a", "of\na"), ("a", "more"))]
    found = made(
        *rows, newly_worse=[{**each, "sentence_id": "s", "seed": 1, "place": "", "worse": 1.0} for each in worse]
    )
    (test,) = failed_tests(typed.read(Comparison, found["comparison"]))
    loss, kind, sentence = test.message.split("\n")
    assert "0.900 → 0.800, loss 0.100 [0.050, 0.150], allowed 0.010" in loss
    assert "LOC" in kind
    assert "loss 0.300 [0.250, 0.350]" in kind
    assert sentence == "newly broken: of a"


def test_a_loss_of_a_type_alone_names_the_type_first():
    (test,) = failed_tests(
        typed.read(Comparison, made(row("a", "no worse"), row("a", "regressed", 0.3, "LOC"))["comparison"])
    )
    assert test.said[0].startswith("entity type LOC: F1 0.900 → 0.600, loss 0.300")
    assert test.said[1].endswith("no worse")


def test_a_mean_that_regressed_by_itself_fails_and_one_that_cases_tell_does_not():
    mean, case = row(None, "regressed"), row("ner/accents", "regressed", 0.4)
    alone = made(case, mean=mean)
    assert outcomes(alone) == {"ner/baseline": "passed", "ner/mean": "failed", "ner/accents": "failed"}
    assert "ner/accents 0.400" in failed_tests(typed.read(Comparison, alone["comparison"]))[0].message
    told = made(case, mean={**mean, "because_of": ["ner/accents"]})
    assert outcomes(told) == {"ner/baseline": "passed", "ner/mean": "skipped", "ner/accents": "failed"}
    assert "ner/accents" in loss_tests(typed.read(Comparison, told["comparison"]))[1].message


def test_a_mean_of_one_case_says_why_it_is_decided_otherwise_than_the_case():
    mean, case = row(None, "regressed", cases=1, of_cases=1, limit=0.005), row("ner/accents", "can't tell")
    told = (
        "the mean covers one case, ner/accents: regressed as the mean, which may lose 0.005 (max_mean_loss), "
        "undecided as a case, which may lose 0.010 (max_loss)"
    )
    alone = typed.read(Document, made(case, mean=mean))
    assert told in failed_tests(alone.comparison)[0].message
    assert f"ner: {told}." in [line for line, _ in lines(alone)]
    assert f"ner: {told}." in markdown(alone)
    for same in (made({**case, "state": "regressed"}, mean=mean), made(case, case, mean={**mean, "cases": 2})):
        assert "covers one case" not in markdown(typed.read(Document, same))


def test_lost_labels_are_a_test_only_where_some_are_lost():
    gone = {"type": "GPE", "places": 9, "found": 7, "examples": 6}
    found = made(lost=[gone])
    assert outcomes(found) == {"ner/baseline": "passed", "ner/labels": "failed"}
    first, more = failed_tests(typed.read(Comparison, found["comparison"]))[0].said
    assert "GPE" in first
    assert "7 of 9 places in 6 sentences" in more
    assert conclude(typed.read(Document, found)).exit_code == 1
    assert "ner/labels" not in outcomes(made(lost=[]))
    assert "GPE" in "\n".join(line for line, _ in lines(typed.read(Document, found)))
    assert "GPE" in comment(typed.read(Document, found), None, Remarks(), TODAY)


def test_every_reader_shows_a_loss_that_a_waiver_accepts():
    waiver = {"accepted_loss": 0.2, "until": "2027-03-01", "why": "known", "over": False, "usual": 0.01}
    found = made(row("ner/accents", "accepted", waiver=waiver), row("ner/keyboard", "no worse"))
    assert [test.state for test in loss_tests(typed.read(Comparison, found["comparison"]))] == [
        "no worse",
        "accepted",
        "no worse",
    ]
    assert count_states(loss_tests(typed.read(Comparison, found["comparison"]))) == "1 accepted, 2 no worse"
    assert count_accepted(typed.read(Comparison, found["comparison"])) == "1 accepted until 2027-03-01"
    beaten = made(row("ner/accents", "accepted", waiver=waiver), row("ner/accents", "regressed", group="PER"))
    assert count_accepted(typed.read(Comparison, beaten["comparison"])) == count_accepted(None) == ""
    said = [line for line, _ in lines(typed.read(Document, found))]
    assert any(line.startswith("ner/accents") and line.endswith("ACCEPTED") for line in said)
    for text in (
        comment(typed.read(Document, found), None, Remarks(), TODAY),
        markdown(typed.read(Document, found)),
    ):
        assert "1 accepted until 2027-03-01" in text.partition("\n\n")[0]
        assert any("| ✓ accepted" in line or "accepted |" in line for line in text.splitlines())
    assert "a waiver allows" in markdown(typed.read(Document, found))


def test_a_label_that_vanished_is_named_by_every_reader_and_fails_nothing():
    gone = {"type": "GPE", "places": 4, "found": 3.0, "examples": 3, "case": ""}
    found = made(small_lost=[gone], decided=False)
    said = [line for line, _ in lines(typed.read(Document, found))]
    place = next(k for k, line in enumerate(said) if "GPE" in line)
    assert "the reference found 3 of 4 places" in said[place]
    assert said[place + 1].startswith("OK: ")
    assert conclude(typed.read(Document, found)).exit_code == 0
    for text in (
        comment(typed.read(Document, found), None, Remarks(), TODAY),
        markdown(typed.read(Document, found)),
    ):
        headline, _, below = text.partition("\n\n")
        assert "OK: " in headline
        assert "GPE" in below.partition("\n\n")[0]


def test_a_label_that_shifted_is_told_with_where_its_answers_went_and_changes_nothing():
    moved = [{"source": "PER", "target": "ORG", "count": 31, "places": 142}]
    shifted = {"type": "PER", "metric": "recall", "reference": 0.9, "new": 0.7, "moved": moved}
    found = made(shifted=[shifted])
    (line,) = (line for line, _ in lines(typed.read(Document, found)) if "from PER to ORG, 31 of 142" in line)
    assert "recall 0.900 → 0.700" in line
    assert "from PER to ORG, 31 of 142" in markdown(typed.read(Document, found)).partition("\n\n## ")[0]
    assert conclude(typed.read(Document, found)) == conclude(typed.read(Document, made()))


def test_every_reader_says_that_a_loss_that_stopped_early_is_likely_smaller():
    rows = row("ner/accents", "regressed", stopped_early=True), row("ner/typos", "no worse", stopped_early=True)
    found = made(*rows, mean=row(None, "regressed", stopped_early=True), state="regressed")
    shown = typed.read(Document, found)
    readers = {
        "terminal": "\n".join(line for line, _ in lines(shown)),
        "page": markdown(shown),
        "comment": comment(shown, None, Remarks(), TODAY),
        "JUnit": junit(shown).decode("utf-8"),
    }
    assert [name for name, text in readers.items() if EARLY not in text] == []
    of_cases = {test.id: test.message for test in loss_tests(shown.comparison)}
    assert [case for case, message in of_cases.items() if EARLY in message] == ["ner/mean", "ner/accents"]
    unhurried = typed.read(Document, made(row("ner/accents", "regressed"), state="regressed"))
    assert EARLY not in markdown(unhurried)


@pytest.mark.parametrize("state", ["can't tell", "regressed"])
def test_few_documents_are_told_with_what_they_cannot_show(state):
    found = made(row("ner/accents", state, n=24), state=state)
    found["comparison"]["tasks"]["ner"]["baseline"]["n"] = 24
    few, skewed = "24 distinct sentences can show a loss, but not that there is none", "losses are found too often"
    for text in (
        "\n".join(line for line, _ in lines(typed.read(Document, found))),
        markdown(typed.read(Document, found)),
        comment(typed.read(Document, found), None, Remarks(), TODAY),
    ):
        assert few in text
        assert (skewed in text) is (state == "regressed")


def test_a_regressed_and_a_lost_label_say_everywhere_where_their_answers_went():
    moved = {"source": "PER", "target": "", "count": 31, "places": 142}
    gone = {"type": "LOC", "places": 40, "found": 30.0, "examples": 30, "moved": [moved | {"source": "LOC"}]}
    fell = row("ner/baseline", "regressed", group="PER", moved=[moved])
    found = typed.read(Document, made(fell, lost=[gone], baseline="no worse"))
    told = ["\n".join(line for line, _ in lines(found)), junit(found).decode(), comment(found, None, Remarks(), TODAY)]
    told += [markdown(found), report_page(found)]
    assert [(f"from {label} to nothing, 31 of 142" in text) for label in ("PER", "LOC") for text in told] == [True] * 10


def test_a_reference_without_counts_of_labels_is_told_with_its_remedy():
    found = made(no_labels="the reference does not count predictions by label; abalo accept --rerun references/1.0")
    assert any("--rerun references/1.0" in line for line, _ in lines(typed.read(Document, found)))


def test_a_label_that_vanished_leaves_no_headline_that_says_no_loss_or_no_worse():
    found = made(
        small_lost=[{"type": "GPE", "places": 4, "found": 3.0, "examples": 3, "case": ""}],
        decided=False,
        state="no worse",
    )
    last = [line for line, _ in lines(typed.read(Document, found))][-1]
    assert "1 label of the reference 1.0 no longer found" in last
    assert "no loss" not in last
    (text, *_) = comparison.page(typed.read(Document, found))
    (line,) = text.lines
    assert line.verdict.word == "undecided"


def test_what_is_undecided_is_in_sight_beside_what_regressed():
    few = row("ner/few", "too few changed", 0.0, reason="only 18 changed")
    rows = [row("ner/worse", "regressed"), row("ner/open", "can't tell", 0.02), few, row("ner/held", "no worse", 0.0)]
    found = typed.read(Document, made(*rows))
    (listed,) = [
        block
        for block in comparison.page(found)
        if isinstance(block, Text) and block.title.endswith("undecided, not regressed")
    ]
    assert [(line.term, line.verdict.word) for line in listed.lines] == [
        ("Baseline (clean corpus)", "no worse"),
        ("ner/open", "undecided"),
        ("ner/few", "too few changed"),
    ]


def test_losses_above_0_are_in_sight_largest_first_unless_they_regressed():
    sizes = {"PER": 0.06, "LOC": 0.2, "ORG": 0.04, "TIME": 0.1}
    rows = [row("ner/types", "can't tell", value, group) for group, value in sizes.items()]
    found = typed.read(Document, made(*rows, row("ner/slow", "can't tell", 0.07)))
    (test,) = [each for each in loss_tests(found.comparison) if each.id == "ner/types"]
    assert test.loss.type == "LOC"
    open_blocks = [block for block in comparison.page(found) if isinstance(block, Text)]
    (listed,) = [block for block in open_blocks if block.title.endswith("undecided, not regressed")]
    assert [line.term for line in listed.lines] == [
        "All cases, LOC",
        "Baseline (clean corpus)",
        "All cases, TIME",
        "ner/slow",
        "All cases, PER",
    ]
    assert "0.900 → 0.700, loss 0.200 [0.150, 0.250], allowed 0.01" in listed.lines[0].text
    (told,) = [line for line, _ in lines(found) if "with a loss above 0" in line]
    assert told.split(": ")[1].split(", ner")[1:] == [
        "/types TIME 0.100 [0.050, 0.150]",
        "/types PER 0.060 [0.010, 0.110]",
    ]
    rows = [{**each, "state": "regressed"} for each in rows]
    assert not any("with a loss above 0" in line for line, _ in lines(typed.read(Document, made(*rows))))


def test_labels_of_losses_have_the_names_of_charts():
    moved = [Moved(source="1", target="2", count=3, places=5), Moved(source="2", target="", count=1, places=4)]
    one, two = "from 1 character to 2 characters, 3 of 5 ", "; from 2 characters to nothing, 1 of 4 "
    assert answers_moved(moved, "segmentation") == TextWith(one, two)
    assert answers_moved(moved[:1], "ner") == TextWith("from “1” to “2”, 3 of 5 “1” in gold")


def test_labels_that_fell_undecided_are_listed_with_both_counts_and_change_nothing():
    fell = [
        {"type": kind, "places": 30, "found": 29, "examples": 28, "now": now}
        for kind, now in (("LOC", 27), ("GPE", 20))
    ]
    found = made(found_less=fell)
    page = markdown(typed.read(Document, found))
    headline, _, below = page.partition("\n\n")
    assert "LOC" not in headline
    assert "found 29 of 30 places, now 27" in below
    assert below.index("now 20") < below.index("now 27")
    assert conclude(typed.read(Document, found)) == conclude(typed.read(Document, made()))


def test_a_training_that_regressed_by_itself_is_named_and_fails_nothing():
    each = [{"model": "seed-1", "state": "no worse", "regressed": []}]
    each += [{"model": "seed-2", "state": "regressed", "regressed": [None, "ner/accents"]}]
    said = [line for line, _ in lines(typed.read(Document, made(trainings=each))) if "seed" in line]
    assert len(said) == 1
    assert all(part in said[0] for part in ("seed-2", "ner/mean", "ner/accents"))


def test_every_reader_counts_the_same_losses():
    given = (
        row("ner/accents", "regressed"),
        row("ner/accents", "regressed", 0.2, "PER"),
        row("ner/accents", "regressed", 0.2, metric="recall"),
        row("ner/typos", "no worse"),
        row("ner/typos", "regressed", 0.2, "PER"),
        row("ner/slow", "regressed", blocking=False),
    )
    mean = row(None, "regressed", because_of=["ner/accents"])
    gone = {"type": "GPE", "places": 9, "found": 7, "examples": 6}
    found = made(*given, baseline="regressed", mean=mean, lost=[gone])
    ids = ["ner/baseline", "ner/labels", "ner/accents", "ner/typos"]
    assert [test.id for test in failed_tests(typed.read(Comparison, found["comparison"]))] == ids
    assert [*count_losses(typed.read(Comparison, found["comparison"]))] == ["4 losses against the reference 1.0"]
    states = count_states(loss_tests(typed.read(Comparison, found["comparison"])))
    assert states.startswith("4 regressed, 1 regressed without blocking, 1 explained by ")
    terminal = [line for line, _ in lines(typed.read(Document, found))]
    assert [line.split()[0] for line in terminal if line.endswith("  REGRESSED")] == ids
    failures = [
        test
        for test in ET.fromstring(junit(typed.read(Document, found))).iter("testcase")
        if test.find("failure") is not None
    ]
    assert [test.get("name") for test in failures] == [f"test_loss[{name}]" for name in ids]
    page = comment(typed.read(Document, found), None, Remarks(), TODAY)
    rows = [line for line in page.splitlines() if line.startswith("| ✗")]
    assert (len(rows), sum("not blocking" in line for line in rows)) == (5, 1)
    assert states in page
    (every,) = [block for block in comparison.page(typed.read(Document, found)) if isinstance(block, Fold)]
    told = [row.cells[5].word for row in every.blocks[1].rows]
    assert [word.partition(" in ")[0] for word in told] == [
        *("regressed", BY_CASES, "regressed", "regressed", "regressed"),
        "regressed (not blocking)",
    ]


def test_a_line_of_a_regression_keeps_its_name_and_numbers_whatever_its_length():
    long = f"ner/{'very_' * 30}long"
    found = made(row(long, "no worse"), row(long, "regressed", group="TYPE" * 20), baseline="regressed")
    shown = [
        line
        for block in comparison.brief(typed.read(Document, found))
        for line in block.lines
        if not isinstance(line, str) and line.verdict is not None
    ]
    assert len(shown) == 2
    assert sum(line.term.startswith(f"{long} ") for line in shown) == 1
    assert all("loss 0.100" in line.text and "allowed 0.010" in line.text for line in shown)
