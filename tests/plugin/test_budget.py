"""Runs with a budget or a design, in a project of seventy sentences."""

import json
import shutil

import pytest

from abalo.cli import main
from abalo.core.statistics.evidence import read
from abalo.core.statistics.panel import notes_of
from tests.reports import rewrite

pytestmark = pytest.mark.slow

CASES = """
[gate]
language = "pt"
resamples = 500

[[ner.baseline]]

[[ner.accents]]

[[ner.word_insertion]]
rate = 0.1

[[ner.keyboard]]

[[ner.char_typo]]
span_source = "oracle"

[[ner.char_typo]]
span_source = "predicted"

[[ner.character_noise]]
rate = 0.1
blocking = false

[[ner.doubled_space]]
"""


@pytest.fixture
def designed(project):
    """The project with cases that draw, one that blocks nothing, and one that a panel has no part for."""
    project.write("thresholds.toml", CASES)
    return project


@pytest.fixture
def compared(designed):
    """The same after a whole run was accepted as references/1.0."""
    assert designed.run().ret in (0, 10)
    assert (
        main(["accept", str(designed.path / "reports"), "--as", str(designed.path / "references/1.0"), "--failed"]) == 0
    )
    return designed


def design_of(project):
    return project.document()["tasks"]["ner"]["design"]


def test_a_budget_of_inputs_has_a_design_and_is_kept(designed):
    result = designed.run("--abalo-budget", "400f")
    design = design_of(designed)
    assert (design["budget"], design["sentences"], design["of"], design["each"]) == ("400f", 64, 70, 3)
    assert design["groups"] == [
        ["ner/accents"],
        ["ner/char_typo[oracle]", "ner/char_typo[predicted]"],
        ["ner/keyboard"],
        ["ner/word_insertion[rate-0.1]"],
    ]
    assert design["left_out"] == ["ner/character_noise[rate-0.1]", "ner/doubled_space"]
    inputs = designed.document()["tasks"]["ner"]["inputs"]
    assert inputs["clean"] == 64
    assert sum(inputs.values()) <= design["inputs"] == 64 + 64 + 5 * 48 <= 400  # the first batch is asked twice
    result.stdout.fnmatch_lines(
        ["abalo: ner: design: 64 of 70 distinct sentences, * 3 of 4 groups *; at most 368 inputs (* 402)"]
    )


def test_each_case_has_equally_many_sentences_and_the_notes_of_its_panel(designed):
    designed.run("--abalo-budget", "400f")
    evidence = read(next((designed.path / "reports").glob("evidence.*")))
    cases = {case: each for case, each in evidence.items() if case != "ner/baseline"}
    assert {each.distinct for each in cases.values()} == {48}
    assert {str(notes_of(each.notes)) for each in cases.values()} == {
        "PanelNotes(cases=5, seen=64, sentences=64, looks=1)"
    }
    together = [set(cases[f"ner/char_typo[{source}]"].clusters.tolist()) for source in ("oracle", "predicted")]
    assert together[0] == together[1]


def test_a_design_is_repeated_whatever_the_order_of_the_corpus(designed):
    designed.run("--abalo-budget", "400f")
    first, before = design_of(designed), read(next((designed.path / "reports").glob("evidence.*")))
    blocks = (designed.path / "corpus.conll").read_text("utf-8").strip().split("\n\n")
    designed.write("corpus.conll", "\n\n".join(reversed(blocks)) + "\n")
    (designed.path / "reports").rename(designed.path / "earlier")
    assert designed.run("--abalo-design", "earlier").ret == 10  # measured, not judged
    again, after = design_of(designed), read(next((designed.path / "reports").glob("evidence.*")))
    assert again == {**first, "budget": None}
    for case, each in before.items():
        assert sorted(zip(each.ids, each.digests, strict=True)) == sorted(
            zip(after[case].ids, after[case].digests, strict=True)
        )


def test_a_worse_model_fails_on_a_panel_and_an_equal_one_does_not(compared):
    good = compared.run("--abalo-budget", "400f", "--abalo-against", "references/1.0")
    assert good.ret == 0
    assert compared.document()["comparison"]["tasks"]["ner"]["mean"]["state"] == "identical"
    bad = compared.run("--abalo-budget", "400f", "--abalo-against", "references/1.0", model="models:blind_to_accents")
    assert bad.ret == 1
    found = compared.document()["comparison"]["tasks"]["ner"]
    assert (found["mean"]["state"], found["mean"]["cases"], found["panel"]) == ("regressed", 5, True)
    inside = {case for group in design_of(compared)["groups"] for case in group}
    singles = {each["state"] for each in found["losses"] if each["id"] in inside}
    assert singles == {"too few changed"}
    types = {each["type"]: each["state"] for each in found["losses"] if each["id"] == "ner/types"}
    assert types["LOCAL"] == "regressed"
    bad.stdout.fnmatch_lines(["*true mean loss * beyond 0.005 in 80 % of runs; types *"])
    bad.stdout.fnmatch_lines(["ner/mean", "    F1 *REGRESSED", "ner/types entity type LOCAL", "    F1 *REGRESSED"])


