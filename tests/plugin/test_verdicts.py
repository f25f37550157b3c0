"""Models whose verdict is known beforehand, and what the run then says and returns."""

import re

import pytest

from abalo.bundled import OWN_GATE
from abalo.cli import main
from tests.texts import TextWith

pytestmark = pytest.mark.slow

UNDECIDED = 10


def test_a_model_that_reads_each_token_by_itself_passes_with_drops_of_zero(project):
    result = project.run()
    assert result.ret == 0
    result.assert_outcomes(passed=3)
    for case in ("ner/accents", "ner/word_insertion[rate-0.1]"):
        drop = project.result(case)["metrics"]["f1_drop"]
        assert (drop["value"], -drop["low"], drop["high"]) == (0, 0.051334, 0.051334)  # of 70 others one might differ
    assert project.document()["verdict"] == "pass"


def test_a_model_that_tags_nothing_fails(project):
    result = project.run(model="models:all_outside")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    document = project.document()
    assert document["verdict"] == "fail"
    assert document["baseline"]["f1"]["value"] == 0
    result.stdout.fnmatch_lines(["F1 0.000*, allowed ≥ 0.900*", "FAILED *baseline* - 0.0*"])


def test_a_case_that_changed_no_sentence_is_inconclusive_and_says_so(project):
    project.write("corpus.conll", project.path.joinpath("corpus.conll").read_text("utf-8").translate(PLAIN))
    result = project.run("-k", "accents or baseline")
    assert result.ret == 0
    accents = project.result("ner/accents")
    assert (accents["verdict"], accents["reason"], accents["changed"]) == (
        "inconclusive",
        TextWith("no sentence", "place"),
        0,
    )
    (line,) = (line for line in result.stdout.lines if line.startswith("ner/accents "))
    assert "no sentence has a place for this change" in line
    assert not re.search(r"0\.0.*\[", line), "nothing was measured"
    result.stdout.fnmatch_lines(["reports: *; exit code 0", "*1 undecided*"])


def test_an_inconclusive_bound_can_be_made_to_matter(project):
    project.write("corpus.conll", project.path.joinpath("corpus.conll").read_text("utf-8").translate(PLAIN))
    thresholds = project.path.joinpath("thresholds.toml").read_text("utf-8")
    project.write("thresholds.toml", thresholds.replace("[gate]", '[gate]\ninconclusive = "fail"'))
    assert project.run("-k", "accents or baseline").ret == UNDECIDED


def test_a_run_in_which_nothing_was_judged_is_no_pass(project):
    result = project.run("--abalo-limit", "40")
    assert result.ret == UNDECIDED
    assert project.result("ner/accents")["reason"] == "fewer than 50 distinct sentences (40)"


def test_a_run_without_a_single_case_is_no_pass(project):
    project.write("thresholds.toml", "")
    assert project.run().ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_model_that_finds_nothing_has_nothing_to_lose_and_passes_nothing(project):
    result = project.run("-k", "accents", model="models:all_outside")
    assert result.ret == pytest.ExitCode.TESTS_FAILED  # by the clean corpus, which is judged though it was not selected
    assert project.result("ner/accents")["reason"] == TextWith("clean F1 is 0")
    assert project.document()["baseline"]["verdict"] == "fail"
    result.stdout.fnmatch_lines(["ner/baseline*f1 0.000*is below min_f1 0.9*FAIL"])


def test_of_an_undecided_floor_of_the_clean_corpus_the_estimate_decides(project):
    models = project.path.joinpath("models.py").read_text("utf-8")
    project.write("models.py", models + BLIND_TO_ANA)
    thresholds = project.path.joinpath("thresholds.toml").read_text("utf-8")
    found = {}
    for model, limit in (("gazetteer", 0.98), ("blind_to_ana", 0.98), ("blind_to_ana", 0.99)):
        project.write("thresholds.toml", thresholds.replace("min_f1 = 0.9", f"min_f1 = {limit}"))
        code = project.run("-k", "accents", model=f"models:{model}").ret
        assert project.result("ner/accents")["verdict"] == "pass"
        assert project.document()["baseline"]["verdict"] == "inconclusive"
        found[model, limit] = code
    # 203 of 210 entities are found: 2 * 203 / (203 + 210) = 0.983.
    assert project.document()["baseline"]["f1"]["value"] == pytest.approx(0.983, abs=0.0005)
    assert found == {("gazetteer", 0.98): 0, ("blind_to_ana", 0.98): 0, ("blind_to_ana", 0.99): UNDECIDED}


