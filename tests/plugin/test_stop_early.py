"""``--abalo-stop-early``: fewer sentences where the verdict needs no more, and the same ones however a run is dealt."""

from pathlib import Path

import pytest

from abalo import Session
from abalo.cli import main
from abalo.comparison.document.loss_tests import EARLY as EARLY_WORDS
from abalo.core.statistics.evidence import read
from tests.reports import document_in, timeless

pytestmark = pytest.mark.slow

CASES = """
[gate]
language = "pt"
resamples = 500
seeds = [1, 2]

[[ner.baseline]]
min_f1 = 0.9

[[ner.accents]]
max_f1_drop = 0.1

[[ner.word_insertion]]
rate = 0.1
max_f1_drop = 0.3

[[ner.character_noise]]
rate = 0.1
max_f1_drop = 0.6

[[ner.slice]]
of = "length"
max_f1_gap = 0.5
"""

EARLY = "--abalo-stop-early"


@pytest.fixture
def longer(project):
    """The miniature with 560 sentences: each name and place at eight times of the day."""
    text = (project.path / "corpus.conll").read_text("utf-8")
    sentences = [text.replace("horas O", f"horas O\ne O\n{minute} O\nminutos O") for minute in range(8)]
    project.write("corpus.conll", "\n".join(sentences))
    project.write("thresholds.toml", CASES)
    return project


def taken(project) -> dict:
    return {each["name"]: each["taken"] for each in project.document()["results"] if each["bound"]}


def test_a_case_takes_no_more_than_its_verdict_needs(longer):
    assert longer.run().ret == 0
    whole, verdicts = longer.document()["inputs"]["cases"], {r["id"]: r["verdict"] for r in bound(longer)}
    assert "taken" not in longer.document()["results"][0]
    assert longer.run(EARLY).ret == 0
    assert {r["id"]: r["verdict"] for r in bound(longer)} == verdicts
    assert longer.document()["inputs"]["cases"] < whole / 3
    found = taken(longer)
    assert found["accents"]["sentences"] < found["accents"]["of"] == 560
    assert found["accents"]["seeds"] == 1
    assert found["slice"] is found["baseline"] is None
    evidence = read(longer.path / "reports" / "evidence.npz")["ner/accents"]
    assert len(evidence) == found["accents"]["sentences"], "the evidence holds what was seen"
    page = (longer.path / "reports" / "report.html").read_text("utf-8")
    assert "3 of 3 cases stopped early." in page


def bound(project) -> list[dict]:
    return [each for each in project.document()["results"] if each["bound"]]


def test_a_model_that_fails_is_found_early_too(longer):
    assert longer.run(EARLY, model="models:blind_to_accents").ret == pytest.ExitCode.TESTS_FAILED
    (accents,) = (each for each in bound(longer) if each["name"] == "accents")
    assert accents["verdict"] == "fail"
    assert accents["taken"]["seeds"] == 1


def test_workers_shards_and_judging_again_change_nothing(longer):
    reports = longer.path / "reports"
    longer.run(EARLY)
    alone, evidence = timeless(document_in(reports)), (reports / "evidence.npz").read_bytes()
    for number in (1, 2):
        longer.run(EARLY, "--abalo-shard", f"{number}/2", "--abalo-reports", f"part{number}")
    assert main(["merge", "part1", "part2", "--out", "merged"]) == 0
    assert timeless(document_in(longer.path / "merged")) == alone
    assert (longer.path / "merged" / "evidence.npz").read_bytes() == evidence
    assert main(["rejudge", "reports", "--thresholds", "thresholds.toml", "--out", "again"]) == 0
    again = document_in(longer.path / "again")
    assert again["results"] == document_in(reports)["results"]
    longer.run(EARLY, "-n", "1")
    assert timeless(document_in(reports)) == alone
    assert (reports / "evidence.npz").read_bytes() == evidence


def test_what_stopped_early_is_no_reference(longer, capsys):
    longer.run(EARLY)
    assert main(["accept", "reports", "--as", "references/1.0"]) == 2
    said = "its cases could stop early, so its evidence is not that of the whole corpus"
    assert said in capsys.readouterr().err
    assert longer.run("--abalo-against", "reports", "--abalo-reports", "new").ret == pytest.ExitCode.USAGE_ERROR


def test_losses_are_waited_for_and_judged_where_the_case_stopped(longer):
    longer.run()
    assert main(["accept", "reports", "--as", "references/1.0"]) == 0
    against = EARLY, "--abalo-against", "references/1.0"
    assert longer.run(*against).ret == 0
    assert longer.document()["comparison"]["state"] == "identical"
    assert taken(longer)["accents"]["sentences"] < 560
    result = longer.run(*against, model="models:blind_to_accents")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    compared = longer.document()["comparison"]
    assert compared["state"] == "regressed"
    (accents,) = (
        each for each in compared["tasks"]["ner"]["losses"] if each["id"] == "ner/accents" and not each["type"]
    )
    assert accents["state"] == "regressed"
    assert accents["n"] == taken(longer)["accents"]["sentences"]
    assert (accents["stopped_early"], compared["tasks"]["ner"]["mean"]["stopped_early"]) == (True, True)
    assert not compared["tasks"]["ner"]["baseline"]["stopped_early"]
    files = [Path(longer.path, "reports", name) for name in ("report.html", "robustness.md")]
    for shown in (result.stdout.str(), *(file.read_text("utf-8") for file in files)):
        assert EARLY_WORDS in shown
    assert compared["tasks"]["ner"]["mean"]["state"] == "regressed"


