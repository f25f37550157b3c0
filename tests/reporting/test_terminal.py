"""The summary of a run on the terminal."""

import re

from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.reporting.drawing import plain
from abalo.reporting.formats.terminal import lines
from tests.reporting.documents import interrupted, result_of, sample
from tests.texts import TextWith


def test_each_case_has_a_line_in_the_colour_of_its_verdict_above_run_and_advice():
    document = sample()
    shown = list(lines(typed.read(Document, document)))
    names = {entry["id"] for entry in document["results"]}
    *shown, language, verdict, advice = shown
    assert len(shown) == len(names)
    assert language[0].split()[:4] == ["ner", "language", "pt", "(found"]
    assert verdict[0].startswith("FAIL: character_noise[rate-0.1] fails, 1 undecided")
    assert verdict[1] == "red"
    assert advice[0].startswith("What to do: Train on ")
    colours = {line.split()[0]: colour for line, colour in shown}
    assert colours.keys() == names
    assert sorted(colours.values()) == ["green"] * 4 + ["red", "yellow"]


def test_a_line_has_drop_interval_changes_bound_verdict_and_any_reason():
    document = sample()
    lost = next(entry for entry in document["results"] if entry["verdict"] == "fail")
    (line,) = [line for line, _ in lines(typed.read(Document, document), full=True) if line.startswith(lost["id"])]
    drop = lost["metrics"]["f1_drop_changed"]
    assert f"F1 drop {drop['value']:.3f} [{drop['low']:.3f}, {drop['high']:.3f}]" in line
    assert (lost["changed"], lost["sentences"]) == (180, 200)
    assert "changes 90 % of the sentences" in line
    assert line.endswith("  FAIL")
    doubtful = next(entry for entry in document["results"] if entry["verdict"] == "inconclusive")
    (line,) = [line for line, colour in lines(typed.read(Document, document)) if line.startswith(doubtful["id"])]
    assert line.endswith(f"  UNDECIDED: {doubtful['reason']}")


def test_the_baseline_has_an_f1_and_no_drop():
    (line,) = [line for line, _ in lines(typed.read(Document, sample())) if line.startswith("ner/baseline")]
    assert "F1 0.866" in line
    assert "drop" not in line


def test_a_case_without_a_bound_is_measured_and_counted_above_the_headline():
    document = sample()
    unbound = result_of(document, "accents")
    unbound |= {"bound": None, "verdict": None, "judgements": [], "reason": None}
    (line,) = [
        line
        for line, colour in lines(typed.read(Document, document))
        if line.startswith(unbound["id"]) and colour is None
    ]
    assert line.endswith("  changes 90 % of the sentences, 0.043 over all  MEASURED")
    document["counts"]["pass"] -= 1
    assert [line for line, _ in lines(typed.read(Document, document))][-3:-1] == [
        "accents has no bound",
        "FAIL: character_noise[rate-0.1] fails, 1 undecided",
    ]


def test_a_case_that_fits_nowhere_says_so():
    document = sample()
    unbound = result_of(document, "accents")
    unbound |= {"bound": None, "verdict": None, "judgements": [], "changed": 0, "nothing_fits": unbound["sentences"]}
    (line,) = [
        line
        for line, colour in lines(typed.read(Document, document))
        if line.startswith(unbound["id"]) and colour is None
    ]
    assert line == TextWith("  no sentence has a place ", "  MEASURED")


def test_the_notice_comes_first_and_cases_that_were_not_run_are_named():
    shown = [
        line for line, _ in lines(typed.read(Document, sample() | {"notice": "These bounds were measured elsewhere."}))
    ]
    assert shown[0] == "These bounds were measured elsewhere."
    shown = list(lines(typed.read(Document, interrupted())))
    assert shown[0] == ("not run: ner/accents, ner/baseline", "yellow")
    assert shown[-1][0].startswith("INCOMPLETE: ")
    assert shown[-1][1] == "red"


def holding(number):
    """The sample with so many more cases that hold and cost nothing."""
    document = sample()
    own = result_of(document, "synonyms")
    for k in range(number):
        document["results"].append({**own, "id": f"ner/more[{k}]", "name": "accents", "metrics": {}})
    return document


def rows_in(document, **asked):
    """The first words of the lines about cases."""
    every = [line.split()[0] for line, _ in lines(typed.read(Document, document), **asked)]
    return [word for word in every if word.startswith("ner/")]


def test_many_cases_that_hold_are_counted_in_one_line():
    found = [line for line, _ in lines(typed.read(Document, holding(78)), more="-v, or reports/report.html")]
    assert "78 more hold: -v, or reports/report.html" in found
    shown = rows_in(holding(78))
    assert {"ner/baseline", "ner/character_noise[rate-0.1]", "ner/token_masking[rate-0.15]"} <= {*shown}
    assert len(shown) == 6
    assert len(rows_in(holding(78), full=True)) == 84


def test_few_cases_that_hold_are_named():
    assert len(rows_in(holding(3))) == 9
    assert len(rows_in(holding(4))) == 6


def test_names_numbers_and_verdicts_stand_below_each_other():
    found = [line for line, _ in lines(typed.read(Document, sample())) if line.startswith("ner/")]
    assert len({re.match(r"\S+ +", line).end() for line in found}) == 1
    assert len({line.rindex("PASS") for line in found if line.endswith("PASS")}) == 1


def test_wide_letters_take_two_columns():
    assert [plain.columns(text) for text in ("abc", "孔雀石", "e\u0301")] == [3, 6, 1]
    assert plain.pad("孔雀", 6) == "孔雀  "
    assert plain.columns(plain.cut("孔 雀 石 " * 30, 40)) <= 40
