"""The comment on a pull request: short, the verdict first, and nothing in it means more than itself."""

import re
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from abalo.comparison.blocks.comparison import more_needed
from abalo.config.thresholds import Thresholds
from abalo.core.documents.document import Document, TaskFacts
from abalo.core.documents.losses_found import LossFacts
from abalo.core.records import json_records as typed
from abalo.reporting.formats.comment import LINES, Remarks, comment, mark, without_report
from abalo.reporting.runs.reference import comparison
from tests.compared import EQUAL, GOOD, WORSE, run_of
from tests.reporting.documents import interrupted, sample
from tests.reporting.test_comparing import ACCENTS, GATE, document, facts, losses, reference
from tests.reporting.test_conclusion import loss
from tests.reporting.test_look import looked
from tests.texts import TextWith

CASES = ("ner/baseline", ACCENTS.id)
TODAY = date(2026, 11, 22)


@cache
def _regressed():
    return document(losses())


def regressed():
    """A document in which all that is compared has regressed."""
    return deepcopy(_regressed())


def told(found, remarks=None, against=None):
    """The lines of the comment on a document."""
    return comment(
        typed.read(Document, found), against and typed.read(Document, against), remarks or Remarks(), TODAY
    ).splitlines()


def with_sentences(*texts):
    """A document in which these sentences are newly broken."""
    found = regressed()
    own = found["comparison"]["tasks"]["ner"]
    own["newly_worse"] = [each | {"text": text} for each, text in zip(own["newly_worse"], texts, strict=False)]
    return found


def test_the_verdict_is_the_first_line_and_the_mark_the_last():
    lines = told(regressed())
    assert lines[0] == "# ✗ FAIL: 2 losses against the reference 1.0"
    assert lines[-1] == mark("abalo") == "<!-- abalo comment: abalo -->"


def test_the_age_of_the_reference_is_told_and_its_commit_unless_it_is_its_name():
    (line,) = (line for line in told(regressed()) if "**Reference**" in line)
    assert "1.0, accepted 2026-11-01 (21 days ago), ./checkpoints" in line
    found = regressed()
    found["comparison"]["reference"] |= {"name": "c0ffee", "commit": "c0ffee0123" * 4}
    (line,) = (line for line in told(found) if "**Reference**" in line)
    assert "c0ffee, accepted 2026-11-01" in line
    assert "commit" not in line


def test_each_state_has_rows_with_intervals_and_the_clean_corpus_comes_first():
    rows = [line.split(" | ") for line in told(regressed()) if line.startswith("| ✗")]
    assert [row[1] for row in rows] == ["Baseline (clean corpus)", "Accents"]
    assert all(re.fullmatch(r"0\.149 \[0\.\d{3}, 0\.\d{3}\]", row[4]) for row in rows)
    open_still = document(losses(EQUAL, GOOD))
    assert told(open_still)[0].startswith("# OK: clean at most ")
    rows = [line for line in told(open_still) if line.startswith("| ? undecided | Baseline (clean corpus)")]
    assert re.search(r"about \d+ more sentences \|$", rows[0])


def without_org():
    """A document in which ORG is lost: every entity of that type was found before, and none is now."""
    kinds = ["PER", "ORG"] * 100
    blind = [hit and kind == "PER" for hit, kind in zip(GOOD, kinds, strict=True)]
    old, new = (dict.fromkeys(CASES, run_of(found, kinds=kinds)) for found in (GOOD, blind))
    against = replace(reference(), run=replace(reference().run, evidence=old))
    thresholds = Thresholds(Path("thresholds.toml"), GATE, (ACCENTS,))
    return document(
        typed.as_json(
            comparison(
                {name: typed.read(TaskFacts, own) for name, own in {"ner": facts()}.items()},
                new,
                thresholds,
                against,
                TODAY,
                (),
            )
        )
    )


def test_labels_stand_in_columns_of_their_own():
    head, _, *rows = (line[2:-2].split(" | ") for line in told(without_org()) if line.startswith("|"))
    assert [head[place] for place in (1, 2, -1)] == ["Case", "Entity type", "Entity type that lost most"]
    assert [row[1:3] for row in rows] == [
        ["Baseline (clean corpus)", "all"],
        ["Lost label", "ORG"],
        ["All cases", "ORG"],
        ["Accents", "all"],
    ]
    assert [row[-1] for row in rows if row[2] == "all"] == ["ORG: 0.947", "ORG: 0.947"]


def test_a_lost_label_is_one_thing_whatever_number_of_tests_fail_by_it():
    lines = told(without_org())
    assert lines[0] == "# ✗ FAIL: 4 losses against the reference 1.0"
    assert lines[2] == "## 1 thing got worse"
    assert lines[4].startswith("- **Entity type ORG is lost**: The reference found ")
    assert "All 4 failed tests" in lines[4]


