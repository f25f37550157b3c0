"""``abalo rejudge``: the verdicts that a run with another thresholds file would have, without a model."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from abalo import Session
from abalo.cli import main
from abalo.core.statistics.evidence import from_bytes, sha256_of, to_bytes
from tests.commands.conftest import conll
from tests.reports import document_in, rewrite, timeless, write

pytestmark = pytest.mark.slow

CASES = """
[[ner.baseline]]
min_f1 = 0.8

[[ner.accents]]
max_f1_drop = {limit}

[[ner.word_insertion]]
rate = 0.5
max_f1_drop = 0.5

[[ner.pipeline]]
steps = ["accents", "word_insertion"]
max_f1_drop = {limit}

[[ner.slice]]
of = "length"
max_f1_gap = 0.2

[[ner.entity_attack]]
sample = 4
max_success_rate = 0.99

[[ner.typo_outside]]
draws = 300
max_violations_per_thousand = 0
"""
"""A case of each kind; the model loses every José under accents."""

STRICT = "[gate]\nresamples = 300\n" + CASES.format(limit=0.2)
LENIENT = '[gate]\nresamples = 300\nconfidence = 0.9\ncorrection = "none"\n' + CASES.format(limit=0.99).replace(
    "max_f1_drop = 0.99", "min_f1_drop = 0.5"
)


@pytest.fixture
def reports(models_here, once):
    """The reports of a run with strict bounds, and a file with lenient ones."""
    names = [f"José{i}" for i in range(60)] + [f"Ana{i}" for i in range(6)]
    corpus = conll(*(f"[{name} PESSOA] saiu" + " cedo" * (i % 2) for i, name in enumerate(names)))
    (models_here / "corpus.conll").write_text(corpus, encoding="utf-8")
    (models_here / "strict.toml").write_text(STRICT, encoding="utf-8")
    (models_here / "lenient.toml").write_text(LENIENT, encoding="utf-8")
    once(models_here, lambda: session("strict.toml").run().write("reports"))
    return models_here / "reports"


def session(thresholds: str) -> Session:
    return Session(model="models_here:by_word", corpus="corpus.conll", thresholds=thresholds, seeds=(1, 2))


def verdicts(document: dict) -> dict[str, str]:
    return {result["name"]: result["verdict"] for result in document["results"] if result["verdict"]}


def test_verdicts_are_those_of_a_run_with_that_file(reports, capsys):
    assert verdicts(document_in("reports"))["accents"] == "fail"
    assert main(["rejudge", "reports", "--thresholds", "lenient.toml", "--out", "again"]) == 0
    assert "again/robustness.md, .json" in capsys.readouterr().out
    session("lenient.toml").run().write("whole")
    assert verdicts(document_in("again"))["accents"] == "pass"
    assert timeless(document_in("again")) == timeless(document_in("whole"))


def test_questions_are_judged_anew_too(folder):
    case = "[[choice.{}]]\n{}\n"
    guesses = "least = 0\nguesses = true\n"  # as the bundled baseline does
    strict = case.format("baseline", guesses + "min_accuracy = 0.9") + case.format("perturbation_stability", "k = 5")
    Path("strict.toml").write_text(strict)
    Path("lenient.toml").write_text(strict.replace("0.9", "0.1").replace("k = 5", "k = 5\nmax_fragility_score = 0.99"))
    Session(task="choice", thresholds="strict.toml").run().write("reports")
    assert main(["rejudge", "reports", "--thresholds", "lenient.toml", "--out", "again"]) == 0
    Session(task="choice", thresholds="lenient.toml").run().write("whole")
    assert timeless(document_in("again")) == timeless(document_in("whole"))


def test_the_same_file_gives_the_same_report(reports):
    assert main(["rejudge", "reports", "--thresholds", "strict.toml", "--out", "again"]) == 1
    assert timeless(document_in("again")) == timeless(document_in("reports"))
    assert document_in("again")["date"] == document_in("reports")["date"]  # that of the run, not of the judgement


def test_evidence_and_examples_go_along_so_that_it_can_be_judged_again(reports):
    main(["rejudge", "reports", "--thresholds", "lenient.toml", "--out", "again"])
    for name in ("evidence.npz", "examples.jsonl"):
        assert Path("again", name).read_bytes() == (reports / name).read_bytes()
    assert main(["rejudge", "again", "--thresholds", "strict.toml"]) == 1
    assert timeless(document_in("again")) == timeless(document_in("reports"))


def test_no_model_and_no_corpus_is_needed(reports, folder):
    for name in ("models_here.py", "corpus.conll"):
        (folder / name).unlink()
    assert main(["rejudge", "reports", "--thresholds", "lenient.toml"]) == 0


def test_cases_that_were_not_run_and_those_without_an_entry_are_left_out(reports):
    Path("few.toml").write_text("[[ner.accents]]\nmin_f1_drop = 0.5\n[[ner.keyboard]]\nmax_f1_drop = 0.1\n")
    assert main(["rejudge", "reports", "--thresholds", "few.toml", "--out", "again"]) == 0
    assert {result["name"] for result in document_in("again")["results"]} == {"accents"}
    assert document_in("again")["gate"]["bounds"] == 2  # those of the file, whatever was run


def test_the_thresholds_here_are_taken_where_none_are_named(reports):
    shutil.copy("lenient.toml", "thresholds.toml")
    assert main(["rejudge", "reports"]) == 0
    assert document_in("reports")["gate"]["confidence"] == 0.9


UNDECIDED = "[[ner.accents]]\nmax_f1_drop = {LOCAL = 0.1}\n"
"""No label is a place, so nothing can be said."""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[[ner.accents]]\nmin_f1_drop = 0.5\n", 0),
        ("[[ner.accents]]\nmax_f1_drop = 0.5\n", 1),
        ("[[ner.accents]]\nmax_f1_drop = 0.5\nblocking = false\n", 10),
        ("[[ner.accents]]\n", 10),
        ("[[ner.accents]]\nmax_f1_drop = 1\n", 10),
        ("[[ner.baseline]]\nmin_f1 = 0.5\n" + UNDECIDED, 0),
        ('[gate]\ninconclusive = "fail"\n[[ner.baseline]]\nmin_f1 = 0.5\n' + UNDECIDED, 10),
        (UNDECIDED, 10),
    ],
    ids=[
        "pass",
        "fail",
        "fail, not blocking",
        "no bound",
        "no bound that breaks",
        "undecided",
        "undecided, which fails",
        "nothing decided",
    ],
)
def test_the_exit_code_is_that_of_a_run(reports, text, code):
    Path("other.toml").write_text(text)
    assert main(["rejudge", "reports", "--thresholds", "other.toml"]) == code


def without_evidence(reports):
    (reports / "evidence.npz").unlink()


def cut_short(reports):
    data = (reports / "evidence.npz").read_bytes()
    (reports / "evidence.npz").write_bytes(data[: len(data) // 2])


def another_archive(reports):
    np.savez(reports / "evidence.npz", tokens=np.zeros(3))


def evidence_of_less(reports):
    (reports.parent / "few.toml").write_text("[[ner.baseline]]\nmin_f1 = 0.5\n")
    session("few.toml").run().write("few")
    shutil.copy("few/evidence.npz", reports)


def without_report(reports):
    (reports / "robustness.json").unlink()


def no_json(reports):
    (reports / "robustness.json").write_text("{")


def no_results(reports):
    (reports / "robustness.json").write_text('{"schema": "abalo-robustness/6"}')


def another_document(reports):
    (reports / "robustness.json").write_text('{"schema": "other/1"}')


def of_another_run(reports):
    Session(model="models_here:by_word", corpus="corpus.conll", thresholds="lenient.toml", seeds=(3,)).run().write(
        "new"
    )
    shutil.copy("new/evidence.npz", reports)


def field_lost(reports):
    document = document_in("reports")
    del document["results"][0]["name"]
    write(document, reports / "robustness.json")


def too_few_columns(reports):
    found = from_bytes((reports / "evidence.npz").read_bytes())
    own = found["ner/accents"]
    cut = {view: {name: table[..., :1] for name, table in part.items()} for view, part in own.tables.items()}
    found["ner/accents"] = replace(own, tables=cut)
    (reports / "evidence.npz").write_bytes(to_bytes(found))
    document = document_in("reports")
    document["evidence_sha256"] = sha256_of(found)
    write(document, reports / "robustness.json")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (without_evidence, "evidence.npz: cannot be read: No such file or directory; run the gate again"),
        (cut_short, "evidence.npz: not the evidence of a run: "),
        (another_archive, "evidence.npz: not the evidence of a run: "),
        (evidence_of_less, "evidence.npz: has no evidence of ner/accents, ner/entity_attack[sample-4], "),
        (of_another_run, "robustness.json: is not about the evidence beside it, evidence.npz: they are of two runs"),
        (
            field_lost,
            "robustness.json: is damaged, or another version of Abalo wrote it (results.0.name is missing); run",
        ),
        (too_few_columns, "robustness.json: is damaged, or another version of Abalo wrote it ("),
        (without_report, "holds no run (no robustness.json); give the folder of a run"),
        (no_json, "robustness.json: is not JSON: "),
        (
            no_results,
            "robustness.json: has no seal, so it may have been edited; hold it against its evidence with abalo verdict",
        ),
        (
            another_document,
            "robustness.json: is not the report of a run in the format abalo-robustness/6; run the gate again",
        ),
    ],
)
def test_a_run_that_cannot_be_read_is_an_error_that_says_what_to_do(reports, refused, spoil, message):
    spoil(reports)
    said = refused("rejudge", "reports", "--thresholds", "strict.toml", "--out", "again")
    assert message in said
    assert "run the gate again" in said or "give the folder of a run" in said
    assert not Path("again").exists()


def test_results_of_a_kind_that_is_not_registered_are_told(reports, refused):
    rewrite(reports / "robustness.json", lambda stored: stored["results"][0].update(probe="strange"))
    for command in (("rejudge", "reports", "--thresholds", "strict.toml", "--out", "again"), ("show", "reports")):
        assert "is about the kind of case 'strange', which is not known here; pass --conftest" in refused(*command)


def test_a_file_with_none_of_the_cases_is_an_error_that_names_them(reports, refused):
    Path("other.toml").write_text("[[ner.synonyms]]\nmax_f1_drop = 0.1\n")
    said = refused("rejudge", "reports", "--thresholds", "other.toml")
    assert said.startswith("other.toml: has none of the cases of the run: ner/baseline, ner/accents, ")