def test_without_a_bound_the_clean_score_of_a_model_that_finds_nothing_fails(project):
    thresholds = project.path.joinpath("thresholds.toml").read_text("utf-8")
    project.write("thresholds.toml", thresholds.replace("min_f1 = 0.9", ""))
    assert project.run("-k", "accents").ret == 0
    result = project.run("-k", "accents", model="models:all_outside")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert (project.document()["verdict"], project.document()["baseline"]["least"]["state"]) == ("fail", "below")
    result.stdout.fnmatch_lines(["FAIL: *"])


def test_a_case_has_the_same_verdict_alone_and_in_a_whole_run(project):
    project.run()
    whole = project.result("ner/accents")
    project.run("-k", "accents")
    alone = project.result("ner/accents")
    assert (alone["m"], alone["judgements"]) == (whole["m"], whole["judgements"])
    assert whole["m"] == 2


def test_the_default_cases_of_a_model_that_finds_nothing_fail(project):
    project.write("thresholds.toml", 'extends = "default"\n')
    result = project.run("-k", "baseline", model="models:all_outside")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(failed=1)


def test_a_copy_of_the_gate_of_the_bundled_models_is_a_users_file_like_any_other(project):
    """Its bounds are applied; a floor on a type that the corpus lacks is a slip, since the clean corpus always runs."""
    gate = OWN_GATE.read_text("utf-8")
    project.write("thresholds.toml", gate)
    result = project.run("-k", "accents")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*thresholds.toml [[][[]ner.baseline]] min_f1*JURISPRUDENCIA*"])
    one_floor = re.sub(r"min_f1 = \{overall = ([\d.]+).*\}", r"min_f1 = \1", gate)
    project.write("thresholds.toml", one_floor)
    assert project.run("-k", "accents").ret == 0
    assert project.result("ner/accents")["verdict"] == "pass"


def test_a_reference_decides_about_cases_without_bounds(project):
    assert project.run().ret == 0
    assert main(["accept", str(project.path / "reports"), "--as", str(project.path / "references" / "1.0")]) == 0
    project.write("thresholds.toml", 'extends = "default"\n')
    assert project.run("-k", "accents or baseline", "--abalo-against", "references/1.0").ret == 0


def test_a_failing_case_that_does_not_block_is_shown_and_does_not_fail_the_run(project):
    thresholds = project.path.joinpath("thresholds.toml").read_text("utf-8")
    project.write("thresholds.toml", thresholds.replace("max_f1_drop = 0.06", "max_f1_drop = -0.5\nblocking = false"))
    result = project.run()
    assert result.ret == 0
    assert project.result("ner/accents")["verdict"] == "fail"
    assert project.document()["counts"] == {"pass": 1, "fail": 0, "inconclusive": 0, "not_blocking": 2}
    result.stdout.fnmatch_lines(["*2 failed without blocking*"])


def test_the_baseline_is_measured_whatever_is_selected(project):
    project.run("-k", "accents")
    assert project.document()["baseline"]["f1"]["value"] == 1


def test_a_perturbation_from_the_users_conftest_is_a_case_like_ours(project):
    project.write(
        "conftest.py",
        "from perturbations import word_level\n\n\n"
        "@word_level(example=('[Ana PESSOA]', '[Anax PESSOA]'))\n"
        "def tail_of_x(word):\n"
        '    """An x behind the word."""\n'
        "    return (word + 'x',)\n",
    )
    project.write("thresholds.toml", THRESHOLDS_WITH_TAIL)
    result = project.run()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*test_other_perturbations::test_f1?tail_of_x?*"])
    assert project.result("ner/tail_of_x")["metrics"]["f1"]["value"] == 0


BLIND_TO_ANA = """

def blind_to_ana():
    return lambda batch: [["O" if word == "Ana" else tag(word) for word in tokens] for tokens in batch]
"""

PLAIN = str.maketrans("éíáóâêçãôà", "eiaoaecaoa") | {ord("Í"): "I", ord("Ó"): "O"}

THRESHOLDS_WITH_TAIL = """
[gate]
resamples = 500

[[ner.tail_of_x]]
max_f1_drop = 0.1
"""