def test_a_case_without_a_bound_waits_for_nothing(longer):
    (longer.path / "thresholds.toml").write_text('extends = "default"\n', "utf-8")
    longer.run("-k", "accents or synonyms", EARLY)
    (accents,) = (
        each for each in longer.document()["results"] if each["id"] == "ner/accents" and each["view"] == "projected"
    )
    assert accents["taken"] == {
        "look": 0,
        "looks": 6,
        "sentences": 50,
        "of": 560,
        "of_distinct": 560,
        "seeds": 1,
        "of_seeds": 3,
    }


QUICK = "--abalo-profile", "quick"


def test_a_quick_run_takes_all_of_its_sentences_under_one_seed_and_searches_last(longer):
    gate = '[gate]\nlanguage = "pt"\nresamples = 300\nseeds = [2, 3]\n'
    drawn = "[[ner.accents]]\n[[ner.context_distractors]]\n[[ner.synonyms]]\n"
    searched = "[[ner.entity_attack]]\nleast_similarity = 0.0\n[[ner.typo_outside]]\n"
    idle = '[[ner.slice]]\nof = "length"\nblocking = false\n'
    longer.write("thresholds.toml", f"{gate}[[ner.baseline]]\nmin_f1 = 0.5\n{drawn}{searched}{idle}")
    result = longer.run(*QUICK, "-v")
    assert result.ret == 0
    ran = [line.split("::")[0].partition("test_")[2] for line in result.outlines if "::test_" in line and "%]" in line]
    assert ran[0] == "baseline"
    assert {"context_distractors", "accents", "synonyms"} <= {*ran[1:-1]}
    assert ran[-1] == "entity_attack", "searches last"
    assert "slice" not in ran
    document = longer.document()
    assert document["gate"]["profile"] == "quick"
    assert ("stop_early" in document["options"], document["options"]["limit"]) == (False, 200)
    found = {each["name"]: each for each in document["results"]}
    assert found["baseline"]["sentences"] == 200
    assert found["entity_attack"]["sentences"] == 3
    assert found["typo_outside"]["params"]["draws"] == 60
    assert (found["accents"]["sentences"], found["accents"]["seeds"]) == (200, [2])
    assert not any("taken" in each for each in document["results"])
    result.stdout.fnmatch_lines(["*quick profile *first 200 examples, one seed, *"])
    assert longer.run(*QUICK, "--abalo-limit", "60").ret == 0
    assert longer.document()["options"]["limit"] == 60, "a limit that is asked for holds"


def test_a_quick_run_does_not_pass_a_model_that_is_broken(longer):
    assert longer.run(*QUICK).ret == 0
    assert longer.run(*QUICK, model="models:all_outside").ret == pytest.ExitCode.TESTS_FAILED
    assert longer.run(*QUICK, model="models:blind_to_accents").ret == pytest.ExitCode.TESTS_FAILED
    (accents,) = (each for each in bound(longer) if each["name"] == "accents")
    assert accents["verdict"] == "fail"


def test_a_quick_run_of_cases_that_block_nothing_runs_them(longer):
    gate = '[gate]\nlanguage = "pt"\nresamples = 300\n'
    longer.write("thresholds.toml", f'{gate}[[ner.slice]]\nof = "length"\nblocking = false\n')
    longer.run(*QUICK)
    assert "slice" in {each["name"] for each in longer.document()["results"]}


def test_a_rare_label_has_its_say_in_a_mean_over_labels(tmp_path, monkeypatch):
    """Whatever the part of the corpus, a model that never gives the rare one of three labels has two thirds at most."""
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{'bom' if k % 2 else 'ruim'} texto {k} de todos\t{'a' if k % 2 and k % 40 > 1 else 'b'}" for k in range(1000)
    ]
    rows += [f"nada no texto {k} de 6\tc" for k in range(6)]
    Path("texts.tsv").write_text("\n".join(["text\tlabel", *rows]) + "\n", encoding="utf-8")
    Path("thresholds.toml").write_text(
        '[gate]\nlanguage = "pt"\nresamples = 500\nseeds = [1]\n\n'
        "[[classification.word_insertion]]\nmin_macro_f1 = 0.8\n"
    )
    Path("rare_model.py").write_text(
        "def factory():\n    return lambda texts: ['a' if 'bom' in text else 'b' for text in texts]\n"
    )
    monkeypatch.syspath_prepend(".")
    given = {"task": "classification", "model": "rare_model:factory", "corpus": "texts.tsv"}
    found = [Session(**given, thresholds="thresholds.toml", stop_early=early).run() for early in (False, True)]
    assert [each.results[-1].verdict for each in found] == ["fail", "fail"]