def test_what_is_undecided_is_folded_away_beside_what_regressed():
    page = "\n".join(told(document(losses(WORSE, EQUAL))))
    seen, _, folded = page.partition("<details><summary>Other losses: 2 undecided</summary>")
    assert "| ✗ **regressed** | Baseline (clean corpus)" in seen
    assert "| ? undecided | Accents" not in seen
    assert "| ? undecided | Accents" in folded.partition("</details>")[0]


@pytest.mark.parametrize(
    ("value", "low", "high", "more"),
    [
        (0.03, -0.01, 0.07, 300),  # 0.02 beyond the limit, an end 0.04 away: four times the sentences
        (0.0, -0.03, 0.03, 800),  # 0.01 within it, an end 0.03 away: nine times
        (0.01, -0.03, 0.05, None),  # on the limit
        (0.0, 0.0, 0.0, None),  # not the interval is what leaves it open
        (0.0, None, None, None),
    ],
)
def test_an_interval_shrinks_with_the_root_of_the_number_of_sentences(value, low, high, more):
    found = loss("can't tell") | {"value": value, "low": low, "high": high, "limit": 0.01, "n": 100}
    assert more_needed(typed.read(LossFacts, found)) == more


def test_without_a_reference_a_pass_is_not_called_one():
    found = document(None)
    assert found["verdict"] == "pass"
    lines = told(found, Remarks(not_compared="none of commit c0ffee"))
    assert lines[0] == (
        "# NOT COMPARED: no reference (none of commit c0ffee); by bounds alone PASS: 4 of 4 judged cases hold"
    )


def test_of_a_look_the_finding_is_first_and_nothing_is_said_of_bounds():
    page = comment(typed.read(Document, looked()), None, Remarks(not_compared="none yet"), TODAY)
    assert page.startswith("# NOT COMPARED: The model loses 0.214 F1 to character noise; no reference (none yet)\n")
    assert page.count("The model loses") == 1
    assert "bound" not in page


def test_without_a_reference_a_failure_stays_one():
    assert re.fullmatch(r"# ✗ FAIL: .*; not compared: .* --abalo-against", told(sample())[0])


def test_a_run_that_did_not_end_is_incomplete_and_no_gate_without_a_report_is_silent():
    assert told(interrupted())[0].startswith("# ! INCOMPLETE: 2 collected cases ")
    lines = without_report("reports: cannot be read <b>", Remarks(name="nightly")).splitlines()
    assert lines[0] == TextWith("# NO VERDICT: ", "no whole report")
    assert "reports: cannot be read &lt;b>" in lines
    assert lines[-1] == mark("nightly")


def test_three_sentences_are_quoted_of_those_that_are_newly_broken():
    lines = told(with_sentences(*(f"Ana {number}" for number in range(9))))
    quoted = [line for line in lines if re.match(r"- \*\*.*: Ana \d", line)]
    assert len(quoted) == 3


def test_what_failed_in_the_reference_too_is_folded_away():
    found = "\n".join(told(sample(), against=sample()))
    assert "## Failed" not in found
    folded = found.partition("<details><summary>1 case failed in the reference, too</summary>")[2]
    assert "Character noise" in folded.partition("</details>")[0]
    before = sample()
    before["results"] = [result | {"verdict": "pass"} for result in before["results"]]
    found = "\n".join(told(sample(), against=before))
    assert "<details>" not in found
    assert "Character noise" in found.partition("## Failed, but ")[2]


def test_what_is_undecided_is_told_and_under_no_other_heading():
    found = "\n".join(told(sample()))
    failed, _, undecided = found.partition("## Undecided")
    assert "Character noise" in failed.partition("## Failed")[2]
    assert "Token masking" in undecided
    assert "Token masking" not in failed


def test_a_clean_corpus_that_is_undecided_did_not_fail():
    found = sample()
    found["results"] = [each for each in found["results"] if each["name"] == "accents"]
    found["tasks"]["ner"]["baseline"] |= {"verdict": "inconclusive", "reason": "F1 0.5 may be 0"}
    lines = "\n".join(told(found))
    assert "## Failed" not in lines
    assert "ner/baseline" in lines.partition("## Undecided")[2]


def test_cases_without_a_result_did_not_run():
    lines = "\n".join(told(interrupted()))
    assert "## Failed" not in lines
    assert "ner/accents" in lines.partition("## Did not run")[2]


