"""Several trainings of one model in a run: ``--abalo-model A,B``."""

import pytest

from abalo.cli import main

BOTH = "models:gazetteer,models:blind_to_accents"


def test_bounds_are_about_the_mean_over_trainings(project):
    project.write("thresholds.toml", "[gate]\nresamples = 500\n[[ner.baseline]]\nmin_f1 = 0.9\n[[ner.accents]]\n")
    result = project.run(model=BOTH)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    found = project.result("ner/baseline")["metrics"]["f1"]
    assert found["trainings"] == pytest.approx([1.0, 0.5])  # the second finds the 70 persons alone, of 210 entities
    assert found["value"] == pytest.approx(0.75)
    assert found["sd"] == pytest.approx(0.5 / 2**0.5, abs=1e-6)
    result.stdout.fnmatch_lines(["ner: 2 trainings, F1 0.750 ± 0.354: 1 (*gazetteer*); 2 (*blind_to_accents*)"])


def test_examples_are_those_of_the_training_that_fares_worst(project):
    project.write("thresholds.toml", "[gate]\nresamples = 500\n[[ner.accents]]\n")
    project.run(model=BOTH)
    result = project.result("ner/accents")
    assert (result["training"], result["metrics"]["f1_drop"]["trainings"][0]) == (1, 0.0)
    assert all(example["broken"] for example in result["examples"])


def test_the_report_has_a_table_of_all_trainings(project):
    project.run(model=BOTH)
    page = (project.path / "reports" / "robustness.md").read_text("utf-8")
    assert "## Named-entity recognition: 2 trainings" in page
    assert "| Baseline | F1 | 0.750 | 0.354 | 1.000 | 0.500 |" in page


@pytest.mark.slow
def test_the_order_of_the_trainings_changes_no_mean(project):
    project.run(model=BOTH)
    there = project.result("ner/accents")["metrics"]["f1_drop"]
    project.run(model=",".join(reversed(BOTH.split(","))))
    back = project.result("ner/accents")["metrics"]["f1_drop"]
    assert (there["value"], there["low"], there["trainings"]) == (back["value"], back["low"], back["trainings"][::-1])


def test_an_empty_name_is_refused(project):
    result = project.run(model="models:gazetteer,")
    assert result.ret == pytest.ExitCode.USAGE_ERROR or result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*--abalo-model models:gazetteer,: an empty name; expected trainings separated by *"])


def test_one_model_twice_is_refused(project):
    result = project.run(model="models:gazetteer,models:gazetteer")
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*the models * and * are the same, fingerprint *: give each training once*"])


@pytest.mark.slow
def test_judged_again_and_by_workers_the_numbers_are_the_same(project, monkeypatch):
    monkeypatch.chdir(project.path)
    project.run(model=BOTH)
    alone = project.document()
    project.run("-n", "1", model=BOTH)
    by_workers = project.document()
    assert main(["rejudge", "reports", "--thresholds", "thresholds.toml"]) == 1
    again = project.document()
    for document in (by_workers, again):
        assert [each["metrics"] for each in document["results"]] == [each["metrics"] for each in alone["results"]]
        assert document["tasks"]["ner"]["baseline"] == alone["tasks"]["ner"]["baseline"]


@pytest.mark.slow
def test_several_trainings_are_compared_with_several_accepted_ones(project):
    project.write("thresholds.toml", "[gate]\nresamples = 500\n[[ner.baseline]]\n[[ner.accents]]\n")
    project.run(model=BOTH)
    accepted = str(project.path / "references" / "1.0")
    assert main(["accept", str(project.path / "reports"), "--as", accepted, "--failed"]) == 0
    project.run("--abalo-against", "references/1.0", model=BOTH)
    assert project.document()["comparison"]["state"] == "identical"
    project.run("--abalo-against", "references/1.0", model="models:blind_to_accents,models:all_outside")
    found = project.document()["comparison"]["tasks"]["ner"]["baseline"]
    assert (found["state"], found["reference"], found["new"]) == ("regressed", 0.75, 0.25)
