"""Runs with a budget or a plan, in a project of seventy sentences."""

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
def planned(project):
    """The project with cases that draw, one that blocks nothing, and one that a panel has no part for."""
    project.write("thresholds.toml", CASES)
    return project


@pytest.fixture
def compared(planned):
    """The same after a whole run was accepted as references/1.0."""
    assert planned.run().ret in (0, 10)
    assert (
        main(["accept", str(planned.path / "reports"), "--as", str(planned.path / "references/1.0"), "--failed"]) == 0
    )
    return planned


def plan_of(project):
    return project.document()["tasks"]["ner"]["plan"]


def test_a_budget_of_inputs_is_planned_for_and_kept(planned):
    result = planned.run("--abalo-budget", "400f")
    plan = plan_of(planned)
    assert (plan["budget"], plan["sentences"], plan["of"], plan["each"]) == ("400f", 64, 70, 3)
    assert plan["groups"] == [
        ["ner/accents"],
        ["ner/char_typo[oracle]", "ner/char_typo[predicted]"],
        ["ner/keyboard"],
        ["ner/word_insertion[rate-0.1]"],
    ]
    assert plan["left_out"] == ["ner/character_noise[rate-0.1]", "ner/doubled_space"]
    inputs = planned.document()["tasks"]["ner"]["inputs"]
    assert inputs["clean"] == 64
    assert sum(inputs.values()) <= plan["inputs"] == 64 + 64 + 5 * 48 <= 400  # the first batch is asked twice
    result.stdout.fnmatch_lines(
        ["abalo: ner: plan: 64 of 70 distinct sentences, * 3 of 4 groups *; at most 368 inputs (* 402)"]
    )


def test_each_case_has_equally_many_sentences_and_the_notes_of_its_panel(planned):
    planned.run("--abalo-budget", "400f")
    evidence = read(next((planned.path / "reports").glob("evidence.*")))
    cases = {case: each for case, each in evidence.items() if case != "ner/baseline"}
    assert {each.distinct for each in cases.values()} == {48}
    assert {str(notes_of(each.notes)) for each in cases.values()} == {
        "PanelNotes(cases=5, seen=64, planned=64, looks=1)"
    }
    together = [set(cases[f"ner/char_typo[{source}]"].clusters.tolist()) for source in ("oracle", "predicted")]
    assert together[0] == together[1]


def test_a_plan_is_repeated_whatever_the_order_of_the_corpus(planned):
    planned.run("--abalo-budget", "400f")
    first, before = plan_of(planned), read(next((planned.path / "reports").glob("evidence.*")))
    blocks = (planned.path / "corpus.conll").read_text("utf-8").strip().split("\n\n")
    planned.write("corpus.conll", "\n\n".join(reversed(blocks)) + "\n")
    (planned.path / "reports").rename(planned.path / "earlier")
    assert planned.run("--abalo-plan", "earlier").ret == 10  # measured, not judged
    again, after = plan_of(planned), read(next((planned.path / "reports").glob("evidence.*")))
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
    inside = {case for group in plan_of(compared)["groups"] for case in group}
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
    assert again["tasks"]["ner"]["plan"] == plan_of(compared)


def test_shards_of_a_plan_are_merged_to_the_whole(compared):
    compared.run("--abalo-budget", "400f", "--abalo-against", "references/1.0", model="models:blind_to_accents")
    (compared.path / "reports").rename(compared.path / "whole")
    given = ("--abalo-plan", "whole", "--abalo-against", "references/1.0")
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


def test_an_accepted_panel_says_what_later_runs_see(planned, capsys):
    planned.run("--abalo-budget", "400f")
    capsys.readouterr()
    assert main(["accept", str(planned.path / "reports"), "--as", str(planned.path / "references/1.0")]) == 0
    assert "a mean loss" in capsys.readouterr().out
    result = planned.run(
        "--abalo-plan", "references/1.0", "--abalo-against", "references/1.0", model="models:all_outside"
    )
    assert result.ret == 1
    mean = planned.document()["comparison"]["tasks"]["ner"]["mean"]
    assert (mean["state"], mean["cases"]) == ("regressed", 5)


def test_a_panel_of_a_file_without_bounds_or_reference_is_measured(planned):
    result = planned.run("--abalo-budget", "400f")
    result.stdout.fnmatch_lines(["MEASURED, NOT JUDGED: *"])