def large(cases=60):
    """A document with that many cases, each of which regressed, failed its bounds, and has long names."""
    found = regressed()
    own = found["comparison"]["tasks"]["ner"]
    (one,) = [loss for loss in own["losses"] if loss["id"] == "ner/accents" and loss["type"] is None]
    states = ["regressed", "can't tell", "improved", "no worse", "not comparable"]
    own["losses"] = [
        one | {"id": f"ner/{'x' * 80}[{k}-{state}]", "state": state, "reason": "why " * 80 + str(k)}
        for k in range(cases)
        for state in states
    ]
    (failed,) = [each for each in sample()["results"] if each["verdict"] == "fail"]
    found["results"] = [failed | {"id": f"ner/character_noise[{k}]"} for k in range(cases)]
    found["errors"] = [{"id": f"ner/{'e' * 200}{k}", "message": "boom " * 500} for k in range(cases)]
    found["tasks"]["ner"] |= {"notice": "\n".join(f"line {k} " + "of a notice " * 40 for k in range(40))}
    own["newly_worse"] = [each | {"text": "word " * 5000} for each in own["newly_worse"]]
    return found


def test_a_long_comment_keeps_within_its_lines_and_the_size_limit():
    half = large()
    half["results"] = half["results"][:30]
    page = comment(
        typed.read(Document, large()),
        typed.read(Document, half),
        Remarks(notes=("n" * 9000,) * 3, link="https://example.org/" + "a" * 2000),
        TODAY,
    )
    assert page.count("\n") <= LINES
    assert len(page) < 65_536
    states = [state for state in ("regressed", "undecided", "improved", "no worse") if f"{state}" in page]
    assert len(states) == 4
    assert "61 regressed" in page
    assert page.startswith("# ✗ FAIL: ")
    assert page.endswith(f"{mark('abalo')}\n")


def test_a_failed_bound_shows_the_sentence_that_suffered_most():
    lines = told(sample())
    (at,) = (number for number, line in enumerate(lines) if line == "## Character noise")
    shown = next(line for line in lines[at:] if line.startswith("- "))
    (result,) = (each for each in sample()["results"] if each["verdict"] == "fail")
    assert result["examples"][0]["sentence_id"] in shown
    assert result["examples"][1]["sentence_id"] not in "\n".join(lines)
    hidden = sample()
    for each in hidden["results"]:
        each["examples"] = []
    assert "## Character noise" not in told(hidden)


def test_a_comment_counts_the_losses_that_it_leaves_out():
    found = large()
    found["results"], found["errors"] = [], []
    page = comment(typed.read(Document, found), None, Remarks(), TODAY)
    total, left = (
        {state: int(number) for number, state in re.findall(r"(\d+) (regressed|undecided|improved|no worse)", part)}
        for part in re.search(r"All losses: (.*?)\. Left out here, but in the report: (.*?)\.", page).groups()
    )
    shown = Counter(re.findall(r"(?m)^\| \S+ \*{0,2}(regressed|undecided|improved|no worse)", page))
    assert {state: total[state] - shown[state] for state in total} == left
    assert min(left.values()) > 0


MARKUP = [
    "@octocat",
    "#1",
    "`",
    "```",
    "~~~",
    "|",
    "\n",
    "\\",
    "*",
    "_",
    "$x$",
    "1.",
    "# x",
    "- x",
    "](x)",
    "[a](http://b.c)",
]
HTML = ["-->", "<!-- abalo comment: abalo -->", "<script>", "<details>", "</details>", "<img src=x>", "&#64;x"]
OTHERS = ["word", "https://evil.example", "www.evil.example", "\u202e", "\x1b", "\u2028", "\ud800"]
HOSTILE = st.lists(st.sampled_from([*MARKUP, *HTML, *OTHERS]), max_size=8).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(HOSTILE, HOSTILE, HOSTILE)
@example("", "", "1.")
@example("", "", "12) x")
def test_text_of_a_stranger_is_text(sentence, name, note):
    markdown_it = pytest.importorskip("markdown_it", reason="pip install 'abalo[dev]'")
    found = with_sentences(sentence, f"{sentence}{name}", name)
    found["comparison"]["reference"] |= {"name": name, "commit": sentence, "date": note}
    own = found["comparison"]["tasks"]["ner"]
    own["model"] = sentence
    own["losses"] = [loss | {"type": name or "X"} for loss in own["losses"]]
    found["tasks"]["ner"]["model"]["name"] = name
    page = comment(typed.read(Document, found), None, Remarks(notes=(note,), not_compared=name), TODAY)
    assert page.count("\n") <= LINES
    assert not re.search(r"[@#](?=\w)", page)
    assert page.count("<!--") == 1
    assert page.endswith(f"\n{mark('abalo')}\n")
    assert not re.search(r"://(?=\w)|www\.(?=\w)", page)  # what GitHub makes links of by itself
    shown = markdown_it.MarkdownIt("commonmark").enable("table").render(page)
    allowed = {"h1", "h2", "ul", "li", "strong", "p", "table", "thead", "tbody", "tr", "th", "td"}
    assert set(re.findall(r"<([a-z]\w*)", shown)) <= allowed
    assert len(re.findall("<tr>", shown)) == 1 + 2
    assert len(re.findall("<h2>", shown)) == 3