def test_what_was_not_run_is_told_by_report_and_verdict(compared, capsys):
    compared.run("--abalo-budget", "400f", "--abalo-against", "references/1.0")
    text = (compared.path / "reports/robustness.md").read_text("utf-8")
    told = ": ner/character_noise[rate-0.1], ner/doubled_space."
    assert told.replace("_", "\\_") in text or told in text
    capsys.readouterr()
    assert main(["verdict", str(compared.path / "reports")]) == 0
    assert told in capsys.readouterr().out


def test_a_panel_is_judged_again_and_compared_without_its_model(compared, capsys):
    reference, reports = str(compared.path / "references/1.0"), str(compared.path / "reports")
    compared.run("--abalo-budget", "400f", "--abalo-against", "references/1.0", model="models:blind_to_accents")
    before = compared.document()["comparison"]
    thresholds = str(compared.path / "thresholds.toml")
    assert main(["verdict", reports, "--recount", "--against", reference, "--thresholds", thresholds]) == 1
    out = str(compared.path / "again")
    assert main(["rejudge", reports, "--against", reference, "--thresholds", thresholds, "--out", out]) == 1
    again = json.loads((compared.path / "again/robustness.json").read_text("utf-8"))
    assert again["comparison"]["tasks"]["ner"]["mean"] == before["tasks"]["ner"]["mean"]
    assert again["tasks"]["ner"]["design"] == design_of(compared)


def test_shards_of_a_design_are_merged_to_the_whole(compared):
    compared.run("--abalo-budget", "400f", "--abalo-against", "references/1.0", model="models:blind_to_accents")
    (compared.path / "reports").rename(compared.path / "whole")
    given = ("--abalo-design", "whole", "--abalo-against", "references/1.0")
    for k in (1, 2):
        folder = f"shard{k}"
        compared.run(*given, "--abalo-shard", f"{k}/2", "--abalo-reports", folder, model="models:blind_to_accents")
    folders = [str(compared.path / f"shard{k}") for k in (1, 2)]
    options = [
        "--thresholds",
        str(compared.path / "thresholds.toml"),
        "--against",
        str(compared.path / "references/1.0"),
    ]
    assert main(["merge", *folders, *options, "--out", str(compared.path / "reports")]) == 1
    whole = json.loads((compared.path / "whole/robustness.json").read_text("utf-8"))
    assert compared.document()["comparison"]["tasks"]["ner"]["mean"] == whole["comparison"]["tasks"]["ner"]["mean"]


def test_an_accepted_panel_says_what_later_runs_see(designed, capsys):
    designed.run("--abalo-budget", "400f")
    capsys.readouterr()
    assert main(["accept", str(designed.path / "reports"), "--as", str(designed.path / "references/1.0")]) == 0
    assert "a mean loss" in capsys.readouterr().out
    result = designed.run(
        "--abalo-design", "references/1.0", "--abalo-against", "references/1.0", model="models:all_outside"
    )
    assert result.ret == 1
    mean = designed.document()["comparison"]["tasks"]["ner"]["mean"]
    assert (mean["state"], mean["cases"]) == ("regressed", 5)


def test_a_panel_of_a_file_without_bounds_or_reference_is_measured(designed):
    result = designed.run("--abalo-budget", "400f")
    result.stdout.fnmatch_lines(["MEASURED, NOT JUDGED: *"])


def test_a_budget_of_time_is_spent_by_the_first_batch(designed):
    designed.run("--abalo-budget", "10m")
    design = design_of(designed)
    assert (design["sentences"], design["each"], design["stopped"]) == (70, 4, None)  # fast enough for all


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--abalo-budget", "soon"), "*--abalo-budget soon: expected a time, such as 5m*"),
        (("--abalo-budget", "0f"), "*--abalo-budget 0f: expected a time*"),
        (("--abalo-budget", "1.5f"), "*--abalo-budget 1.5f: expected a time*"),
        (("--abalo-budget", "5m", "--abalo-design", "x"), "*makes a design, and --abalo-design has one; drop one"),
        (
            ("--abalo-budget", "5m", "--abalo-shard", "1/2"),
            "*give all shards the design of that run with *",
        ),
        (("--abalo-budget", "5m", "--abalo-profile", "quick"), "*quick has a size of its own; drop one"),
        (("--abalo-design", "nowhere"), "*nowhere*"),
        (("--abalo-design", "x", "--abalo-stop-early"), "*--abalo-stop-early: a design says itself *; drop one"),
    ],
)
def test_misuse_is_a_usage_error(designed, given, said):
    result = designed.run(*given)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([said])