def test_a_budget_of_time_plans_by_the_first_batch(planned):
    planned.run("--abalo-budget", "10m")
    plan = plan_of(planned)
    assert (plan["sentences"], plan["each"], plan["stopped"]) == (70, 4, None)  # fast enough for all


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--abalo-budget", "soon"), "*--abalo-budget soon: expected a time, such as 5m*"),
        (("--abalo-budget", "0f"), "*--abalo-budget 0f: expected a time*"),
        (("--abalo-budget", "1.5f"), "*--abalo-budget 1.5f: expected a time*"),
        (("--abalo-budget", "5m", "--abalo-plan", "x"), "*makes a plan, and --abalo-plan has one; drop one"),
        (("--abalo-budget", "5m", "--abalo-shard", "1/2"), "*give all shards the plan of that run with --abalo-plan"),
        (("--abalo-budget", "5m", "--abalo-profile", "quick"), "*quick has a size of its own; drop one"),
        (("--abalo-plan", "nowhere"), "*nowhere*"),
        (("--abalo-plan", "x", "--abalo-stop-early"), "*--abalo-stop-early: a plan says itself *; drop one"),
    ],
)
def test_misuse_is_a_usage_error(planned, given, said):
    result = planned.run(*given)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([said])


def test_a_budget_that_pays_for_no_panel_says_what_the_smallest_needs(planned):
    result = planned.run("--abalo-budget", "100f")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["*--abalo-budget 100f: pays for 100 inputs; the smallest panel, 64 * needs 368 *"])


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"sentences": 100_000}, "plans 100,000 distinct sentences; the corpus has 70"),
        ({"each": 50}, "plans each sentence in 50 of 4 groups of cases"),
        ({"groups": [["ner/accents"], ["ner/nothing"]], "each": 2}, "plans ner/nothing, which is no case of *"),
    ],
)
def test_a_plan_that_the_corpus_cannot_have_is_refused_before_the_run(planned, part, said):
    assert planned.run("--abalo-budget", "400f").ret == 10
    path = planned.path / "reports" / "robustness.json"
    folder = planned.path / "edited"
    folder.mkdir()
    shutil.copy(path, folder)
    rewrite(folder / "robustness.json", lambda document: document["tasks"]["ner"]["plan"].update(part))
    result = planned.run("--abalo-plan", "edited")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines([f"*--abalo-plan *: {said}; expected the plan of a run on this corpus*"])


def test_a_plan_for_a_corpus_that_the_reference_has_not_seen_is_refused(compared):
    corpus = compared.path / "corpus.conll"
    corpus.write_text(corpus.read_text("utf-8").replace("ouviu", "viu"), "utf-8")
    result = compared.run("--abalo-budget", "400f", "--abalo-against", "references/1.0")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["*reference 1.0: was accepted on another corpus: none of the 64 planned sentences *"])


def test_a_plan_of_a_run_without_one_is_refused(compared):
    result = compared.run("--abalo-plan", "references/1.0")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*--abalo-plan *: has no plan of ner; expected the report of a run with --abalo-budget"]
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
    plan = plan_of(compared)
    assert plan["stopped"] == "time"
    assert 0 < plan["seen"] < plan["sentences"]
    mean = compared.document()["comparison"]["tasks"]["ner"]["mean"]
    assert (mean["cases"], mean["value"]) == (5, 0.0)
    result.stdout.fnmatch_lines([f"abalo: ner: stopped after {plan['seen']} of {plan['sentences']} sentences*: time"])
    evidence = read(next((compared.path / "reports").glob("evidence.*")))
    assert {notes_of(each.notes).seen for case, each in evidence.items() if case != "ner/baseline"} == {plan["seen"]}
    assert main(["verdict", str(compared.path / "reports")]) == result.ret


def test_a_panel_that_stops_early_stops_for_its_mean_alone(compared, capsys):
    given = ("--abalo-budget", "600f", "--abalo-stop-early", "--abalo-against", "references/1.0")
    result = compared.run(*given, model="models:all_outside")
    assert result.ret == 1
    plan, found = plan_of(compared), compared.document()["comparison"]["tasks"]["ner"]
    assert (plan["looks"], plan["stopped"]) == (5, "mean")
    assert plan["seen"] < plan["sentences"]
    assert found["mean"]["state"] == "regressed"
    others = [each for each in found["losses"] if each["id"] != "ner/baseline"]
    assert not any(each["state"] == "regressed" for each in others)
    assert main(["verdict", str(compared.path / "reports")]) == 1
    accept = ["accept", str(compared.path / "reports"), "--as", str(compared.path / "references/2.0"), "--failed"]
    capsys.readouterr()
    assert main(accept) == 2
    assert "its panel stopped before its end" in capsys.readouterr().err