def test_a_budget_that_pays_for_no_panel_says_what_the_smallest_needs(designed):
    result = designed.run("--abalo-budget", "100f")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["*--abalo-budget 100f: pays for 100 inputs; the smallest panel, 64 * needs 368 *"])


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"sentences": 100_000}, "has 100,000 distinct sentences; the corpus has 70"),
        ({"each": 50}, "has each sentence in 50 of 4 groups of cases"),
        ({"groups": [["ner/accents"], ["ner/nothing"]], "each": 2}, "has ner/nothing, which is no case of *"),
    ],
)
def test_a_design_that_the_corpus_cannot_have_is_refused_before_the_run(designed, part, said):
    assert designed.run("--abalo-budget", "400f").ret == 10
    path = designed.path / "reports" / "robustness.json"
    folder = designed.path / "edited"
    folder.mkdir()
    shutil.copy(path, folder)
    rewrite(folder / "robustness.json", lambda document: document["tasks"]["ner"]["design"].update(part))
    result = designed.run("--abalo-design", "edited")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines([f"*--abalo-design *: {said}; expected the design of a run on this corpus*"])


def test_a_design_for_a_corpus_that_the_reference_has_not_seen_is_refused(compared):
    corpus = compared.path / "corpus.conll"
    corpus.write_text(corpus.read_text("utf-8").replace("ouviu", "viu"), "utf-8")
    result = compared.run("--abalo-budget", "400f", "--abalo-against", "references/1.0")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["*reference 1.0: was accepted on another corpus: none of the 64 sentences of *"])


def test_a_design_of_a_run_without_one_is_refused(compared):
    result = compared.run("--abalo-design", "references/1.0")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*--abalo-design *: has no design of ner; expected the report of a run with --abalo-budget"]
    )


SLOW = """
import time

def slow():
    known = gazetteer()
    def predict(batch):
        time.sleep(0.008 * len(batch) * (1 if len(asked) < 250 else 50))
        asked.extend(batch)
        return known(batch)
    return predict

asked = []
"""


@pytest.mark.slow
def test_a_model_that_gets_slower_is_stopped_and_what_was_seen_is_judged(compared):
    """Fifty times as slow in the middle of the panel: the time is over within a part, which is left out."""
    (compared.path / "models.py").write_text((compared.path / "models.py").read_text("utf-8") + SLOW, "utf-8")
    result = compared.run("--abalo-budget", "8s", "--abalo-against", "references/1.0", model="models:slow")
    design = design_of(compared)
    assert design["stopped"] == "time"
    assert 0 < design["seen"] < design["sentences"]
    mean = compared.document()["comparison"]["tasks"]["ner"]["mean"]
    assert (mean["cases"], mean["value"]) == (5, 0.0)
    result.stdout.fnmatch_lines([f"abalo: ner: stopped after {design['seen']} of {design['sentences']} *: time"])
    evidence = read(next((compared.path / "reports").glob("evidence.*")))
    assert {notes_of(each.notes).seen for case, each in evidence.items() if case != "ner/baseline"} == {design["seen"]}
    assert main(["verdict", str(compared.path / "reports")]) == result.ret


def test_a_panel_that_stops_early_stops_for_its_mean_alone(compared, capsys):
    given = ("--abalo-budget", "600f", "--abalo-stop-early", "--abalo-against", "references/1.0")
    result = compared.run(*given, model="models:all_outside")
    assert result.ret == 1
    design, found = design_of(compared), compared.document()["comparison"]["tasks"]["ner"]
    assert (design["looks"], design["stopped"]) == (5, "mean")
    assert design["seen"] < design["sentences"]
    assert found["mean"]["state"] == "regressed"
    others = [each for each in found["losses"] if each["id"] != "ner/baseline"]
    assert not any(each["state"] == "regressed" for each in others)
    assert main(["verdict", str(compared.path / "reports")]) == 1
    accept = ["accept", str(compared.path / "reports"), "--as", str(compared.path / "references/2.0"), "--failed"]
    capsys.readouterr()
    assert main(accept) == 2
    assert "its panel stopped before its end" in capsys.readouterr().err
